"""Audits of recommenders: histories are shown item by item, and quality is that of a ranking."""

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

import torch

from holdfast.core.catalogue import make
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.measure.impostors import AnotherInput
from holdfast.measure.ranking import candidate_ranks, hr, mrr, ndcg
from holdfast.measure.reduce import spread
from holdfast.measure.scale import Scale
from holdfast.models.interaction.pair import PairArchitecture
from holdfast.study.examples import Said, examples
from holdfast.study.findings import Example
from holdfast.study.measurement import Measurement
from holdfast.study.modality import Defaults, Modality
from holdfast.study.result import FamilyResult
from holdfast.train.fit import Fit
from holdfast.train.objective import hits
from holdfast.train.optimise import Adam


class Interaction(Modality):
    """Histories of users, and the item that comes next."""

    defaults: ClassVar[Defaults] = Defaults(
        ("sasrec",),
        (
            "signed_attention",
            "rollout",
            "attention_last",
            "gradient",
            "leave_one_out",
            "shapley:samples=256",
            "random",
        ),
        ("jensen_shannon", "kl", "jaccard", "spearman", "kendall", "topk_overlap", "ndcg_lin"),
        Fit(batch=128, optimiser=Adam(lr=1e-3, weight_decay=0.0)),
    )
    of_pairs: ClassVar[Defaults] = defaults._replace(
        explainers=(
            "attention",
            "gradient",
            "integrated_gradients",
            "leave_one_out",
            "shapley:samples=256",
            "random",
        ),
        fit=Fit(batch=16, patience=5, optimiser=Adam(lr=3e-3, weight_decay=0.0)),
    )
    explains: ClassVar[str] = "a user, e.g. --user 42"
    part: ClassVar[str] = "item"
    suspect: ClassVar[str] = "times"
    another: ClassVar[AnotherInput] = AnotherInput(aligned="last")

    def defaults_of(self, models: tuple[str, ...]) -> Defaults:
        """Models of pairs pool a history and train in smaller steps; beside others, they train as those."""
        made = [make("models", model) for model in models]
        if not all(isinstance(one, PairArchitecture) for one in made):
            return super().defaults_of(models)
        attends = all(one.attends for one in made)
        kept = tuple(name for name in self.of_pairs.explainers if attends or name != "attention")
        return self.of_pairs._replace(models=models, explainers=kept)

    def quality(self, family: FamilyResult, row: Callable[..., Measurement]) -> Iterator[Measurement]:
        """How well the next item is found, among the candidates and among all items."""
        yield row("recall", spread(family.right))
        yield row("recall_sd", spread(family.right).sd, n=len(family.members))
        for member, value in zip(family.members, family.right.tolist(), strict=True):
            yield row("recall", value, by="member", member=str(member.seed), at=float(member.seed), n=1)
        answers = [family.job.tensors(member) for member in family.members]
        seen = torch.stack([answer["logits/validation"] for answer in answers])
        first = family.dataset.splits["validation"].targets
        yield row("recall", spread(hits(seen, first)), by="split", bin="validation")
        places = {
            "sampled": candidate_ranks(family.probabilities, family.targets),
            "all items": torch.stack([answer["ranks/test"] for answer in answers]),
        }
        for among, ranks in places.items():
            for name, values in {"hr@10": hr(ranks), "ndcg@10": ndcg(ranks), "mrr": mrr(ranks)}.items():
                yield row(name, spread(values), by="among", bin=among)

    def examples(self, family: FamilyResult, scales: Mapping[str, Scale], first: str) -> list[Example]:
        """Histories, from the highest hold to the lowest."""
        return examples(family, scales, first, said)


def said(family: FamilyResult, place: int) -> Said:
    """The items of a history by name; the one that came next, and the one that is explained."""
    dataset, row = InteractionDataset.narrow(family.dataset), int(family.rows[place])
    batch = dataset.splits["test"].batch(torch.tensor([row]))
    assert batch.candidates is not None
    items = batch.inputs[0][batch.mask[0]].tolist()
    true, explained = batch.candidates[0, [int(family.targets[row]), int(family.target[place])]].tolist()
    tokens = tuple(map(dataset.item_name, items))
    told = {text: one.told(place, tokens, dataset.item_name) for text, one in family.changed.items()}
    changes = tuple(f"{text}: {what}" for text, what in told.items() if what)
    return Said(tokens, dataset.item_name(true), dataset.item_name(explained), changes=changes)
