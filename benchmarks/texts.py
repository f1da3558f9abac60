"""Made-up texts with the sizes of SST: 6,920 sentences of about 19 words, 14,000 different ones."""

import torch
from torch import Tensor

from holdfast.data.text.build import build
from holdfast.data.text.corpus import Corpus, Part
from holdfast.data.text.dataset import TextDataset

VOCABULARY, ROWS, DIM = 14_000, 6_920, 300


def texts(rows: int = ROWS, longest: int = 48, mean: int = 19, seed: int = 0) -> tuple[list[Tensor], Tensor]:
    """Random words; the label is decided by which of two small groups of words is more frequent."""
    draw = torch.Generator().manual_seed(seed)
    spread = torch.randn(rows, generator=draw) * mean / 2 + mean
    lengths = spread.round().long().clamp(3, longest)
    words = [torch.randint(2, VOCABULARY, (int(n),), generator=draw) for n in lengths]
    labels = torch.tensor([float((w % 9 == 3).sum() > (w % 9 == 4).sum()) for w in words])
    return words, labels


def dataset(words: list[Tensor], labels: Tensor) -> TextDataset:
    """The same texts as a data set; validation and test are a few of them."""
    spelled = [" ".join(f"w{i}" for i in text.tolist()) for text in words]
    whole = Part(spelled, labels.long().tolist())
    some = Part(whole.texts[:300], whole.targets[:300])
    return build(Corpus("texts", ("no", "yes"), {"train": whole, "validation": some, "test": some}))
