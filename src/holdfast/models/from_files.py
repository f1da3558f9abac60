"""Members that are brought along in files instead of trained."""

from torch import Tensor

from holdfast.core.records import Member
from holdfast.data.base import Task


class FromFiles:
    """What an architecture says of members that somebody else trained; by default there are none.

    >>> FromFiles().files, FromFiles().undrawn
    ((), '')
    """

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files, without folders, member N's the N-th; nothing where members are trained."""
        return ()

    def weights(self, task: Task, member: Member) -> dict[str, Tensor]:
        """The weights in the file of this member; only where there are ``files``."""
        raise NotImplementedError

    @property
    def labelled(self) -> bool:
        """Whether the files name their classes, so that nobody else need say which logit is of which."""
        return False

    @property
    def fresh(self) -> str:
        """What an untrained network is, beside a trained one."""
        return "the same network with every weight drawn anew"

    @property
    def undrawn(self) -> str:
        """Why its networks cannot be drawn afresh, in words that follow "because": then there are no
        untrained ones to compare with. Nothing where they can."""
        return ""
