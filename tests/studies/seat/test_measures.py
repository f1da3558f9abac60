from dataclasses import replace
from itertools import combinations

import pytest
import torch
from scipy.spatial.distance import jensenshannon
from sklearn.metrics import f1_score

from holdfast.core.records import Batch
from holdfast.measure.embedding_noise import EmbeddingNoise, noised_family
from holdfast.measure.hold import hold
from holdfast.measure.scale import scale_of
from holdfast.models.run import Run
from holdfast.studies.seat.measures import (
    CHANGED,
    FLIPPED,
    MOVED,
    between_seeds,
    constant,
    name_of,
    replaced,
)
from holdfast.studies.seat.plan import TABLE_4
from holdfast.study.evidence import impostors_of
from holdfast.study.numbers import text_groups
from holdfast.study.result import family_of
from holdfast.train.family import template
from tests.reference import probes as naive
from tests.studies.seat.runs import families, rows
from tests.study import tiny

NO_GROUPS = torch.zeros(12, dtype=torch.long)


def pick(found, repair, quantity, by, **about):
    return [
        row
        for row in found
        if (row.repair, row.quantity, row.by) == (repair, quantity, by)
        and all(getattr(row, name) == value for name, value in about.items())
    ]


def family(repair):
    return next(one for one in families() if one.repair == repair)


def predict(one, place, batch):
    """The probabilities and the attention of one member for one text."""
    trained = family_of(one).parameters_of(one.members[place])
    run = Run(template(one.job.architecture, one.dataset.task), trained)
    with torch.no_grad():
        trace = run(batch)
    return trace.logits[0].double().softmax(-1).tolist(), trace.attention[-1][0].double().tolist()


def text(split, row):
    width = int(split.lengths[row])
    return split.batch(torch.tensor([row]), width)


def test_scores_are_those_of_another_library():
    for one in families():
        for member in one.members:
            for name, quantity in (("validation", "validation_f1"), ("test", "macro_f1")):
                guess = one.job.tensors(member)[f"logits/{name}"].argmax(-1)
                targets = one.dataset.splits[name].targets
                known = pick(rows(), one.repair, quantity, "member", member=str(member.seed))
                if known:  # only families that are compared have a score on test texts
                    assert known[0].value == pytest.approx(f1_score(targets, guess, average="macro"))
                    assert known[0].n == len(targets)
                assert known or quantity == "macro_f1"


def test_strengths_that_were_not_chosen_have_only_what_they_were_chosen_by():
    shown = {row.repair for row in rows() if row.quantity == MOVED}
    (lost,) = {one.repair for one in families()} - shown
    assert {row.quantity for row in rows() if row.repair == lost} == {"validation_f1", "constant"}


def test_a_model_that_says_the_same_of_nearly_every_text_is_constant():
    sure, other = [0.9, 0.05, 0.05], [0.05, 0.05, 0.9]
    table = torch.tensor([[sure] * 100, [sure] * 99 + [other], [sure] * 98 + [other] * 2, [other] * 100])
    assert constant(table).tolist() == [True, True, False, True]


@pytest.mark.parametrize("repair", ["none", "seat"])
def test_words_left_out_move_attention_and_prediction_as_one_text_at_a_time_says(repair):
    one = family(repair)
    touched, found = replaced(one, "dropped")
    changed = one.changed["dropped"].split
    assert bool(touched.any())
    for place in range(len(one.members)):
        column = 0
        for number, row in enumerate(one.rows.tolist()):
            if not touched[number]:
                continue
            before = text(one.dataset.splits["test"], row)
            after = Batch(changed.inputs[number : number + 1], changed.mask[number : number + 1])
            (p, w), (q, v) = predict(one, place, before), predict(one, place, after)
            kept = [t for t in range(len(w)) if int(changed.place[number, t]) >= 0]
            moved = [v[int(changed.place[number, t])] for t in kept]
            distance = jensenshannon([w[t] for t in kept], moved) ** 2
            assert float(found.attention[place, column]) == pytest.approx(distance, abs=1e-6)
            apart = sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2
            assert float(found.prediction[place, column]) == pytest.approx(apart, abs=1e-6)
            assert bool(found.flipped[place, column]) == (p.index(max(p)) != q.index(max(q)))
            column += 1
        assert column == found.attention.shape[1]


def test_rows_of_noise_are_means_of_the_texts_with_and_without_those_that_flip():
    one = family("none")
    found = noised_family(family_of(one), one.dataset.splits["test"], one.rows, TABLE_4)
    probe = "noise:radius=0.01,norm=linf,way=worst"
    for quantity, table in ((MOVED, found.attention), (CHANGED, found.prediction), (FLIPPED, found.flipped)):
        each = [row.value for row in pick(rows(), "none", quantity, "member", probe=probe)]
        assert each == pytest.approx([sum(line) / len(line) for line in table.tolist()])
        whole = pick(rows(), "none", quantity, "all", probe=probe)
        assert whole[0].value == pytest.approx(sum(each) / 2)
        assert whole[0].low >= 0
    kept = [
        [value for value, flip in zip(*lines, strict=True) if not flip]
        for lines in zip(found.attention.tolist(), found.flipped.tolist(), strict=True)
    ]
    each = [row.value for row in pick(rows(), "none", f"{MOVED}_unflipped", "member", probe=probe)]
    assert each == pytest.approx([sum(line) / max(len(line), 1) for line in kept])


def test_groups_of_texts_give_the_mean_of_all_back():
    for quantity in (MOVED, CHANGED, "drop"):
        for row in pick(rows(), "seat", quantity, "all"):
            parts = pick(rows(), "seat", quantity, "group", probe=row.probe, explainer=row.explainer)
            if parts:
                count = sum(part.n for part in parts)
                assert sum(part.value * part.n for part in parts) / count == pytest.approx(
                    row.value, abs=1e-9
                )
    one = family("seat")
    group = text_groups(24)[one.rows].tolist()
    bins = {int(part.bin) for part in pick(rows(), "seat", "drop", "group")}
    assert bins == set(group)


def test_seeds_are_compared_by_pair_with_the_divergence_of_another_library():
    one = family("seat")
    scores, lengths = one.explanations["attention"].scores.double(), one.mask.sum(1).tolist()
    found = pick(rows(), "seat", "stability", "pair", explainer="attention", comparison="jensen_shannon")
    assert [(row.member, row.other_member) for row in found] == list(combinations("01", 2))
    each = [
        jensenshannon(scores[0, k, :length], scores[1, k, :length]) ** 2 for k, length in enumerate(lengths)
    ]
    assert found[0].value == pytest.approx(sum(each) / len(each), abs=1e-6)


def test_a_hold_is_left_out_seed_by_seed():
    one = tiny.family(members=4)
    found = [row for row in between_seeds(one, NO_GROUPS) if row.by == "without"]
    whole = scale_of(one.explanations["attention"], impostors_of(one, "attention"), one.rows)
    nearest = hold(whole).nearest
    for row in found:
        rest = [member for member in one.members if str(member.seed) != row.member]
        against = hold(whole.keep(rest).only([nearest]))
        assert row.value == pytest.approx(against.value)
    assert len(found) == 4
    assert not [row for row in between_seeds(tiny.family(members=2), NO_GROUPS) if row.by == "without"]


@pytest.mark.parametrize("probe", ["comprehensiveness", "sufficiency"])
def test_attention_is_as_faithful_as_one_text_at_a_time_says(probe):
    one, split = family("none"), family("none").dataset.splits["test"]
    found = pick(rows(), "none", "drop", "member", probe=probe)
    for place, row in enumerate(found):
        drops = []
        for number, (text_row, target) in enumerate(zip(one.rows.tolist(), one.target.tolist(), strict=True)):
            batch = text(split, text_row)

            def probability(kept, batch=batch, target=target, place=place):
                mask = torch.tensor([[t in kept for t in range(batch.mask.shape[1])]])
                return predict(one, place, replace(batch, mask=mask))[0][target]

            scores = one.explanations["attention"].scores[place, number, : batch.mask.shape[1]].tolist()
            drops.append(getattr(naive, probe)(probability, scores, (1, 5, 10, 20, 50)))
        assert row.value == pytest.approx(sum(drops) / len(drops), abs=1e-5)


def test_random_orders_stand_beside_every_faithfulness():
    probes = {row.probe for row in rows() if row.quantity == "drop" and row.by == "member"}
    assert {row.probe for row in rows() if row.quantity == "drop_random"} >= probes
    assert len(probes) == 3


def test_noise_is_named_by_its_settings():
    assert name_of(EmbeddingNoise(0.5, "l2", "random")) == "noise:radius=0.5,norm=l2,way=random"
