"""The colours of every figure: safe for the colour-blind, each with a counterpart for dark pages.

Red speaks for, blue against, in texts, histories, images and on a terminal alike, as in the heat maps of SHAP
and LRP.

A drawing carries the light colours as plain attributes, so that a saved file needs no style sheet; inside a
page the style sheet replaces each of them by a variable, which differs on dark pages and in print.
"""

INK, MUTED, RULE, PAPER = "#1c2329", "#5a6570", "#dfe3e8", "#ffffff"
SERIES = ("#0a67a3", "#bf4d06", "#00775a", "#9c4079", "#59636e", "#866a00", "#4b4fb0", "#a3282f")
DARK_INK, DARK_MUTED, DARK_RULE, DARK_PAPER = "#e7ebee", "#a3aeb8", "#343c44", "#13171b"
DARK_SERIES = ("#5fb4ee", "#f39a62", "#45c8a0", "#e193c4", "#aab5bf", "#d8b93f", "#9ea3f5", "#f08a8f")
FOR, AGAINST = (214, 39, 28), (47, 116, 226)
LIFT = "brightness(1.5) saturate(.9)"
# What that filter makes of FOR and AGAINST in heat maps that are images.
DARK_FOR, DARK_AGAINST = (239, 63, 48), (79, 172, 245)
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "stroke")

VARIABLES = {
    INK: ("--ink", DARK_INK),
    MUTED: ("--muted", DARK_MUTED),
    RULE: ("--rule", DARK_RULE),
    PAPER: ("--paper", DARK_PAPER),
    **{
        light: (f"--s{i}", dark)
        for i, (light, dark) in enumerate(zip(SERIES, DARK_SERIES, strict=True), start=1)
    },
}


def _hues(above: tuple[int, ...], below: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"--{name}:{' '.join(map(str, hue))}" for name, hue in (("for", above), ("against", below)))


# What only a page needs: the background of boxes, the four verdicts, and the two hues of a heat map.
EXTRA = (
    *("--soft:#f5f7f9", "--good:#17744a", "--fair:#8a5a00", "--poor:#7d2a6b", "--none:#59636e"),
    *_hues(FOR, AGAINST),
    "--lift:none",
)
DARK_EXTRA = (
    *("--soft:#1a2026", "--good:#55c98f", "--fair:#e2b04a", "--poor:#e39ad2", "--none:#aab5bf"),
    *_hues(DARK_FOR, DARK_AGAINST),
    f"--lift:{LIFT}",
)


def variables(dark: bool) -> str:
    """The CSS variables of one colour scheme.

    >>> variables(dark=False).split(";")[0]
    '--ink:#1c2329'
    """
    plain = [f"{name}:{other if dark else light}" for light, (name, other) in VARIABLES.items()]
    return ";".join([*plain, *(DARK_EXTRA if dark else EXTRA)])


def exchange() -> str:
    """The CSS that replaces the light colours of a drawing by the variables of the page."""
    return "".join(
        f'.drawing [{what}="{light}"]{{{what}:var({name})}}'
        for light, (name, _) in VARIABLES.items()
        for what in ("fill", "stroke")
    )


def heats(levels: int = 9) -> str:
    """The CSS of heat maps: ``p1``…``p9`` speaks for, ``n1``…``n9`` against; text stays readable.

    >>> heats(1)
    '.p1{background:rgb(var(--for)/.58)}.n1{background:rgb(var(--against)/.58)}'
    """
    return "".join(
        f".{sign}{k}{{background:rgb(var(--{name})/{_trim(0.58 * k / levels)})}}"
        for sign, name in (("p", "for"), ("n", "against"))
        for k in range(1, levels + 1)
    )


def _trim(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")
