"""Text: tokens, vocabulary and rationale; word ids, and the second text of a pair."""

from dataclasses import replace

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from holdfast.core.records import Batch
from holdfast.data.base import Dataset, Task
from holdfast.data.text.dataset import TextDataset
from holdfast.testing.modality import Modality
from holdfast.testing.splits import holed
from holdfast.testing.text import check_same_text, check_text


class Text(Modality):
    """Checks of text data sets."""

    def check(self, dataset: Dataset) -> None:
        """Tokens match their ids, and the rationale matches the tokens."""
        check_text(TextDataset.narrow(dataset))

    def check_same(self, one: Dataset, other: Dataset) -> None:
        """Words and rationales too."""
        check_same_text(TextDataset.narrow(one), TextDataset.narrow(other))

    def example(self, task: Task, length: int, seed: int) -> Batch:
        """Word ids; for pairs, a query as well, and for cloze questions, options."""
        draw = torch.Generator().manual_seed(seed)
        words = torch.randint(1, task.vocabulary, (5, length), generator=draw)
        targets = torch.randint(len(task.classes), (5,), generator=draw)
        batch = Batch(words, holed(length), targets, rows=torch.arange(5))
        if not task.pair:
            return batch
        query = torch.randint(1, task.vocabulary, (5, 4), generator=draw)
        present = torch.arange(4) < torch.tensor([4, 3, 2, 1, 4])[:, None]
        batch = replace(batch, query=query, query_mask=present)
        return replace(batch, options=_options(targets, len(task.classes))) if task.cloze else batch


def _options(targets: Int[Tensor, "5"], classes: int) -> Bool[Tensor, "5 C"]:
    """For each example the target and the class after it; for the first, all."""
    own = torch.arange(classes) == targets[:, None]
    options = own | own.roll(1, 1)
    options[0] = True
    return options
