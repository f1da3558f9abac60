"""What a study cannot measure is refused before anything is trained."""

import pytest

from holdfast.core.catalogue import catalogue
from holdfast.core.errors import BadSetting
from holdfast.data.source import Source
from holdfast.study.needs import Needs, check_explains
from holdfast.study.overrides import Overrides
from holdfast.study.plan import Plan

DATA = {"text": "planted", "image": "digits", "interaction": "planted-plays"}

STUDIES = {name: cls() for name, cls in catalogue("studies").items()}


def plan(study: str, data: str, *models: str) -> Plan:
    return STUDIES[study].plan(
        Overrides(data=(data,), models=models, folds=0 if study == "relevance" else None)
    )


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_s_own_plan_is_what_it_needs(study: str) -> None:
    for overrides in (Overrides(), Overrides(quick=True)):
        STUDIES[study].needs.check(STUDIES[study].plan(overrides))


@pytest.mark.parametrize(
    ("study", "data", "model", "sentence"),
    [
        (
            "seed-stability",
            "planted-plays",
            "sasrec",
            "seed-stability: expected a text data set, but 'planted-plays' is an interaction "
            "data set: choose another --data (see holdfast list data)",
        ),
        (
            "relevance",
            "planted",
            "rlstm",
            "relevance: expected an image data set, but 'planted' is a text "
            "data set: choose another --data (see holdfast list data)",
        ),
        (
            "rollout",
            "planted",
            "transformer",
            "rollout: expected an interaction data set, but 'planted' is a text "
            "data set: choose another --data (see holdfast list data)",
        ),
        (
            "rollout",
            "planted-plays",
            "gru4rec",
            "rollout: expected models with attention, but 'gru4rec' has none: choose another --model "
            "(bert4rec, sasrec)",
        ),
        (
            "rollout",
            "planted-plays",
            "deepicf",
            "rollout: expected models that read a history in order, but 'deepicf' does not: choose another "
            "--model (bert4rec, sasrec)",
        ),
    ],
)
def test_the_sentence(study: str, data: str, model: str, sentence: str) -> None:
    with pytest.raises(BadSetting) as caught:
        STUDIES[study].needs.check(plan(study, data, model))
    assert str(caught.value) == sentence


def test_not_only_the_first_model_and_data_are_looked_at() -> None:
    needs, both = Needs("text", attends=True), (Source("planted"), Source("planted:train=40"))
    with pytest.raises(
        BadSetting, match=r"'rlstm' has none: .* \(average, bert, bilstm, cnn, rnn, transformer\)$"
    ):
        needs.check(Plan(both, ("cnn", "rlstm")))
    with pytest.raises(BadSetting, match="'rlstm' has none"):
        needs.check(Plan(both, ("cnn", "rlstm"), per_data=(("cnn",), ("rlstm",))))
    with pytest.raises(BadSetting, match="'digits' is an image data set"):
        needs.check(Plan((*both, Source("digits")), ("cnn",)))
    with pytest.raises(BadSetting, match="sasrec: expected interaction data, but got text data"):
        needs.check(Plan(both, ("cnn", "sasrec")))


@pytest.mark.parametrize("study", STUDIES)
def test_models_that_pass_read_the_data_and_attend_where_that_is_looked_at(study: str) -> None:
    needs = STUDIES[study].needs
    for kind, data in DATA.items():
        for name, cls in catalogue("models").items():
            fits = (
                kind in (needs.reads, needs.also) and kind in cls.reads and (cls.attends or not needs.attends)
            )  # type: ignore[attr-defined]
            fits = fits and (cls.ordered or not needs.ordered)  # type: ignore[attr-defined]
            try:
                needs.check(plan(study, data, name))
            except BadSetting:
                assert not fits, (data, name)
            else:
                assert fits, (data, name)


def test_models_with_nothing_to_explain_are_refused() -> None:
    check_explains(("sasrec", "deepicf", "fism"))
    with pytest.raises(
        BadSetting,
        match=r"^gmf:dim=4 reads no history, so there is nothing to explain: choose another --model "
        r"\(bert4rec, deepicf, fism, gru4rec, sasrec\), or see how it ranks, how sure it is and whose "
        r"neighbours are near with holdfast reproduce calibration --model gmf:dim=4, then holdfast explain "
        r"RUN --user$",
    ):
        check_explains(("sasrec", "gmf:dim=4"))
