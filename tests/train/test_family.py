"""A family is trained, explained, saved, loaded and picked from as one thing."""

import json

import pytest
import torch

from holdfast.core.errors import BadRun, BadSetting
from holdfast.core.records import Member
from holdfast.explain.attention import Attention
from holdfast.models.text.bert import Bert
from holdfast.models.text.cnn import Cnn
from holdfast.repair.aswa import Aswa
from holdfast.train.family import Family, LeftOut, fit_all, initial, one_thread, template
from holdfast.train.fit import Fit
from holdfast.train.optimise import Adam
from holdfast.train.repair import Nothing
from tests.models.text.checkpoints import write_checkpoint

CNN = Cnn(filters=4, dim=16)


def same(a, b):
    return a.parameters.keys() == b.parameters.keys() and all(
        torch.equal(tensor, b.parameters[name]) for name, tensor in a.parameters.items()
    )


def test_a_member_alone_is_the_member_among_several_bit_for_bit(planted, family):
    alone = Family.fit(CNN, planted, [Member(1)], Fit(epochs=2))
    assert same(alone, family.select([Member(1)]))


def test_more_threads_give_the_same_bits_and_are_given_back(planted, family):
    torch.set_num_threads(2)
    try:
        again = Family.fit(CNN, planted, [Member(2)], Fit(epochs=2))
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)
    assert same(again, family.select([Member(2)]))


def test_one_thread_is_given_back_after_an_error():
    torch.set_num_threads(2)
    try:
        with pytest.raises(ZeroDivisionError), one_thread():
            1 / (torch.get_num_threads() - 1)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)


def test_first_weights_are_each_members_own_and_leave_no_trace(planted):
    before = torch.get_rng_state()
    first, again, other = (initial(CNN, planted.task, Member(seed)) for seed in (3, 3, 4))
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["encoder.taps"], other["encoder.taps"])
    together = Family.init(CNN, planted.task, [Member(4), Member(3)])
    assert torch.equal(together.parameters["encoder.taps"][1], first["encoder.taps"])


def test_the_template_has_no_numbers(planted):
    assert {tensor.device.type for tensor in template(CNN, planted.task).parameters()} == {"meta"}


def test_the_temperature_is_1_and_no_training_changes_it(planted):
    fit = Fit(epochs=2, optimiser=Adam(weight_decay=0.1))
    trained = Family.fit(CNN, planted, [Member(0)], fit, Aswa())
    assert list(trained.parameters)[-1] == "temperature"
    assert trained.parameters["temperature"].tolist() == [1.0]


def test_weights_without_a_temperature_have_1(planted, family):
    split = planted.splits["test"]
    before = {name: tensor for name, tensor in family.parameters.items() if name != "temperature"}
    older = Family(CNN, planted.task, family.members, before)
    assert torch.equal(older.logits(split), family.logits(split))


def test_each_member_has_its_own_temperature(planted, family):
    split, warm = planted.splits["test"], torch.tensor([1.0, 2.0, 4.0])
    other = Family(CNN, planted.task, family.members, family.parameters | {"temperature": warm})
    assert torch.equal(other.logits(split), family.logits(split) / warm[:, None, None])


def test_saved_and_loaded_is_the_same_family(tmp_path, family, planted):
    lost = Family(CNN, planted.task, family.members, family.parameters, (LeftOut(Member(9, 2), "diverged"),))
    lost.save(tmp_path)
    back = Family.load(tmp_path, CNN, planted.task)
    assert same(back, family)
    assert (back.members, back.left_out) == (lost.members, lost.left_out)


def test_loading_another_model_is_refused(tmp_path, family, planted):
    family.save(tmp_path)
    with pytest.raises(
        BadRun, match=r"holds another model: expected cnn:dim=16,filters=8, but got cnn:dim=16,filt"
    ):
        Family.load(tmp_path, Cnn(filters=8, dim=16), planted.task)


def test_a_flipped_bit_is_seen(tmp_path, family, planted):
    family.save(tmp_path)
    path = tmp_path / "family.safetensors"
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(BadRun, match=r"family\.safetensors is damaged"):
        Family.load(tmp_path, CNN, planted.task)


@pytest.mark.parametrize(
    "content", ["[]", "{}", '{"model": "cnn", "sha256": "", "members": [1], "left_out": []}']
)
def test_a_note_that_is_none_of_ours_is_refused(tmp_path, planted, content):
    (tmp_path / "family.json").write_text(content)
    with pytest.raises(BadRun, match=r"family\.json is damaged: its content is not what its checksum says"):
        Family.load(tmp_path, CNN, planted.task)


def test_nothing_there_is_one_sentence(tmp_path, planted):
    with pytest.raises(BadRun, match=r"family\.json does not exist: expected a file$"):
        Family.load(tmp_path / "nowhere", CNN, planted.task)


def test_select_picks_in_the_order_asked(family):
    two = family.select([Member(2), Member(0)])
    assert (len(two), two.members) == (2, (Member(2), Member(0)))
    for name, tensor in two.parameters.items():
        assert torch.equal(tensor, family.parameters[name][[2, 0]])


def test_select_names_who_is_missing(family):
    with pytest.raises(BadSetting, match=r"^no such member: seed 7, seed 1, fold 3$"):
        family.select([Member(0), Member(7), Member(1, 3)])


def test_a_run_is_one_member(family, planted):
    batch = planted.splits["test"].batch(torch.arange(4))
    whole = family.logits(planted.splits["test"], torch.arange(4))
    for m in range(len(family)):
        torch.testing.assert_close(family.run(m)(batch).logits, whole[m], rtol=0, atol=1e-5)


def test_an_explanation_says_what_it_is(family, planted):
    rows = torch.tensor([3, 1])
    found = family.explain(Attention(), planted.splits["test"], rows, torch.tensor([0, 1]))
    assert (found.members, found.method, found.signed) == (family.members, "attention", False)
    assert found.mask.sum(1).tolist() == planted.splits["test"].lengths[rows].tolist()
    torch.testing.assert_close(found.scores.sum(-1), torch.ones(3, 2))
    assert not found.scores[:, ~found.mask].any()
    assert json.dumps(found.target.tolist()) == "[0, 1]"


def test_a_model_that_cannot_be_stacked_trains_one_member_at_a_time(planted, tmp_path, monkeypatch):
    monkeypatch.setattr("holdfast.train.family.members_at_once", lambda *_: 10)
    members, bert = (Member(0), Member(1)), Bert(str(write_checkpoint(tmp_path)))
    for architecture, sizes in ((CNN, [2]), (bert, [1, 1])):
        # "cpu:0" is any device but the plan that trains on the CPU
        arguments = members, Fit(epochs=1), Nothing(), "cpu:0", lambda progress: None
        chunks = [chunk for chunk in fit_all(architecture, planted, *arguments) if chunk]
        assert [len(chunk) for chunk in chunks] == sizes
