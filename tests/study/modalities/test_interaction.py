"""What an audit of recommenders does by default."""

from holdfast.data.source import Source
from holdfast.study.plan import defaults_for

PLAYS = Source("planted-plays")


def test_models_of_pairs_have_explainers_and_steps_of_their_own() -> None:
    pairs = defaults_for(PLAYS, ("deepicf:head=two",))
    assert pairs.explainers[:2] == ("attention", "gradient")
    assert "rollout" not in pairs.explainers
    assert pairs.models == ("deepicf:head=two",)
    assert pairs.fit.batch == 16
    without = defaults_for(PLAYS, ("fism", "deepicf"))
    assert without.explainers == pairs.explainers[1:]


def test_beside_others_they_are_audited_as_those() -> None:
    both = defaults_for(PLAYS, ("sasrec", "deepicf"))
    assert both == defaults_for(PLAYS)._replace(models=("sasrec", "deepicf"))
    mixed = defaults_for(PLAYS, ("sasrec", "fism"))
    assert mixed.explainers == ("gradient", "leave_one_out", "shapley:samples=256", "random")
