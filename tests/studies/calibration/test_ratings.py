import math
from types import SimpleNamespace

import pytest
import torch

from holdfast.core.records import Member
from holdfast.data.interaction.dataset import InteractionDataset
from holdfast.data.interaction.histories import Histories
from holdfast.data.names import Names
from holdfast.measure.probes.moved import Moved
from holdfast.studies.calibration.rating_section import rating_section
from holdfast.studies.calibration.ratings import ABOVE, BELOW, frequency_rows, rated_rows, with_ratings

USERS = 60


@pytest.fixture
def family(monkeypatch):
    """Sixty users of four items; every third rated the last with 2 stars, the others with 5."""
    last = torch.tensor([2.0, 5.0, 5.0]).repeat(USERS // 3)
    ratings = torch.stack([torch.full((USERS,), 3.0)] * 3 + [last], 1).flatten()
    histories = Histories(
        torch.tensor([1, 2, 3, 4], dtype=torch.int32).repeat(USERS), torch.arange(USERS + 1) * 4, ratings
    )
    candidates = torch.tensor([[4, *range(5, 25)]]).repeat(USERS, 1)
    dataset = InteractionDataset.of(
        "rated",
        histories,
        Names.of([str(u) for u in range(USERS)]),
        Names.of([str(i) for i in range(30)]),
        {"validation": candidates, "test": candidates},
        length=4,
    )
    scores = torch.rand(3, USERS, 21, generator=torch.Generator().manual_seed(0))
    result = SimpleNamespace(
        dataset=dataset,
        probabilities=scores,
        targets=dataset.splits["test"].targets,
        members=tuple(map(Member, range(3))),
        data="rated",
        model="deepicf:head=three",
        repair="none",
    )

    def row(self, quantity, value, **about):
        from holdfast.study.measurement import Measurement

        ends = {} if isinstance(value, float) else {"low": value.low, "high": value.high, "n": value.n}
        number = value if isinstance(value, float) else value.value
        return Measurement("rated", result.model, "none", quantity, number, **(ends | about))

    measurer = type("Measurer", (), {"__init__": lambda self, family: None, "row": row})
    monkeypatch.setattr("holdfast.studies.calibration.ratings.Measurer", measurer)
    return result


def test_every_rating_is_counted(family):
    counts = {r.bin: r.value for r in frequency_rows(family) if r.quantity == "rating_count"}
    assert counts == {"2": 20.0, "3": 180.0, "5": 40.0}


def test_users_are_apart_by_the_rating_of_their_test_item(family):
    rows = {(r.quantity, r.bin): r.value for r in rated_rows(family)}
    hits, gains = {BELOW: [], ABOVE: []}, {BELOW: [], ABOVE: []}
    for member in family.probabilities.tolist():
        for user, scores in enumerate(member):
            rank = sum(score >= scores[0] for score in scores)
            group = BELOW if user % 3 == 0 else ABOVE
            hits[group].append(rank <= 10)
            gains[group].append(1 / math.log2(rank + 1) if rank <= 10 else 0.0)
    for group in (BELOW, ABOVE):
        assert rows["hr@10", group] == pytest.approx(sum(hits[group]) / len(hits[group]))
        assert rows["ndcg@10", group] == pytest.approx(sum(gains[group]) / len(gains[group]))
    assert rows["hr@10_liked", ""] == pytest.approx(rows["hr@10", ABOVE] - rows["hr@10", BELOW])


def test_the_page_says_how_many_and_how_far_apart(family):
    section = rating_section([*frequency_rows(family), *rated_rows(family)])
    assert section.figures[0].data["value"] == (20.0, 180.0, 40.0)
    assert len(section.tables[0].rows) == 1
    assert section.notes[0].startswith("rated: 20 of 60 users rated their test item below 3. HR@10 of")


def test_of_three_classes_an_item_rated_low_is_disliked(family):
    truth = torch.tensor([2, 2, 1, 1])
    found = Moved(torch.zeros(3, 4), torch.ones(3, 4), torch.zeros(3, 4).long(), truth, 3)
    rows = torch.tensor([0, 1, 0, 1])
    assert with_ratings(found, family, rows).truth.tolist() == [0, 2, 1, 1]
    two = found._replace(classes=2, truth=truth - 1)
    assert with_ratings(two, family, rows) is two
