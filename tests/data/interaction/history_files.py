"""Small files of interactions in the published forms."""

USERS, ITEMS, EACH = 12, 30, 8


def pairs() -> list[tuple[int, int]]:
    """User and item, in the order of time; every item has five interactions or more, but for the last two."""
    most = [(user, 1 + (user * 5 + 3 * k) % 14) for user in range(1, USERS + 1) for k in range(EACH)]
    return [*most, (USERS, ITEMS - 1), (USERS, ITEMS)]
