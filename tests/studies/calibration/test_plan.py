from dataclasses import replace

import pytest

from holdfast.core.errors import BadSetting
from holdfast.studies.calibration import Calibration
from holdfast.studies.calibration.plan import DOCUMENT, FIT, NEUMF, REPAIRS, SMALLER, TEXTS, TWO
from holdfast.study.overrides import Overrides
from holdfast.testing.study import check_study


def test_the_contract():
    check_study(Calibration())


def test_the_documents_data_are_read_whole():
    plan = Calibration().plan(Overrides())
    assert [source.data for source in plan.data] == [DOCUMENT["ml-1m"]]
    assert plan.repairs_of(TWO) == REPAIRS
    assert plan.repairs_of("deepicf") == ("none", "pretrained")
    assert plan.repairs_of("gmf") == ("none",)
    assert plan.repairs_of(NEUMF) == ("none", "pretrained")


def test_three_classes_are_asked_where_there_are_ratings():
    models = {name: Calibration().plan(Overrides(data=(name,))).models for name in ("ml-1m", "ml-100k")}
    assert {name: "deepicf:head=three" in some for name, some in models.items()} == {
        "ml-1m": False,
        "ml-100k": True,
    }


def test_texts_have_classifiers_with_attention():
    plan = Calibration().plan(Overrides(data=("planted",)))
    assert plan.models == ("cnn", "bilstm")
    Calibration().needs.check(plan)
    assert plan.repairs_of("cnn") == tuple(repair for repair in REPAIRS if repair != "pretrained")


@pytest.mark.parametrize(
    ("data", "fit"), [("ml-1m", FIT), (DOCUMENT["ml-1m"], FIT), ("ml-100k", SMALLER), ("planted", TEXTS)]
)
def test_smaller_data_are_trained_for_more_epochs_and_texts_as_in_audits(data, fit):
    assert Calibration().plan(Overrides(data=(data,))).fit == fit
    assert Calibration().plan(Overrides(data=(data,), epochs=7)).fit == replace(fit, epochs=7)


def test_images_are_refused():
    with pytest.raises(
        BadSetting, match="calibration: expected an interaction data set, but 'digits' is an image"
    ):
        Calibration().needs.check(Calibration().plan(Overrides(data=("digits",), models=("lenet",))))


@pytest.mark.parametrize(
    ("models", "explainers"),
    [
        ((TWO, "fism"), ("attention", "gradient", "random")),
        (("gmf", TWO), ("attention", "gradient", "random")),
        (("fism", TWO), ("gradient", "attention", "random")),
        (("fism", "gmf"), ("gradient", "random")),
        (("gmf",), ("attention", "gradient", "random")),  # which explains nothing
    ],
)
def test_models_without_attention_are_explained_by_something_else(models, explainers):
    assert Calibration().plan(Overrides(models=models)).explainers == explainers
