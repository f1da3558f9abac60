from holdfast.studies.seat.names import method, with_strength
from holdfast.studies.seat.plan import repairs


def test_every_method_of_the_study_has_a_name_of_its_own():
    names = {method(repair) for repair in repairs()}
    assert len(names) == 14
    assert not names & set(repairs())
    assert {"vanilla", "SEAT", "Word-iAT", "SEAT + ASWA", "SEAT as printed"} <= names


def test_strengths_tell_the_families_of_a_rival_apart():
    assert len({with_strength(repair) for repair in repairs()}) == len(repairs()) == 24
    assert with_strength("attention_at:strength=0.3") == "Attention-AT, ε = 0.3"
    assert with_strength("aswa") == "ASWA"


def test_what_the_study_does_not_know_is_called_as_it_is_written():
    assert method("seat:k=3,radius=0.2") == "seat:k=3,radius=0.2"
    assert method("word_at+aswa") == "word_at+aswa"
