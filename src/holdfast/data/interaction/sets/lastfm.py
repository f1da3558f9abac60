"""Artists at Last.fm, one line a user or RecBole's table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from holdfast.data.interaction.sets.base import FilteredSet, Prepared


@dataclass(frozen=True)
class Lastfm(Prepared, FilteredSet):
    """Cantador et al. 2011; lines ``user item item …``, or a table whose rows are in order."""

    name: ClassVar[str] = "lastfm"
    about: ClassVar[str] = "artists that users of Last.fm listened to"
    home: ClassVar[str] = (
        "lastfm.txt, lines 'user item item …' in the order of time, or lastfm.inter of RecBole "
        "(recbole.io), a table with tabs whose header names user_id:token and artist_id:token"
    )
    files: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "interactions": ("lastfm/lastfm.txt", "lastfm/lastfm.inter")
    }
