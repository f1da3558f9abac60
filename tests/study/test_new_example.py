"""A new example meets the same impostors as an audit's rows do."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.errors import BadRun, Failed
from holdfast.core.records import Explanation, Member
from holdfast.measure.hold import hold
from holdfast.measure.impostors import AnotherInput, Shuffled, UntrainedOrder
from holdfast.measure.scale import scale_of
from holdfast.study.explain import UNTRAINED_DRAWS, LoadedFamily, explain_text, load_family
from holdfast.study.explain_image import explain_image
from holdfast.study.explain_user import explain_user, history_batch
from holdfast.study.new_example import measure_new, new_heat
from holdfast.train.family import Family
from tests.study import items
from tests.study.majority import majority
from tests.study.strips import images
from tests.study.tiny import finished

TEN = tuple(Member(seed) for seed in range(10))


def made(lengths: list[int], seed: int = 0, members: tuple[Member, ...] = TEN) -> Explanation:
    """Random explanations of inputs of these lengths."""
    draw = torch.Generator().manual_seed(seed)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    scores = torch.rand((len(members), *mask.shape), generator=draw) * mask
    return Explanation(scores, mask, torch.zeros(len(lengths), dtype=torch.long), members, "mine", False)


def refuse() -> Explanation:
    raise BadRun("there is none")


def test_habits_of_a_network_that_never_learned_do_not_hold() -> None:
    """Rollout of an untrained recommender always names the latest items: the same in every seed, of every
    user, and so nothing about this one. A shuffled copy does not see that."""
    loaded = load_family(items.finished(), None, None)
    untrained = Family.init(loaded.family.architecture, loaded.family.task, TEN)
    loaded = replace(loaded, family=untrained)
    others = [explained(loaded, user) for user in range(20, 60)]
    whole = Explanation(
        torch.cat([one.scores for one in others], 1),
        torch.cat([one.mask for one in others]),
        torch.cat([one.target for one in others]),
        TEN,
        "rollout",
        False,
    )
    one = explained(loaded, 5)
    assert hold(scale_of(one, [Shuffled()])).value > 0.7  # type: ignore[union-attr]
    again = replace(loaded, family=Family.init(untrained.architecture, untrained.task, UNTRAINED_DRAWS))
    held = measure_new(one, AnotherInput(aligned="last"), lambda: whole, lambda: explained(again, 5))
    assert held.missing == ()
    assert held.hold is not None
    assert held.hold.value < 0.4
    assert held.hold.nearest != "shuffled"
    assert held.word == "does not hold"


def explained(loaded: LoadedFamily, user: int) -> Explanation:
    batch = history_batch(items.dataset().histories.of(user), 12)
    request = replace(batch, candidates=torch.tensor([[1, 2, 3]]))
    return loaded.explain("rollout", request, torch.tensor([1]))


def test_the_hold_is_that_of_an_audit_whose_rows_it_would_be_one_of() -> None:
    one, others = made([7]), made([7, 7, 6, 12, 7, 7], seed=1)
    untrained = made([7], seed=2, members=TEN[:8])
    held = measure_new(one, AnotherInput(), lambda: others, lambda: untrained, row=3)
    wide = torch.zeros(10, 1, 12)
    wide[..., :7] = one.scores
    joined = replace(
        others,
        scores=torch.cat([wide, others.scores], 1),
        mask=torch.cat([torch.arange(12)[None] < 7, others.mask]),
        target=torch.zeros(7, dtype=torch.long),
    )
    laid = AnotherInput().distances(joined).pairs.values[:, 0]
    assert torch.allclose(held.scale.impostors["another input"].pairs.values[:, 0], laid)
    alone = scale_of(one, [Shuffled(), UntrainedOrder(untrained.scores)], torch.tensor([3]))
    for name, distances in alone.impostors.items():
        assert torch.equal(held.scale.impostors[name].pairs.values, distances.pairs.values)
    assert held.hold is not None
    assert held.hold.value == min(one.value for one in held.hold.against)


def test_impostors_that_cannot_be_made_are_named() -> None:
    held = measure_new(made([7]), AnotherInput(), refuse, refuse)
    assert held.missing == (("another input", "there is none"), ("untrained order", "there is none"))
    far = measure_new(made([7]), AnotherInput(), lambda: made([30, 2]), lambda: made([7]))
    assert far.missing == (("another input", "the run has no other input of about this length"),)
    assert set(far.scale.impostors) == {"shuffled", "untrained order"}


def test_one_impostor_is_too_weak_an_opponent_to_hold() -> None:
    clear = torch.zeros(10, 1, 9)
    clear[..., 4] = 1.0
    one = replace(made([9]), scores=clear + 0.001 * made([9]).scores)
    other = replace(made([9, 9]), scores=made([9, 9]).scores.flip(-1))
    alone = measure_new(one, AnotherInput(), refuse, refuse)
    assert alone.hold is not None
    assert alone.hold.value > 0.9
    assert alone.word == "undecided"
    assert measure_new(one, AnotherInput(), lambda: other, refuse).word == "holds"


def test_a_text_of_one_word_has_no_hold() -> None:
    one = measure_new(made([1]), AnotherInput(), lambda: made([1, 1]), lambda: made([1]))
    assert (one.hold, one.word, one.missing) == (None, "undecided", ())
    heat = new_heat(made([1]), one)
    assert (heat.hold, heat.low, heat.high, heat.verdict) == (None, None, None, "undecided")


def test_every_modality_has_all_three() -> None:
    text = explain_text(finished(), "a wonderful film , but not a good one at all").heats[0]
    image = explain_image(majority(), row=7).heats[0].heat
    user = explain_user(items.finished(), items.dataset().user_name(5), count=1).recommendations[0]
    for one in (text, image, user):
        assert one.standing is not None
        assert one.standing.missing == ()
        assert one.standing.nearest in ("shuffled", "another input", "untrained order")
        assert one.standing.in_run.startswith("In this run ")


def test_what_the_run_did_not_explain_is_said() -> None:
    (heat,) = explain_text(finished(), "a wonderful film , not dull", explainers=("lrp",)).heats
    assert heat.standing is not None
    assert heat.standing.missing == (("another input", "the run itself has no explanations by lrp"),)
    assert heat.standing.in_run == (
        "This run's audit did not ask about LRP: how it does elsewhere is not known."
    )


def test_a_test_image_is_not_its_own_impostor() -> None:
    loaded = load_family(images(), None, None)
    rows = loaded._stored.rows
    name = next(iter(loaded._stored.explanations))
    assert len(loaded._others(name, None).mask) == len(rows)
    assert len(loaded._others(name, int(rows[0])).mask) == len(rows) - 1


def test_an_untrained_network_that_cannot_be_explained_is_left_out() -> None:
    def fail() -> Explanation:
        raise Failed("its scores are not finite")

    held = measure_new(made([7]), AnotherInput(), lambda: made([7, 7]), fail)
    assert held.missing == (("untrained order", "its scores are not finite"),)
    assert held.standing.missing == held.missing


@pytest.mark.parametrize("seed", range(8))
def test_untrained_networks_are_never_trained_ones(seed: int) -> None:
    assert UNTRAINED_DRAWS[seed] == Member(1_000_000 + seed)
