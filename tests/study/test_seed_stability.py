import re
from dataclasses import replace

import pytest
import torch
from scipy.stats import chi2

from holdfast.data.sources import Source
from holdfast.study import seed_stability
from holdfast.study.cell import Cell
from holdfast.study.seed_stability import label_rows, own_claims, path_rows, plan_of, published, word_rows
from holdfast.train.fit import Fit
from tests.reference import compare as naive
from tests.reference import study as twin
from tests.study.tiny import cell


def sst(repair: str = "none", **about: object) -> Cell:
    return replace(cell(members=5, repair=repair, **about), data="sst2")  # type: ignore[arg-type]


def test_the_plan_is_the_documents() -> None:
    plan = plan_of([Source("sst2")], ("cnn",), ("none", "aswa"), 10, Fit(), None, "cpu", quick=False)
    assert plan.study == "seed-stability"
    assert plan.data == (Source("sst2"),)
    assert (plan.seeds, plan.fit, plan.instances) == (10, Fit(), None)
    assert plan.explainers == ("attention", "gradient", "random")
    assert plan.comparisons == ("kl", "jensen_shannon", "jaccard")


def test_quick_is_small_and_embedded() -> None:
    plan = plan_of([Source("sst2")], ("cnn",), ("none",), 10, Fit(), None, "cpu", quick=True)
    assert plan.data[0].data.startswith("planted:")
    assert plan.seeds == 5
    assert plan.fit.epochs < Fit().epochs
    less = plan_of([Source("sst2")], ("cnn",), ("none",), 2, Fit(epochs=1), None, "cpu", quick=True)
    assert (less.seeds, less.fit.epochs) == (2, 1)


def test_published_beside_measured() -> None:
    cells = [sst(), sst("aswa"), sst("swa"), replace(sst(), data="planted"), replace(sst(), model="rnn")]
    rows = published(cells)
    assert [(row.row, row.column, row.published) for row in rows] == [
        ("SST cnn none", "accuracy", 82.0),
        ("SST cnn none", "sd", 1.01),
        ("SST cnn aswa", "accuracy", 82.5),
        ("SST cnn aswa", "sd", 0.39),
    ]
    own = [100 * float(x) for x in (cells[0].probabilities.argmax(-1) == cells[0].targets).double().mean(1)]
    mean, spread = rows[0], rows[1]
    assert {row.table for row in rows} == {"4.2"}
    assert mean.measured == pytest.approx(sum(own) / 5)
    assert spread.measured == pytest.approx(twin.sd(own))
    assert (spread.low, spread.high) == pytest.approx(
        tuple(spread.measured * (4 / chi2.ppf(p, 4)) ** 0.5 for p in (0.975, 0.025))
    )
    for row in rows:
        assert row.n == 5
        assert row.low is not None
        assert row.high is not None
        assert row.low < row.measured < row.high


def test_no_accuracy_is_above_all() -> None:
    own = sst()
    targets = torch.nn.functional.one_hot(own.targets).double().expand_as(own.probabilities).clone()
    targets[0, :2] = targets[0, :2].flip(1)  # one member errs twice
    mean = published([replace(own, probabilities=targets)])[0]
    assert mean.low is not None
    assert mean.low < mean.measured < mean.high == 100.0


def test_the_second_table_is_of_the_other_encoder() -> None:
    rows = published([replace(sst(), model="bilstm")])
    assert [row.table for row in rows] == ["4.3", "4.3"]


def test_every_published_line_can_be_read() -> None:
    lines = seed_stability._table()
    assert len(lines) >= 18
    for line in lines:
        assert set(line) == {"dataset", "encoder", "repair", "accuracy_mean", "accuracy_sd"}
        assert 50 < float(line["accuracy_mean"]) < 100
        assert 0 < float(line["accuracy_sd"]) < 10


def test_words_deviate_by_the_spread_of_their_attention() -> None:
    cells = [sst(), sst("aswa", noise=0.1, seed=3)]
    rows = list(word_rows(cells))
    assert {row.other for row in rows} == {"1", "2"}
    assert {row.repair for row in rows} == {"none", "aswa"}
    texts = [cells[0].dataset.tokens("test", int(row)) for row in cells[0].rows]
    for repair, own in zip(("none", "aswa"), cells, strict=True):
        for sentence in ("1", "2"):
            some = [row for row in rows if row.repair == repair and row.other == sentence]
            tokens = [row.bin.split(":", 1)[1] for row in some]
            place = texts.index(tokens)
            scores = own.explanations["attention"].scores[:, place].tolist()
            for position, row in enumerate(some):
                assert row.at == position
                assert row.value == pytest.approx(twin.sd([member[position] for member in scores]), abs=1e-6)


def test_the_sentences_are_those_that_deviate_most_without_repair() -> None:
    cells = [sst("aswa", noise=0.1, seed=3), sst()]
    rows = [row for row in word_rows(cells) if row.repair == "none"]
    first, second = (max(row.value for row in rows if row.other == str(number)) for number in (1, 2))
    spread = cells[1].explanations["attention"].scores.std(0)
    lengths = cells[1].mask.sum(1)
    fitting = spread.amax(1)[(lengths >= 5) & (lengths <= 25)]
    assert first == pytest.approx(float(fitting.max()))
    assert second == pytest.approx(float(fitting.sort().values[-2]))


def three_classes() -> Cell:
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
    assert {row.other for row in rows} == {"no", "yes"}  # no text is truly "maybe"
    truth = one.targets[one.rows].tolist()
    scores, lengths = one.explanations["attention"].scores.double().tolist(), one.mask.sum(1).tolist()
    for row in rows:
        number = one.dataset.task.classes.index(row.other)
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
    assert {row.bin for row in rows} == {"0", "1", "2", "3", "4"}
    assert [row.at for row in rows if row.bin == "3" and row.quantity == "path_x"] == list(range(1, 46))
    assert all(row.value == row.value for row in rows)


def test_too_few_points_have_no_map() -> None:
    assert list(path_rows(replace(sst(), job=Paths(1)))) == []


def test_claims_are_of_every_repair_against_none() -> None:
    cells = [sst(), sst("aswa", seed=2), sst("naswa", seed=3), replace(sst("aswa"), model="rnn")]
    found = own_claims(cells)
    repairs = [re.search(r": (\w+) against none", claim.where) for claim in found]
    assert [match.group(1) for match in repairs if match] == ["aswa"] * 4 + ["naswa"] * 4
