from types import SimpleNamespace

import pytest
import torch

from holdfast.report.csvs import DRAWN
from holdfast.studies.seat.measures import replaced
from holdfast.studies.seat.one_text import AFTER, BEFORE, LONGEST, one_text_rows, words
from tests.later import Later
from tests.studies.seat.runs import families

ROWS = Later(lambda: list(one_text_rows(families())))


def place_of(plain):
    """Which text it is, from the words of the rows."""
    said = [row.bin.partition(":")[2] for row in ROWS if (row.repair, row.quantity) == ("none", BEFORE)]
    tokens = [word.removeprefix("without ") for word in said]
    return next(i for i, row in enumerate(plain.rows.tolist()) if plain.dataset.tokens("test", row) == tokens)


def test_the_papers_methods_are_shown_on_the_same_text():
    assert list(dict.fromkeys(row.repair for row in ROWS)) == ["none", "seat"]
    said = [[row.bin for row in ROWS if (row.repair, row.quantity) == (r, BEFORE)] for r in ("none", "seat")]
    assert said[0] == said[1]
    assert 1 < len(said[0]) <= LONGEST
    assert {BEFORE, AFTER} < set(DRAWN)


def test_a_word_that_was_left_out_has_no_weight_afterwards_and_weights_are_means_over_seeds():
    plain = families()[0]
    at, changed = place_of(plain), plain.changed["dropped"]
    before = plain.explanations["attention"].scores[:, at].mean(0)
    mine = [row for row in ROWS if (row.repair, row.by) == ("none", "word")]
    assert [row.value for row in mine if row.quantity == BEFORE] == pytest.approx(
        before[: len(plain.dataset.tokens("test", int(plain.rows[at])))].tolist()
    )
    (gone,) = [row.at for row in mine if row.bin.partition(":")[2].startswith("without ")]
    after = {row.at: row.value for row in mine if row.quantity == AFTER}
    assert gone not in after
    assert sum(after.values()) == pytest.approx(1.0)
    assert not changed.split.mask[at, int(gone)]


def test_a_word_that_was_replaced_is_named_with_its_other(planted):
    (first, second, *rest), row = planted.tokens("test", 0), planted.splits["test"].batch(torch.tensor([0]))
    split = SimpleNamespace(
        inputs=row.inputs.clone(),
        place=torch.arange(row.mask.shape[1])[None],
        touched=row.mask.clone() & False,
    )
    split.inputs[0, 0], split.touched[0, 0] = row.inputs[0, 1], True
    changed = {"neighbours": SimpleNamespace(split=split)}
    family = SimpleNamespace(dataset=planted, rows=torch.tensor([0]), changed=changed)
    found = list(words(family, "neighbours", 0))
    assert found == [(f"{first} → {second}", True), (second, True), *((word, True) for word in rest)]


def test_it_is_the_text_in_the_middle_of_the_short_ones():
    plain = families()[0]
    touched, found = replaced(plain, "dropped")
    far, short = found.attention.mean(0), plain.mask.sum(1)[touched] <= LONGEST
    (moved,) = [
        r.value for r in ROWS if (r.repair, r.by, r.quantity) == ("none", "sentence", "attention_moved")
    ]
    assert moved == pytest.approx(float(far[short].sort().values[(int(short.sum()) - 1) // 2]))
