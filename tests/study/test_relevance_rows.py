import math
from dataclasses import replace

import pytest
import torch

from holdfast.report.figures.rows import pick
from holdfast.study.relevance import own_rows
from holdfast.study.relevance_rows import relevance_rows
from tests.study import tiny
from tests.study.strips import cells


@pytest.fixture(scope="module")
def rows():
    return own_rows(cells())


def naive_cosine(cell, member, explainer, signed):
    """The mean cosine of one member, pixel by pixel, of examples that have relevance."""
    split, found = cell.dataset.splits["test"], []
    for place, row in enumerate(cell.rows.tolist()):
        image = cell.dataset.picture(cell.explanations[explainer].scores[member, place])
        height, width = image.shape
        sums = [0.0, 0.0, 0.0]
        for y in range(height):
            for x in range(width):
                value = float(image[y, x])
                sums[x // (width // 3)] += max(value, 0.0) if signed else value
        marks = [float(mark) for mark in split.majority[row]]
        norm = math.sqrt(sum(v * v for v in sums)) * math.sqrt(sum(marks))
        if norm > 0:
            found.append(sum(v * m for v, m in zip(sums, marks, strict=True)) / norm)
    return sum(found) / len(found)


@pytest.mark.parametrize(
    ("explainer", "signed"), [("lrp", True), ("deep_taylor", True), ("sensitivity", False)]
)
def test_the_cosine_of_a_member_is_that_of_its_blocks(rows, explainer, signed):
    cell = cells()[0]
    found = pick(rows, "cosine", "member", explainer=explainer, model=cell.model)
    assert [row.bin for row in found] == ["0", "1", "fold 0", "fold 1", "fold 2"]
    for place in (0, 3):
        assert found[place].value == pytest.approx(naive_cosine(cell, place, explainer, signed), abs=1e-5)


def test_averages_are_over_the_folds_where_there_are_three(rows):
    cell = cells()[1]
    (mean,) = pick(rows, "cosine", explainer="lrp", model=cell.model)
    folds = [row.value for row in pick(rows, "cosine", "member", explainer="lrp", model=cell.model)][2:]
    assert (mean.value, mean.n) == (pytest.approx(sum(folds) / 3), 3)
    assert mean.low < mean.value < mean.high


def test_every_quantity_of_the_study_is_there(rows):
    majority = {row.quantity for row in rows if row.data == "digits-maj"}
    assert majority == {
        "weights", "accuracy_published", "accuracy_held", "cosine", "share", "structure", "time", "ink",
        "lost", "hold", "deletion", "tukey", "tukey_p", "tukey_holm", "anova_f", "anova_p", "anova_eta",
    }  # fmt: skip
    single = {row.quantity for row in rows if row.data == "digits"}
    assert single == {"weights", "accuracy_published", "structure", "time", "ink", "lost"}


def test_a_fold_is_judged_on_what_it_never_saw(rows):
    cell = cells()[0]
    train, member = cell.dataset.splits["train"], cell.members[3]
    held = train.held(member)
    right = cell.job.tensors(member)["logits/held"].argmax(-1) == train.targets[held]
    (found,) = pick(rows, "accuracy_held", "member", model="shallow", bin="fold 1")
    assert found.value == pytest.approx(float(right.double().mean()))
    assert not set(held.tolist()) & set(train.trains(member).tolist())


def test_a_seed_is_judged_on_the_whole_published_test_part(rows):
    cell = cells()[0]
    seen, train = cell.job.tensors(cell.members[0]), cell.dataset.splits["train"]
    held = train.held(cell.members[0])
    right = [
        *(seen["logits/held"].argmax(-1) == train.targets[held]).tolist(),
        *(seen["logits/test"].argmax(-1) == cell.targets).tolist(),
    ]
    (found,) = pick(rows, "accuracy_published", "member", model="shallow", bin="0")
    assert found.value == pytest.approx(sum(right) / len(right))
    assert len(right) > len(cell.targets)


def test_relevance_and_ink_are_distributions_over_the_steps(rows):
    for quantity in ("time", "ink"):
        found = pick(rows, quantity, "step", data="digits-maj", model="shallow", other="")
        explainers = {row.explainer for row in found}
        assert len(found) == 12 * len(explainers)
        for name in explainers:
            assert sum(r.value for r in found if r.explainer == name) == pytest.approx(1.0, abs=1e-6)
    centred = pick(rows, "ink", "step", data="digits", other="1")
    cell = cells()[2]
    ones = [row for row in cell.rows.tolist() if int(cell.targets[row]) == 1]
    ink = cell.dataset.splits["test"].ink(torch.tensor(ones))
    shares = (ink / ink.sum(1, keepdim=True)).mean(0)
    assert [row.value for row in centred] == pytest.approx(shares.tolist(), abs=1e-6)


def test_conserving_methods_lose_next_to_nothing(rows):
    found = pick(rows, "lost")
    assert {row.explainer for row in found} == {"deep_taylor", "lrp"}
    assert max(row.value for row in found) < 1e-4


def test_deletion_begins_at_the_prediction_itself(rows):
    cell = cells()[1]
    starts = [r.value for r in pick(rows, "deletion", "step", model=cell.model) if r.at == 0]
    assert len(starts) == 4  # a random order and three methods
    folds = cell.explained[2:, :32].mean()
    assert starts == pytest.approx([float(folds)] * 4, abs=1e-5)


def test_only_examples_explained_for_their_true_class_count():
    cell = cells()[2]
    wrong = replace(cell, target=(cell.targets[cell.rows] + 1) % 10)
    assert {row.quantity for row in relevance_rows(wrong)} == {"weights", "accuracy_published"}


def test_texts_have_no_rows_here():
    assert list(relevance_rows(tiny.cell())) == []
