import itertools
from dataclasses import replace

import pytest
import torch

from holdfast.studies.seed_stability.measures import (
    label_rows,
    own_rows,
    path_rows,
    seed_rows,
    size_rows,
    word_rows,
)
from holdfast.study.result import FamilyResult
from tests.reference import compare as naive
from tests.reference import study as twin
from tests.study.tiny import family


def sst(repair: str = "none", **about: object) -> FamilyResult:
    return replace(family(members=5, repair=repair, **about), data="sst2")  # type: ignore[arg-type]


def test_words_deviate_by_the_spread_of_their_attention() -> None:
    families = [sst(), sst("aswa", noise=0.1, seed=3)]
    rows = list(word_rows(families))
    assert {row.sentence for row in rows} == {"1", "2"}
    assert {row.repair for row in rows} == {"none", "aswa"}
    texts = [families[0].dataset.tokens("test", int(row)) for row in families[0].rows]
    for repair, own in zip(("none", "aswa"), families, strict=True):
        for sentence in ("1", "2"):
            some = [row for row in rows if row.repair == repair and row.sentence == sentence]
            tokens = [row.bin.split(":", 1)[1] for row in some]
            place = texts.index(tokens)
            scores = own.explanations["attention"].scores[:, place].tolist()
            for position, row in enumerate(some):
                assert row.at == position
                assert row.value == pytest.approx(twin.sd([member[position] for member in scores]), abs=1e-6)


def test_the_sentences_are_those_that_deviate_most_without_repair() -> None:
    families = [sst("aswa", noise=0.1, seed=3), sst()]
    rows = [row for row in word_rows(families) if row.repair == "none"]
    first, second = (max(row.value for row in rows if row.sentence == str(number)) for number in (1, 2))
    spread = families[1].explanations["attention"].scores.std(0)
    lengths = families[1].mask.sum(1)
    fitting = spread.amax(1)[(lengths >= 5) & (lengths <= 25)]
    assert first == pytest.approx(float(fitting.max()))
    assert second == pytest.approx(float(fitting.sort().values[-2]))


def three_classes() -> FamilyResult:
    one = sst()
    wide = torch.cat([one.probabilities, one.probabilities[..., :1]], -1)
    task = replace(one.dataset.task, classes=("no", "yes", "maybe"))
    return replace(
        one, probabilities=wide / wide.sum(-1, keepdim=True), dataset=replace(one.dataset, task=task)
    )


def test_more_than_two_labels_have_their_own_curves() -> None:
    assert list(label_rows(sst())) == []
    one = three_classes()
    rows = list(label_rows(one))
    assert {row.label for row in rows} == {"no", "yes"}  # no text is truly "maybe"
    truth = one.targets[one.rows].tolist()
    scores, lengths = one.explanations["attention"].scores.double().tolist(), one.mask.sum(1).tolist()
    for row in rows:
        number = one.dataset.task.classes.index(row.label)
        mean = one.probabilities[:, one.rows, number].mean(0).tolist()
        some = [k for k in range(12) if truth[k] == number and f"{int(mean[k] * 10) / 10:.1f}" == row.bin]
        assert row.n == len(some)
        value = twin.mean_over_pairs(scores, lengths, some, lambda a, b: naive.kl(a, b, False))
        assert row.value == pytest.approx(value, abs=1e-5)


class Paths:
    """A job of which only the ways of its members are asked."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs

    def tensors(self, member: object) -> dict[str, torch.Tensor]:
        draw = torch.Generator().manual_seed(member.seed)  # type: ignore[attr-defined]
        # far from each other, so that no neighbour is another seed's
        far = 1000.0 * member.seed  # type: ignore[attr-defined]
        return {"path": torch.randn(self.epochs, 6, generator=draw).cumsum(0) + far}


def test_paths_in_two_dimensions_are_the_same_every_time() -> None:
    one = replace(sst(), job=Paths(45))  # 225 points: where an iterative solver would start at random
    rows = list(path_rows(one))
    assert rows == list(path_rows(one))
    assert len(rows) == 5 * 45 * 2
    assert {row.member for row in rows} == {"0", "1", "2", "3", "4"}
    assert [row.at for row in rows if row.member == "3" and row.quantity == "path_x"] == list(range(1, 46))
    assert all(row.value == row.value for row in rows)


def test_too_few_points_have_no_map() -> None:
    assert list(path_rows(replace(sst(), job=Paths(1)))) == []


def test_distances_are_kept_by_pair_of_seeds() -> None:
    one = sst()
    scores, lengths = one.explanations["attention"].scores.double().tolist(), one.mask.sum(1).tolist()
    rows = [r for r in seed_rows(one) if (r.by, r.explainer, r.comparison) == ("pair", "attention", "kl")]
    assert [(r.member, r.other_member) for r in rows] == list(itertools.combinations("01234", 2))
    for row in rows:
        pair = [scores[int(seed)] for seed in (row.member, row.other_member)]
        value = twin.mean_over_pairs(pair, lengths, range(12), lambda a, b: naive.kl(a, b, False))
        assert row.value == pytest.approx(value, abs=1e-5)
        assert row.n == 12


def test_two_seeds_have_none_to_leave_out() -> None:
    assert not [row for row in seed_rows(family(members=2)) if row.by == "without"]
    assert len([row for row in seed_rows(family(members=3)) if row.by == "without"]) == 3


def test_what_was_not_explained_is_not_compared() -> None:
    rows = list(seed_rows(family(members=3, names=("gradient",))))
    assert {row.explainer for row in rows} == {"", "gradient"}


def test_sizes_are_counted_by_class() -> None:
    rows = {row.bin: row.value for row in size_rows(sst()) if row.quantity == "texts"}
    assert set(rows) == {"train/0", "train/1", "test/0", "test/1"}
    assert sum(rows[f"train/{number}"] for number in (0, 1)) == 120
    assert rows["test/1"] == int(sst().targets.sum())
    (length,) = [row.value for row in size_rows(sst()) if row.quantity == "length"]
    assert length == pytest.approx(sst().dataset.splits["train"].lengths.double().mean().item())


def test_nothing_makes_no_rows() -> None:
    assert own_rows([], lambda done, total: None) == []
