"""What every text data set must keep, beside what every data set must."""

import torch

from holdfast.data.text.build import shared_texts
from holdfast.data.text.dataset import TextDataset, TextSplit
from holdfast.testing.splits import some


def check_text(dataset: TextDataset) -> None:
    """Tokens match their ids, the rationale matches the tokens, and test texts are not training texts."""
    assert len(dataset.vocabulary) == dataset.task.vocabulary, "vocabulary and task differ in size"
    for name, split in dataset.splits.items():
        for row in some(split).tolist():
            tokens, batch = dataset.tokens(name, row), split.batch(torch.tensor([row]))
            assert dataset.vocabulary.encode(tokens) == batch.inputs[0].tolist(), "tokens and ids differ"
            assert "<unk>" not in tokens, "the text of an unknown word is lost"
        check_truth(split)
        check_options(split, dataset.task.cloze)
    shared = shared_texts(dataset.splits["train"], dataset.splits["test"])
    assert shared <= len(dataset.splits["test"]) / 2, "most test texts are training texts"


def check_options(split: TextSplit, cloze: bool) -> None:
    """Cloze questions have two options or more, the answer among them; other texts have none."""
    assert (split.options is not None) == cloze, "cloze questions have options, others none"
    if split.options is not None:
        assert int(split.options.sum(1).min()) > 1, "some question has nothing to choose from"
        assert bool(split.options.gather(1, split.targets[:, None]).all()), "some answer is no option"


def check_truth(split: TextSplit) -> None:
    """The rationale is 0 or 1, 0 on padding, and marks something in every text; or there is none."""
    rows = some(split)
    batch = split.batch(rows)
    truth = split.truth(rows, batch.mask.shape[1])
    if truth is None:
        return
    assert truth.shape == batch.mask.shape, "truth and mask differ in shape"
    assert bool(((truth == 0) | (truth == 1)).all()), "truth is not 0 or 1"
    assert not truth[~batch.mask].any(), "padding is marked as true"
    assert bool(truth.any(1).all()), "some text has no rationale"


def check_same_text(one: TextDataset, other: TextDataset) -> None:
    """Words, notes and rationales are equal."""
    assert one.vocabulary == other.vocabulary, "vocabularies differ"
    assert one.notes == other.notes, "notes differ"
    for name, split in one.splits.items():
        twin = other.splits[name]
        assert split.truncated == twin.truncated, "counts of truncated texts differ"
        assert split.texts.unknown == twin.texts.unknown, "unknown words differ"
        assert (split.rationale is None) == (twin.rationale is None), "only one has a rationale"
        if split.rationale is not None and twin.rationale is not None:
            assert torch.equal(split.rationale, twin.rationale), "rationales differ"
