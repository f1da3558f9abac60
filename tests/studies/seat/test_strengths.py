from holdfast.studies.seat.strengths import VALIDATION, chosen, rival_of, strength_of, validation_scores
from holdfast.study.measurement import FamilyKey, Measurement


def scores(**repairs):
    return {
        FamilyKey("d", "rnn", f"{name}:strength={strength}"): score
        for name, tried in repairs.items()
        for strength, score in tried.items()
    }


def repairs(found):
    return [family.repair for family in found]


def test_the_best_strength_of_each_rival_is_kept():
    tried = scores(word_at={0.3: 0.7, 1.0: 0.8, 3.0: 0.6}, attention_at={0.3: 0.9, 1.0: 0.1})
    assert repairs(chosen(tried)) == ["word_at:strength=1.0", "attention_at:strength=0.3"]


def test_of_equal_scores_the_weakest_counts_in_any_order():
    tried = scores(word_at={3.0: 0.8, 0.3: 0.8, 1.0: 0.8})
    assert (
        repairs(chosen(tried)) == repairs(chosen(dict(reversed(tried.items())))) == ["word_at:strength=0.3"]
    )


def test_each_model_and_data_set_chooses_for_itself():
    tried = {
        FamilyKey(data, model, f"word_at:strength={s}"): (s if (data, model) == ("d", "rnn") else 4 - s)
        for data in ("d", "e")
        for model in ("rnn", "bilstm")
        for s in (0.3, 3.0)
    }
    kept = {(f.data, f.model): strength_of(f.repair) for f in chosen(tried)}
    assert kept == {("d", "rnn"): 3.0, ("d", "bilstm"): 0.3, ("e", "rnn"): 0.3, ("e", "bilstm"): 0.3}


def test_what_is_no_rival_always_stays():
    tried = {FamilyKey("d", "rnn", name): 0.1 for name in ("none", "seat", "word_at+aswa", "aswa")}
    assert chosen(tried) == list(tried)
    assert rival_of("attention_iat:rows=raw,strength=3.0") == "attention_iat"


def test_a_strength_that_was_not_named_is_that_of_the_repair():
    assert strength_of("word_at:strength=0.3") == 0.3
    assert strength_of("attention_rp") == 1.0


def row(value, member, quantity=VALIDATION, by="member"):
    return Measurement("d", "rnn", "none", quantity, value, by=by, member=member)


def test_the_score_is_the_mean_over_seeds_on_validation_texts():
    some = [row(0.5, "0"), row(0.9, "1"), row(0.1, "0", "macro_f1"), row(0.2, "", by="all")]
    assert validation_scores(some) == {FamilyKey("d", "rnn", "none"): 0.7}
