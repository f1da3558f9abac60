from holdfast.studies.rollout.questions import Place, counts, questions
from holdfast.study.measurement import Measurement

DATA = "ml-1m:holdout=validation"


def test_one_block_is_asked_for_what_it_can_answer():
    found = questions([Place(DATA, "sasrec:blocks=1")])
    claims = " ".join(question.claim for question in found)
    assert "first block" in claims
    assert "μ_lin" in claims
    assert "last block" not in claims
    assert "deleting" not in claims
    assert "entropy" not in claims


def test_entropies_are_compared_within_a_data_set():
    places = [Place(DATA, "sasrec"), Place("other", "bert4rec"), Place("other", "sasrec")]
    (asked,) = [question for question in questions(places) if "entropy" in question.claim]
    (part,) = asked.parts
    assert [(factor, place) for factor, place, _ in part.terms] == [(1.0, places[2]), (-1.0, places[1])]
    assert asked.data == ("other",)
    assert questions([Place(DATA, "sasrec")])[0].data == ("ML-1M",)


def test_nothing_is_asked_of_nobody():
    assert questions([]) == []


def test_which_rows_count():
    assert counts(Measurement(DATA, "sasrec", "none", "correlation", 0.5))
    assert counts(Measurement("planted-plays", "sasrec:dim=8,blocks=1", "none", "correlation", 0.5))
    assert not counts(
        Measurement("ml-1m:length=200,holdout=validation", "sasrec", "none", "correlation", 0.5)
    )
    assert not counts(Measurement("planted-plays", "gru4rec", "none", "correlation", 0.5))
    assert not counts(Measurement("planted-plays", "sasrec", "aswa", "correlation", 0.5))
