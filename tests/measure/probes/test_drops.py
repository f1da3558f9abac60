import math

import pytest
import torch

from holdfast.core.catalogue import make
from holdfast.core.draws import uniform
from holdfast.core.records import Explanation, Member
from holdfast.explain.leave_one_out import LeaveOneOut
from holdfast.measure.probes import drops as module
from holdfast.measure.probes.comprehensiveness import Comprehensiveness
from holdfast.measure.probes.drops import drops
from tests.measure.probes.cases import PIXELS, Images
from tests.measure.probes.cases import family as lines

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)


def explanation(scores, target, signed=True):
    members = tuple(Member(seed) for seed in range(len(scores)))
    mask = torch.ones(scores.shape[1:], dtype=torch.bool)
    return Explanation(scores, mask, target, members, "given", signed)


@pytest.fixture(scope="module")
def texts(family, planted):
    """A family, twelve texts, the class to watch, and what leave-one-out says of them."""
    split, rows = planted.splits["test"], torch.tensor([0, 3, 1, 7, 8, 9, 4, 15, 16, 11, 12, 13])
    target = split.targets[rows]
    return family, split, rows, target, family.explain(LeaveOneOut(), split, rows, target)


def naive(family, split, row, target, member, order):
    """The mean drop of one text in one order of its words, a pass for each share."""
    run, batch = family.run(member), split.batch(torch.tensor([row]))
    first = float(run(batch).logits.softmax(-1)[0, target])
    falls = []
    for share in SHARES:
        gone = order[: min(math.ceil(len(order) * share - 1e-9), len(order) - 1)]
        mask = batch.mask.clone()
        mask[0, gone] = False
        left = type(batch)(batch.inputs, mask)
        falls.append(first - float(run(left).logits.softmax(-1)[0, target]))
    return sum(falls) / len(falls)


def test_the_drop_of_every_member_and_text_naively(texts):
    family, split, rows, target, said = texts
    found = drops(family, Comprehensiveness(), split, rows, target, {"own": said}, orders=2)
    for m, member in enumerate(family.members):
        for k, row in enumerate(rows.tolist()):
            length, aim = int(split.lengths[row]), int(target[k])
            order = sorted(range(length), key=lambda t, k=k, m=m: -float(said.scores[m, k, t]))
            by_score = naive(family, split, row, aim, m, order)
            assert float(found.by["own"][m, k]) == pytest.approx(by_score, abs=1e-6)
            drawn = uniform((3, length), member, "random order", row)[1:]
            each = [naive(family, split, row, aim, m, one.argsort().tolist()) for one in drawn]
            assert float(found.random[m, k]) == pytest.approx(sum(each) / 2, abs=1e-6)


def test_it_is_heard_how_many_rows_are_done(texts):
    family, split, rows, target, said = texts
    heard = []
    drops(family, Comprehensiveness(), split, rows, target, {"own": said}, orders=2, advance=heard.append)
    assert len(heard) > 1
    assert heard == sorted(heard)
    assert heard[0] > 0.0
    assert heard[-1] == 1.0


def test_the_rest_does_not_depend_on_whether_parts_are_left_out_alone(texts):
    family, split, rows, target, said = texts
    with_it, without = (
        drops(family, Comprehensiveness(), split, rows, target, {"own": said}, orders=2, alone=alone)
        for alone in (True, False)
    )
    assert with_it.alone is not None
    assert without.alone is None
    for before, after in ((with_it.random, without.random), (with_it.by["own"], without.by["own"])):
        assert torch.allclose(before, after, atol=1e-6)


def test_scores_without_a_sign_go_by_size(texts):
    family, split, rows, target, said = texts
    scores = {
        "size": Explanation(-said.scores.abs(), said.mask, target, said.members, "size", False),
        "sign": Explanation(said.scores.abs(), said.mask, target, said.members, "sign", True),
    }
    found = drops(family, Comprehensiveness(), split, rows, target, scores, orders=1).by
    assert torch.equal(found["size"], found["sign"])


@pytest.mark.parametrize("name", ["comprehensiveness", "comprehensiveness:fill=background,patch=1"])
def test_a_row_depends_on_no_other(name, monkeypatch):
    whole, split, rows = lines(), Images(40), torch.arange(40)
    target, probe = split.targets, make("probes", name)
    scores = torch.rand(3, 40, PIXELS, generator=torch.Generator().manual_seed(0))
    found = drops(whole, probe, split, rows, target, {"own": explanation(scores, target)}, orders=3)
    monkeypatch.setattr(module, "POSITIONS", {"cpu": 50})  # a few examples at once
    some, last = torch.tensor([9, 4]), whole.select(whole.members[2:])
    part = drops(
        last, probe, split, rows[some], target[some], {"own": explanation(scores[2:, some], target[some])}, 3
    )
    torch.testing.assert_close(part.by["own"][0], found.by["own"][2, some])
    torch.testing.assert_close(part.random[0], found.random[2, some])


def test_equal_scores_do_no_better_than_chance():
    whole, split, rows = lines(), Images(400), torch.arange(400)
    same = {"same": explanation(torch.ones(3, 400, PIXELS), split.targets)}
    probe = make("probes", "comprehensiveness:fill=background,patch=1")
    found = drops(whole, probe, split, rows, split.targets, same)
    gap = found.by["same"] - found.random
    assert float(gap.mean()) == pytest.approx(0.0, abs=4 * float(gap.std()) / 1200**0.5)
    assert not torch.equal(found.by["same"], found.random)
