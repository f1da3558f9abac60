from types import SimpleNamespace

from holdfast.report.order import in_order
from holdfast.study.findings import Example
from tests.report.test_bars import heat


def verdict(model, explainer):
    return SimpleNamespace(data="d", model=model, repair="none", explainer=explainer)


def example(model, *names):
    heats = tuple(heat().__class__(name, *list(vars(heat()).values())[1:]) for name in names)
    return Example("d", model, "none", ("a = 1",), "x", "x", (0.5,), (0,), heats)


def test_families_and_explainers_stand_as_their_verdicts_do():
    order = [verdict("hgb", "shapley"), verdict("mlp", "gradient"), verdict("hgb", "gradient")]
    ordered = in_order(
        [example("new", "x"), example("mlp", "gradient", "other", "shapley"), example("hgb")], order
    )
    assert [one.model for one, _ in ordered] == ["hgb", "mlp", "new"]
    assert [own.explainer for own in ordered[1][1]] == ["shapley", "gradient", "other"]
