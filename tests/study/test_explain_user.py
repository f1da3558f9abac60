"""Recommendations and their reasons, counted again by hand."""

import pytest
import torch

from holdfast.core.errors import BadSetting, UnknownName
from holdfast.core.records import Batch
from holdfast.data.interaction.histories import Histories
from holdfast.measure.neighbours import nearest
from holdfast.study import recommendation
from holdfast.study.explain import load_family
from holdfast.study.explain_user import explain_user, favoured, history_batch
from holdfast.study.new_example import NewHold
from tests.study.items import MODEL, dataset, finished, without_history
from tests.study.tiny import finished as texts

USER = 5


def test_a_history_ends_in_the_last_position():
    batch = history_batch(torch.tensor([3, 1, 4, 1, 5], dtype=torch.int32), 3)
    assert batch.inputs.tolist() == [[4, 1, 5]]
    short = history_batch(torch.tensor([3, 1]), 4)
    assert short.inputs.tolist() == [[0, 0, 3, 1]]
    assert short.mask.tolist() == [[False, False, True, True]]


def test_a_recommendation_that_no_seed_makes_is_not_shown():
    second = [[9.0, 0.0, 8.0, 0.0], [0.0, 9.5, 8.0, 0.0]]  # both would take the third item next
    items, wanted = favoured(torch.tensor(second), 1)
    assert (items.tolist(), wanted.tolist()) == ([1], [1])
    items, wanted = favoured(torch.tensor(second), 2)
    assert (items.tolist(), wanted.tolist()) == ([2, 1], [2, 1])


@pytest.mark.parametrize("word", ["holds", "shaky", "undecided", "does not hold"])
def test_reasons_that_do_not_hold_are_none(monkeypatch, word):
    monkeypatch.setattr(NewHold, "word", word)
    (one,) = explain_user(finished(), dataset().user_name(USER), count=1).recommendations
    assert one.verdict == word
    assert bool(one.reasons or one.against) == one.has_reasons == (word != "does not hold")


def test_an_item_that_was_met_twice_is_one_reason(monkeypatch):
    monkeypatch.setattr(recommendation, "NONE", ())
    own = torch.tensor([3, 5, 3, 7, 5, 3], dtype=torch.int32)
    monkeypatch.setattr(Histories, "of", lambda self, user: own)
    found = explain_user(finished(), dataset().user_name(USER), count=4)
    assert len(found.history) == 6
    for one in found.recommendations:
        named = [reason.item for reason in (*one.reasons, *one.against)]
        assert named
        assert len(set(named)) == len(named)


def test_the_items_that_all_seeds_together_favour():
    data, run = dataset(), finished()
    name = data.user_name(USER)
    found = explain_user(run, name, count=4)
    assert (found.user, found.model, found.explainer) == (name, MODEL, "leave_one_out")
    assert found.seeds == (0, 1, 2)
    whole = data.histories.of(USER)
    assert found.history == tuple(data.item_name(int(item)) for item in whole[-12:])
    assert found.cut == max(len(whole) - 12, 0)
    family = load_family(run, None, None).family
    batch = history_batch(whole, 12)
    logits = torch.stack([family.run(m)(Batch(batch.inputs, batch.mask)).logits[0] for m in range(3)])
    new = [item for item in range(1, data.task.vocabulary) if item not in set(whole.tolist())]
    chances = logits[:, new].double().softmax(1).log().mean(0)
    own = [{new[place] for place in row.argsort(descending=True)[:4].tolist()} for row in logits[:, new]]
    ranked = [new[place] for place in chances.argsort(descending=True).tolist()]
    best = [item for item in ranked if any(item in top for top in own)][:4]
    assert [one.item for one in found.recommendations] == [data.item_name(item) for item in best]
    assert [one.wanted for one in found.recommendations] == [sum(item in top for top in own) for item in best]
    for one in found.recommendations:
        assert one.verdict in ("shaky", "does not hold", "undecided")
        assert {reason.item for reason in one.reasons} <= set(found.history)
        assert all(0 <= reason.agree <= 3 and reason.share > 0 for reason in (*one.reasons, *one.against))


def test_an_unsigned_explainer_has_nothing_against(monkeypatch):
    monkeypatch.setattr(recommendation, "NONE", ())
    found = explain_user(finished(), dataset().user_name(USER), count=1, explainer="rollout")
    assert found.recommendations[0].reasons
    assert not found.recommendations[0].against
    assert not found.signed


def test_what_cannot_be_asked():
    with pytest.raises(BadSetting, match="there is no user 'nobody' among the 80 of"):
        explain_user(finished(), "nobody")
    with pytest.raises(BadSetting, match=r"^expected --count to be 1 or more, but got 0$"):
        explain_user(finished(), dataset().user_name(USER), count=0)
    with pytest.raises(BadSetting, match=r"is a run on texts: expected the text to explain, in quotes$"):
        explain_user(texts(), "42")
    with pytest.raises(UnknownName, match="unknown explainer"):
        explain_user(finished(), dataset().user_name(USER), explainer="because")


def test_a_model_that_reads_no_history_is_explained_by_neighbours():
    found = explain_user(without_history(), dataset().user_name(USER), count=2)
    assert (found.model, found.explainer, found.signed, found.cut) == ("gmf:dim=4", "", False, 0)
    assert len(found.history) == len(dataset().histories.of(USER))
    family = load_family(without_history(), None, None).family
    vectors = family.parameters["embedding_user.weight"]
    near = [nearest(one, USER, 10).tolist() for one in vectors]
    shared = [len(set(near[a]) & set(near[b])) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert found.neighbours.overlap == pytest.approx(sum(shared) / 30)
    for one in found.recommendations:
        assert (one.reasons, one.against, one.hold, one.verdict) == ((), (), None, "")
        assert not one.has_reasons
        item = next(i for i in range(1, dataset().task.vocabulary) if dataset().item_name(i) == one.item)
        took = [sum(item in dataset().histories.of(v)[:-2].tolist() for v in row) for row in near]
        assert one.taken.took == pytest.approx(sum(took) / 3)
    told = found.to_json()
    assert told["neighbours"]["k"] == told["recommendations"][0]["taken"]["k"] == 10
    with pytest.raises(BadSetting, match=r"^gmf:dim=4 reads no history to explain: leave --explainer out$"):
        explain_user(without_history(), dataset().user_name(USER), explainer="leave_one_out")


def test_a_model_of_histories_has_no_vectors_of_users():
    found = explain_user(finished(), dataset().user_name(USER), count=1)
    assert found.neighbours is None
    assert found.recommendations[0].taken is None
