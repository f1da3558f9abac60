"""One example in words: how many seeds agree on what is strongest, the hold, and what the audit said."""

from holdfast.measure.question import ends, places
from holdfast.report.impostors import impostor
from holdfast.report.modality import Unit
from holdfast.study.answer import fraction
from holdfast.study.explain_image import ImageExample
from holdfast.study.findings import Heat, Standing


def agreed(agree: int, seeds: int, name: str) -> str:
    """How many seeds name the strongest part.

    >>> agreed(9, 10, "dull")
    '9 of 10 seeds: dull'
    """
    return f"{agree} of {seeds} seeds: {name}"


def strongest_word(heat: Heat, tokens: tuple[str, ...]) -> str:
    """The word that most seeds name; nothing where the text was cut before it."""
    return tokens[heat.strongest] if heat.strongest < len(tokens) else ""


def strongest_pixel(heat: Heat, example: ImageExample) -> str:
    """The pixel that most seeds name, by its place in the image."""
    row, column = divmod(heat.strongest, example.width)
    return f"the pixel in row {row + 1}, column {column + 1}"


def held(hold: float | None, low: float | None, high: float | None, standing: Standing | None) -> str:
    """The hold with its interval, and the impostor that it is measured against.

    >>> held(0.372, 0.1, 0.739, Standing("another input"))
    'hold 0.37 [0.10, 0.73] against another input'
    """
    if hold is None:
        return "no hold can be measured"
    hold, low, high = fraction(hold) or 0.0, fraction(low), fraction(high)
    against = "" if standing is None or standing.nearest is None else f" against {standing.nearest}"
    return f"hold {places(hold)}{ends(low, high)}{against}"


def although(agree: int, seeds: int, verdict: str, nearest: str | None, unit: Unit) -> str:
    """Why an explanation does not hold though most seeds name the same strongest part; else empty.

    >>> from holdfast.report.modality import modality
    >>> although(9, 10, "does not hold", "shuffled", modality("text").unit)
    'Most seeds name this word, but two seeds are hardly more alike than one and its own weights at random \
places.'
    """
    if verdict != "does not hold" or 2 * agree <= seeds or nearest is None:
        return ""
    return (
        f"Most seeds name this {unit.name}, but two seeds are hardly more alike than one and "
        f"{impostor(nearest, unit)}."
    )


def notes(standing: Standing | None) -> tuple[str, ...]:
    """What a reader must know besides: what the run's audit said, and impostors that could not be made."""
    if standing is None:
        return ()
    missing = (f"Not measured against {name}: {why}." for name, why in standing.missing)
    return (*([standing.in_run] if standing.in_run else []), *missing)
