import torch

from holdfast.core.records import Edit
from holdfast.repair.attention_rp import AttentionRp
from holdfast.testing.repair import check_repair
from tests.reference import adversaries
from tests.repair.attacked import ITEMS, LENGTH, WORDS, attacked, losses
from tests.repair.test_attention_at import moved

DRAWN = torch.rand(5, 2, generator=torch.Generator().manual_seed(3))


def test_the_contract():
    check_repair(AttentionRp())


def test_scores_move_in_a_random_direction_of_the_text():
    own = attacked("average:hidden=4,dim=3", WORDS)
    found, plain = losses(AttentionRp(LENGTH), own, {"repair/direction": DRAWN}), own.run.losses(own.batch)
    for row, pair in enumerate(DRAWN.tolist()):
        exists = own.batch.mask[row].tolist()
        drawn = [x * e for x, e in zip(adversaries.normal(*pair, len(exists)), exists, strict=True)]
        shift = torch.tensor(adversaries.scaled(drawn, LENGTH), dtype=torch.float64)
        expected = own.by_map(row, moved)(shift) if any(exists) else plain[row]
        torch.testing.assert_close(found[row], plain[row] + expected, rtol=1e-6, atol=1e-6)


def test_every_row_of_self_attention_has_its_own():
    """r is what the door leaves: log of the new weights less that of the old, but for a constant."""
    own = attacked("sasrec:dim=4,blocks=2,heads=2", ITEMS)
    seen = {}

    class Watched:
        model, parameters = own.run.model, own.run.parameters

        @staticmethod
        def losses(batch, edit):
            if edit.attention is None:
                return own.run.losses(batch, edit)

            def door(weights, site):
                after = edit.attention(weights, site)
                seen[site.layer] = weights, after, site.allowed
                return after

            return own.run.losses(batch, Edit(attention=door, noise=edit.noise))

    AttentionRp(LENGTH).losses(Watched, own.batch, {"repair/direction": DRAWN}, {})
    rows = []
    for weights, after, allowed in seen.values():
        assert not after[~allowed].any()
        torch.testing.assert_close(after.sum(-1), weights.sum(-1))
        shift = (after[0, :, -1] / weights[0, :, -1]).log()  # the last row of the first history: all exist
        rows += [row - row.mean() for row in shift]
    assert len(rows) == 4
    assert all(0 < float(row.norm()) <= LENGTH for row in rows)
    assert all(not torch.allclose(rows[0], row) for row in rows[1:])
