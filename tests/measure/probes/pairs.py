"""Recommenders of single pairs, whose parts are items."""

from holdfast.core.records import Member
from holdfast.models.interaction.deepicf import Deepicf
from holdfast.train.family import Family


def pair_family(plays):
    """Two untrained ones, with vectors large enough to differ."""
    return Family.init(Deepicf(dim=4, spread=1.0, head="two"), plays.task, [Member(0), Member(1)])
