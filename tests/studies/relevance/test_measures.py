import math
from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadData
from holdfast.core.records import Explanation
from holdfast.data.source import Source, load
from holdfast.measure.structure import structure
from holdfast.report.charts.select import select
from holdfast.studies.relevance.measures import RelevanceMeasurer, relevance_rows
from holdfast.studies.relevance.published_tables import tukey_rows
from tests.study import tiny
from tests.study.strips import families

MAJORITY, SINGLE = "digits-maj:limit=600", "digits:limit=60"


@pytest.fixture(scope="module")
def rows():
    return make("studies", "relevance").measure(families(), lambda done, total: None)


def naive_cosine(family, member, explainer, clipped):
    """The mean cosine of one member, pixel by pixel, of examples that have relevance to share."""
    split, found = family.dataset.splits["test"], []
    for place, row in enumerate(family.rows.tolist()):
        image = family.dataset.image(family.explanations[explainer].scores[member, place])
        height, width = image.shape
        sums = [0.0, 0.0, 0.0]
        for y in range(height):
            for x in range(width):
                value = float(image[y, x])
                sums[x // (width // 3)] += max(value, 0.0) if clipped else value
        marks = [float(mark) for mark in split.majority[row]]
        norm = math.sqrt(sum(v * v for v in sums)) * math.sqrt(sum(marks))
        if sum(sums) > 0:
            found.append(sum(v * m for v, m in zip(sums, marks, strict=True)) / norm)
    return sum(found) / len(found)


@pytest.mark.parametrize(
    ("explainer", "clipped"), [("lrp", True), ("deep_taylor", False), ("sensitivity", False)]
)
def test_the_cosine_of_a_member_is_that_of_its_blocks(rows, explainer, clipped):
    family = families()[0]
    found = select(rows, "cosine", "member", explainer=explainer, model=family.model)
    assert [row.member for row in found] == ["0", "1", "fold 0", "fold 1", "fold 2"]
    for place in (0, 3):
        assert found[place].value == pytest.approx(naive_cosine(family, place, explainer, clipped), abs=1e-5)


def test_averages_are_over_the_folds_where_there_are_three(rows):
    family = families()[1]
    (mean,) = select(rows, "cosine", explainer="lrp", model=family.model)
    folds = [row.value for row in select(rows, "cosine", "member", explainer="lrp", model=family.model)][2:]
    assert (mean.value, mean.n) == (pytest.approx(sum(folds) / 3), 3)
    assert mean.low < mean.value < mean.high


def test_groups_of_images_add_up_to_their_member(rows):
    family = families()[1]
    about = {"explainer": "lrp", "model": family.model}
    for member in ("fold 0", "fold 2"):
        parts = select(rows, "cosine", "group", member=member, **about)
        (whole,) = select(rows, "cosine", "member", member=member, **about)
        (unknown,) = select(rows, "unknown", **about)
        assert [row.bin for row in parts] == [str(group) for group in range(10)]
        assert unknown.n == len(family.rows) == 40
        assert whole.value == pytest.approx(sum(r.value * r.n for r in parts) / sum(r.n for r in parts))
    assert {row.member for row in select(rows, "cosine", "group", **about)} == {"fold 0", "fold 1", "fold 2"}


def with_maps(family, dataset, scores, name="deep_taylor"):
    """The same family, as if it had explained these data so."""
    rows = torch.arange(scores.shape[1])
    members = family.members[: len(scores)]
    mask = dataset.splits["test"].scored(rows)
    target = dataset.splits["test"].targets[rows]
    one = Explanation(scores, mask, target, members, name, True)
    return RelevanceMeasurer(
        replace(family, dataset=dataset, members=members, rows=rows, target=target, explanations={name: one}),
        dataset,
    ), one


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 6, 8, 12, 24])
def test_a_perfect_map_is_perfect_however_the_images_are_cut(steps):
    dataset = load(Source(f"digits-maj:steps={steps}"))
    split, rows = dataset.splits["test"], torch.arange(30)
    marked = split.truth(rows)
    drawn = marked * (split.batch(rows).inputs.flatten(1) + 1)
    for scores, quantities in ((marked, ("cosine", "share")), (drawn, ("share",))):
        build, one = with_maps(families()[0], dataset, scores.expand(3, -1, -1))
        found = list(build.places(one))
        for quantity in quantities:
            (mean,) = select(found, quantity)
            assert (mean.value, mean.low, mean.high) == pytest.approx((1.0, 1.0, 1.0), abs=1e-6)
    own = structure_of(dataset, drawn)
    assert own.values.tolist() == pytest.approx([1.0] * 30, abs=1e-6)
    assert own.known.all()


def structure_of(dataset, scores):
    """The structure of maps of the first test images, beside their own ink alone."""
    build, _ = with_maps(families()[0], dataset, scores[None])
    ink = build._blocks(dataset.images("test", build.rows))
    return structure(build._blocks(dataset.image(scores)), ink, build.truth)


def test_a_member_without_relevance_is_left_out_and_counted():
    family = families()[0]
    dataset = family.dataset
    marked = dataset.splits["test"].truth(torch.arange(20)).expand(3, -1, -1).clone()
    marked[1] = -1.0
    marked[0, :5] = 0.0
    build, one = with_maps(family, dataset, marked)
    found = list(build.places(one))
    assert [row.member for row in select(found, "cosine", "member")] == ["0", "fold 0"]
    (mean,), (unknown,) = select(found, "cosine"), select(found, "unknown")
    assert (mean.value, mean.n) == (pytest.approx(1.0), 2)
    assert (unknown.value, unknown.n) == (pytest.approx(25 / 60), 20)
    assert select(found, "time", "step")


def test_negative_relevance_is_dropped_for_lrp_alone():
    family = families()[0]
    split = family.dataset.splits["test"]
    marked = split.truth(torch.arange(20))
    scores = (marked - 0.25 * (1 - marked)).expand(3, -1, -1)
    value = {}
    for name in ("lrp", "deep_taylor", "simple_taylor"):
        build, one = with_maps(family, family.dataset, scores, name)
        (row,) = select(list(build.places(one)), "cosine")
        value[name] = row.value
    assert value["lrp"] == pytest.approx(1.0)
    whole = 2 / math.sqrt(2 * (2 + 0.25**2))
    assert value["deep_taylor"] == value["simple_taylor"] == pytest.approx(whole)


def test_a_single_strip_has_no_distance_in_time():
    dataset = load(Source("digits-maj:steps=1"))
    marked = dataset.splits["test"].truth(torch.arange(20)).expand(3, -1, -1)
    build, one = with_maps(families()[0], dataset, marked)
    assert select(list(build.places(one)), "time") == []


def test_weights_are_those_of_the_network(rows):
    family = families()[0]
    network = family.job.architecture.build(family.dataset.task)
    own = [row.value for row in select(rows, "weights", model=family.model) if row.data == family.data]
    assert own == [sum(parameter.numel() for parameter in network.parameters())]


def test_every_quantity_of_the_study_is_there(rows):
    majority = {row.quantity for row in rows if row.data == MAJORITY}
    assert majority == {
        "weights", "accuracy_published", "accuracy_held", "cosine", "share", "structure", "time", "ink",
        "unknown", "hold", "deletion", "tukey", "tukey_p", "tukey_holm", "anova_f", "anova_p",
        "anova_eta",
    }  # fmt: skip
    single = {row.quantity for row in rows if row.data == SINGLE}
    assert single == {"weights", "accuracy_published", "structure", "time", "ink"}


def test_a_fold_is_judged_on_what_it_never_saw(rows):
    family = families()[0]
    train, member = family.dataset.splits["train"], family.members[3]
    held = train.held(member)
    right = family.job.tensors(member)["logits/held"].argmax(-1) == train.targets[held]
    (found,) = select(rows, "accuracy_held", "member", model="shallow", member="fold 1")
    assert found.value == pytest.approx(float(right.double().mean()))
    assert not set(held.tolist()) & set(train.trains(member).tolist())


def test_a_seed_is_judged_on_the_whole_published_test_part(rows):
    family = families()[0]
    seen, train = family.job.tensors(family.members[0]), family.dataset.splits["train"]
    held = train.held(family.members[0])
    right = [
        *(seen["logits/held"].argmax(-1) == train.targets[held]).tolist(),
        *(seen["logits/test"].argmax(-1) == family.targets).tolist(),
    ]
    (found,) = select(rows, "accuracy_published", "member", model="shallow", member="0")
    assert found.value == pytest.approx(sum(right) / len(right))
    assert len(right) > len(family.targets)


def test_relevance_and_ink_are_distributions_over_the_steps(rows):
    for quantity in ("time", "ink"):
        found = select(rows, quantity, "step", data=MAJORITY, model="shallow", label="")
        explainers = {row.explainer for row in found}
        assert len(found) == 12 * len(explainers)
        for name in explainers:
            assert sum(r.value for r in found if r.explainer == name) == pytest.approx(1.0, abs=1e-6)
    centred = select(rows, "ink", "step", data=SINGLE, label="1")
    family = families()[2]
    ones = [row for row in family.rows.tolist() if int(family.targets[row]) == 1]
    ink = family.dataset.splits["test"].ink(torch.tensor(ones))
    shares = (ink / ink.sum(1, keepdim=True)).mean(0)
    assert [row.value for row in centred] == pytest.approx(shares.tolist(), abs=1e-6)


def test_deletion_begins_at_the_prediction_itself(rows):
    family = families()[1]
    starts = [r.value for r in select(rows, "deletion", "step", model=family.model) if r.at == 0]
    assert len(starts) == 4  # a random order and three methods
    folds = family.explained[2:, :32].mean()
    assert starts == pytest.approx([float(folds)] * 4, abs=1e-5)


def test_only_examples_explained_for_their_true_class_count():
    family = families()[2]
    wrong = replace(family, target=(family.targets[family.rows] + 1) % 10)
    assert {row.quantity for row in relevance_rows(wrong)} == {"weights", "accuracy_published"}


def test_texts_are_refused():
    with pytest.raises(BadData, match=r"expected ImageDataset, but got TextDataset$"):
        list(relevance_rows(tiny.family()))


def test_rows_of_every_cell_and_the_comparison_of_all(rows):
    each = [row for family in families() for row in relevance_rows(family)]
    assert rows == [*each, *tukey_rows(each)]
    assert {(row.model, row.other_model) for row in rows if row.quantity == "tukey"} == {
        ("rlstm_sd", "shallow")
    }
