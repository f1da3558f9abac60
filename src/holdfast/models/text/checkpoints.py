"""Classifiers of transformers that somebody fine-tuned, each a member: nothing is trained."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import torch
from torch import Tensor

from holdfast.core.errors import BadData, BadSetting
from holdfast.core.records import Member
from holdfast.data.base import Task
from holdfast.data.reading import listed
from holdfast.models.adapters.classifier import check_alike, classifier
from holdfast.models.adapters.head import places, redraw
from holdfast.models.base import Architecture
from holdfast.models.text.hf import HuggingFace, HuggingFaceText


@dataclass(frozen=True)
class Checkpoints(Architecture):
    """Classifiers that transformers fine-tuned before (bert, distilbert, electra, roberta): member N is the
    one in the N-th of the ``folders``, and nothing is trained (Devlin et al. 2019).

    All have one encoder's shape, tokenizer and labels. Untrained networks have every weight drawn anew, as
    transformers draws it; beside a single checkpoint its own encoder, with the head drawn anew. A plan adds
    their ``sha256``.

    >>> Checkpoints(("runs/one", "runs/two")).files
    ('one', 'two')
    """

    spells: ClassVar[bool] = True
    attends: ClassVar[bool] = False

    folders: tuple[str, ...] = ()
    sha256: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.sha256 and len(self.sha256) != len(self.folders):
            self._refuse("sha256", f"one for each of {len(self.folders)} folders")

    @property
    def each(self) -> tuple[HuggingFace, ...]:
        """The model of each folder, all of which is a member's own."""
        if not all(self.folders) or not self.folders:
            raise BadSetting(
                "checkpoints: expected the folders of checkpoints: write --checkpoints RUN1,RUN2,RUN3"
            )
        digests = self.sha256 or ("",) * len(self.folders)
        return tuple(
            HuggingFace(path, "all", sha256=own) for path, own in zip(self.folders, digests, strict=True)
        )

    @property
    def explainers(self) -> tuple[str, ...]:
        """As of those that are fine-tuned here."""
        return HuggingFace().explainers

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the folders; where some share theirs, with their digests."""
        names = tuple(Path(folder).name for folder in self.folders)
        if len({*names}) == len(names) or not self.sha256:
            return names
        return tuple(f"{name} {own[:8]}" for name, own in zip(names, self.sha256, strict=True))

    @property
    def labelled(self) -> bool:
        """By ``id2label``."""
        return True

    @property
    def fresh(self) -> str:
        """Of a single checkpoint the encoder stays."""
        return "the same encoder with its head drawn anew" if len(self.folders) == 1 else super().fresh

    def pinned(self) -> Self:
        """With the SHA-256 of each, after a look at all of them."""
        each, known = self.each, dict[str, str]()
        pinned = tuple(one.pinned() for one in each)
        for one, sha256 in zip(each, (one.sha256 for one in pinned), strict=True):
            if sha256 in known:
                raise BadData(
                    f"checkpoint {one.path} has the very files of {known[sha256]}: expected each once"
                )
            known[sha256] = one.path
            check_alike(each[0].folder, one.folder)
            classifier(one.folder, sha256)
        folders, digests = zip(*((one.path, one.sha256) for one in pinned), strict=True)
        return replace(self, folders=folders, sha256=digests)

    def check(self, task: Task) -> None:
        """Single texts, and classes that are the labels."""
        self.each[0].check(task)
        self._places(task)

    def build(self, task: Task) -> HuggingFaceText:
        """Freshly drawn: all of it, since a fine-tuned encoder knows what was learned; of a single checkpoint
        its head alone, to see what the encoder says without it."""
        self.check(task)
        model = self.each[0].build(task)
        if len(self.folders) > 1:
            redraw(model.encoder.named_parameters(), model.head.scale)
        return model

    def weights(self, task: Task, member: Member) -> dict[str, Tensor]:
        """All of a checkpoint, its labels in the order of the classes."""
        one = self.each[member.seed]
        with torch.random.fork_rng(devices=[]):
            tensors = one.build(task).tensors()
        own, order = classifier(one.folder, one.sha256).head, list(self._places(task))
        ordered = {name: part[order] if name.startswith("out.") else part for name, part in own.items()}
        return tensors | {f"head.{name}": part for name, part in ordered.items()}

    def _places(self, task: Task) -> tuple[int, ...]:
        """For each class its label's number."""
        first = self.each[0]
        labels = classifier(first.folder, first.sha256).labels
        found = places(labels, task.classes)
        if found is None:
            raise BadData(
                f"checkpoint {first.path} knows the labels {listed(labels.values())}, but the data have "
                f"{listed(task.classes)}: rename them in the data, or in id2label of its config.json"
            )
        return found
