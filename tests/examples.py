"""How many examples Hypothesis tries is the profile's to say; a slow test takes a share of them."""

from hypothesis import settings


def fewer(share: int) -> settings:
    """One in ``share`` of the profile's examples."""
    return settings(max_examples=max(1, settings.default.max_examples // share))
