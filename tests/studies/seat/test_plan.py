from collections import Counter

import pytest

from holdfast.core.catalogue import make
from holdfast.core.settings import label
from holdfast.studies.seat.names import method
from holdfast.studies.seat.plan import (
    NOISES,
    QUICK,
    RIVALS,
    STRENGTHS,
    TABLE_1,
    TABLE_4,
    plan,
    repairs,
)
from holdfast.studies.seat.strengths import rival_of, strength_of
from holdfast.study.overrides import Overrides
from holdfast.train.fit import Fit


def test_the_whole_study():
    made = plan(Overrides())
    assert [source.data for source in made.data] == ["sst2"]
    assert made.models == ("rnn", "bilstm")
    assert (made.seeds, made.instances, made.study, made.fit) == (10, 500, "seat", Fit())
    assert made.explainers == ("attention", "gradient", "random")


def test_every_rival_has_the_same_tries_and_seat_one():
    tries = Counter(rival_of(repair) for repair in repairs())
    assert {name: tries[name] for name in RIVALS} == dict.fromkeys(RIVALS, len(STRENGTHS))
    assert repairs().count("seat") == 1
    found = [(rival_of(r), strength_of(r)) for r in repairs() if rival_of(r)]
    assert found == [(name, strength) for name in RIVALS for strength in STRENGTHS]
    assert repairs()[0] == "none"


def test_the_terms_of_seat_are_switched_off_one_by_one():
    names = {method(repair): repair for repair in repairs()}
    topk, stability = (make("repairs", names[f"SEAT, {name} term alone"]) for name in ("top-k", "stability"))
    assert (topk.lambda1, topk.lambda2) == (0.0, make("repairs", "seat").lambda2)
    assert (stability.lambda1, stability.lambda2) == (make("repairs", "seat").lambda1, 0.0)
    assert make("repairs", names["SEAT, one teacher for all"]).teacher == "shared"
    assert not make("repairs", names["SEAT as printed"]).detached


def test_the_radii_are_those_of_the_tables():
    assert (TABLE_1.radius, TABLE_4.radius) == (1e-3, 1e-2)
    assert {(noise.radius, noise.norm, noise.way) for noise in NOISES} == {
        (1e-3, "linf", "worst"), (1e-3, "linf", "random"), (1e-3, "l2", "worst"), (1e-2, "linf", "worst"),
    }  # fmt: skip


def test_quick_is_small_and_embedded():
    made = plan(Overrides(quick=True))
    assert made.models == ("rnn",)
    assert made.data[0].data.startswith("planted:")
    assert (made.seeds, made.instances, made.fit) == (3, 60, QUICK)
    assert made.repairs == tuple(label(make("repairs", name)) for name in repairs(quick=True))
    assert len(made.repairs) == 16
    assert made.explainers == ("attention", "random")
    assert plan(Overrides(quick=True, epochs=2)).fit.epochs == 2


def test_words_are_dropped_where_there_are_no_vectors_to_replace_them_by():
    assert plan(Overrides(quick=True)).perturbations == ("dropped",)
    given = Overrides(data=("sst2",), vectors=lambda name: "glove.6B.300d.txt")
    assert plan(given).perturbations == ("neighbours",)


def test_what_was_asked_is_taken():
    made = plan(
        Overrides(
            data=("tweeteval/emotion",),
            models=("rnn:hidden=64",),
            repairs=("none", "seat:k=3"),
            seeds=4,
            epochs=30,
            instances=None,
            max_length=40,
        )
    )
    assert made.models == ("rnn:hidden=64",)
    assert made.repairs == ("none", "seat:k=3")
    assert (made.seeds, made.fit.epochs, made.instances, made.data[0].max_length) == (4, 30, None, 40)


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("models", ("rnn", "rnn:hidden=128")),
        ("repairs", ("attention_at", "attention_at:strength=1.0")),
    ],
)
def test_one_thing_in_two_spellings_is_trained_once(name, spelled):
    assert getattr(plan(Overrides(**{name: spelled})), name) == spelled[:1]
