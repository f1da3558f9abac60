"""Results on a terminal: tables of text; nothing from the data is read as markup."""

from io import StringIO
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from holdfast.core.admit import load_plugin
from holdfast.core.catalogue import KINDS, catalogue
from holdfast.core.errors import BadSetting, UnknownName
from holdfast.core.plain import printable
from holdfast.core.plugins import Plugin, plugins
from holdfast.core.prose import first_sentence
from holdfast.core.settings import defaults
from holdfast.measure.question import places
from holdfast.report.answer_table import longest_word, plain_table, styled
from holdfast.report.compared import signed
from holdfast.report.standing import agreed, held, notes, strongest_pixel, strongest_word
from holdfast.report.texts import missed, percent
from holdfast.study.answer import fraction
from holdfast.study.changes import Changes
from holdfast.study.explain_image import ImageExample, ImageHeat
from holdfast.study.findings import Example, Heat
from holdfast.study.headline import said

SHADES = " ░▒▓█"
UNDECIDED = "undecided"
BAR, LONGEST = 6, 14
WIDTH = 100  # columns of what is printed without a terminal


def heat_table(example: Example, one: str = "word") -> RenderableType:
    """One text, or one row of a table, as every seed sees it: a line per word, a column per seed, darker is
    more; ``one`` is what has a score."""
    heats = (part for heat in example.heats for part in _heat(example, heat, one))
    query = [Text(f"asked of the text: {printable(example.query)}")] if example.query else []
    return Group(_favoured(example.target, example.probabilities), *query, *heats, *_unknown(example))


def image_table(example: ImageExample) -> RenderableType:
    """One image as every seed sees it: each explainer's verdict, and a bar for its weight on each strip."""
    head = _favoured(example.target, example.probabilities)
    head.append(f"\n{printable(example.source)} ({example.white} is white){_labelled(example)}\n")
    strips = Table(box=None, padding=(0, 1), pad_edge=False)
    strips.add_column("strip", justify="right")
    for image in example.heats:
        strips.add_column(Text(said(image.heat.explainer)), overflow="fold", max_width=LONGEST)
    for place in range(len(example.heats[0].strips)):
        strips.add_row(str(place + 1), *(_strip(image, place) for image in example.heats))
    left = [Text(f"{printable(name)} is left out: {printable(why)}.") for name, why in example.left_out]
    lines = [
        _held(image.heat, strongest_pixel(image.heat, example), _right(image)) for image in example.heats
    ]
    told = Text("\nHow much of the consensus lies on each strip (lighter: speaks against):\n")
    return Group(head, *lines, *left, told, strips)


def change_table(changes: Changes) -> RenderableType:
    """What changed between two families."""
    table = plain_table()
    table.padding = (0, 1)
    names = ["explainer", *(said(row.explainer) for row in changes.rows)]
    table.add_column("explainer", overflow="fold", min_width=longest_word(names))
    for column in ("before", "after", "change of hold", "p"):
        table.add_column(column, no_wrap=True)
    for row, name in zip(changes.rows, names[1:], strict=True):
        sides = zip((row.before, row.after), row.verdicts, strict=True)
        cells = [Text(f"{places(fraction(hold.value) or 0.0)} ").append(styled(word)) for hold, word in sides]
        table.add_row(Text(printable(name)), *cells, signed(row.hold.difference), f"{row.hold.p:.3g}")
    runs = Text(f"before: {printable(str(changes.before))}\nafter:  {printable(str(changes.after))}")
    notes = [Text(printable(note)) for note in changes.notes]
    return Group(runs, *notes, Text(changes.sentence), table)


def kinds_table(kind: str, data_dir: Path | None) -> RenderableType:
    """Every method of one kind with its settings; without a kind, all names."""
    known = ["data", *KINDS]
    if not kind:
        table = plain_table("kind", "names")
        for name in known:
            table.add_row(name, Text(", ".join(_names(name, data_dir))))
        return table
    if kind == "data":
        return _data_table(data_dir)
    if kind not in KINDS:
        raise UnknownName("kind", kind, known)
    table = plain_table("name", "settings", "what it is")
    for name, cls in catalogue(kind).items():
        table.add_row(name, _settings(cls), Text(first_sentence(cls.__doc__)))
    for plugin in plugins(kind).values():
        table.add_row(*_offered(kind, plugin))
    return table


def printed(shown: RenderableType) -> str:
    """What a terminal shows, as plain text, whatever this runs in."""
    paper = StringIO()
    console = Console(file=paper, width=WIDTH, force_terminal=False, force_jupyter=False, color_system=None)
    console.print(shown, highlight=False)
    return "\n".join(line.rstrip() for line in paper.getvalue().splitlines()).rstrip()


def _settings(cls: type) -> Text:
    return Text(", ".join(f"{key}={value}" for key, value in defaults(cls).items()))


def _offered(kind: str, plugin: Plugin) -> tuple[Text, Text, Text]:
    """A line for what an installed package offers, or why it cannot be used."""
    name, origin = Text(printable(plugin.name)), printable(f"{plugin.package}, {plugin.value}")
    if plugin.name in catalogue(kind):
        return name, Text(), Text(f"({origin}: holdfast already has this name, use {plugin.value})")
    try:
        cls = load_plugin(kind, plugin).cls
    except BadSetting as error:
        return name, Text(), Text(printable(str(error)), style="dim")
    return name, _settings(cls), Text(f"{first_sentence(cls.__doc__)} ({origin})")


def _data_table(data_dir: Path | None) -> Table:
    from holdfast.data.source import available

    table = plain_table("name", "what it is", "where")
    for data in available(data_dir):
        missing = Text(f"not here: 'holdfast audit {data.name}' says which files it needs", style="dim")
        table.add_row(data.name, Text(data.about), Text(printable(data.where)) if data.ready else missing)
    return table


def _names(kind: str, data_dir: Path | None) -> list[str]:
    if kind == "data":
        from holdfast.data.source import available

        return [data.name for data in available(data_dir)]
    return list(catalogue(kind)) + [name for name in plugins(kind) if name not in catalogue(kind)]


def _favoured(target: str, probabilities: tuple[float, ...]) -> Text:
    """The class that is explained, and how sure the seeds are of it."""
    mean, low, high = (100 * f(probabilities) for f in (_mean, min, max))
    return Text(f"{printable(target)}: {mean:.0f} % ({low:.0f} to {high:.0f} over seeds)")


def _strip(image: ImageHeat, place: int) -> Text:
    """A strip's share of all weight; what speaks against is lighter."""
    peak = max(image.strips) or 1.0
    full, part = (round(BAR * share[place] / peak) for share in (image.strips, image.against))
    return Text(f"{100 * image.strips[place]:3.0f} % {'█' * (full - part)}{'▒' * part}", no_wrap=True)


def _right(image: ImageHeat) -> str:
    """The share on the blocks that decide, where those are known."""
    if not image.known:
        return ""
    mean, low, high = (100 * f(image.known) for f in (_mean, min, max))
    return f", {mean:.0f} % on the right blocks ({low:.0f} to {high:.0f})"


def _labelled(example: ImageExample) -> str:
    if not example.label:
        return ""
    told = f", labelled {printable(example.label)}"
    if example.truth is None:
        return told
    places = [str(place + 1) for place, right in enumerate(example.truth) if right]
    even = 100 * len(places) / len(example.truth)
    return f"{told}; right blocks: {' and '.join(places)} of {len(example.truth)}, {even:.0f} % of the image"


def _mean(values: tuple[float, ...]) -> float:
    return sum(values) / len(values)


def _heat(example: Example, heat: Heat, one: str) -> list[RenderableType]:
    table = Table(box=None, padding=(0, 1), pad_edge=False)
    table.add_column(one)
    table.add_column("consensus")
    for seed in example.seeds:
        table.add_column(str(seed), justify="center")
    most = max((abs(score) for member in heat.scores for score in member), default=0.0) or 1.0
    peak = max((abs(score) for score in heat.consensus), default=0.0) or 1.0
    for place, token in enumerate(example.tokens[: len(heat.consensus)]):
        score = heat.consensus[place]
        bar = f"{score:+.2f} " if heat.signed else f"{score:.2f} "
        bar += ("█" if score >= 0 else "▒") * round(12 * abs(score) / peak)
        cells = [_shade(member[place] / most) for member in heat.scores]
        word = f"{printable(token)} (unknown)" if any(example.unknown[place:][:1]) else printable(token)
        table.add_row(Text(word), Text(bar), *cells)
    return [Text("\n").append(_held(heat, strongest_word(heat, example.tokens))), table]


def _unknown(example: Example) -> list[Text]:
    """What is meant by unknown, where a word is."""
    said = "Words marked as unknown are unknown to the model: all of them look alike to it."
    return [Text(f"\n{said}")] if any(example.unknown) else []


def _held(heat: Heat, strongest: str, right: str = "") -> Text:
    """How many seeds agree, whether one explainer's heat map holds, and how much of the evidence it lost."""
    lost = "" if heat.lost is None else f"; lost: {percent(heat.lost)}"
    care = f" ({warning})" if (warning := missed(heat.explainer, heat.lost)) else ""
    hold = held(heat.hold, heat.low, heat.high, heat.standing)
    agree = agreed(heat.agree, len(heat.scores), printable(strongest))
    word = () if heat.verdict == UNDECIDED else (": ", styled(heat.verdict))
    line = Text.assemble(f"{said(heat.explainer)}: {agree}; {hold}", *word, right, lost, care)
    for note in notes(heat.standing):
        line.append(f"\n  {printable(note)}", style="dim")
    return line


def _shade(share: float) -> Text:
    mark = SHADES[min(len(SHADES) - 1, round(abs(share) * (len(SHADES) - 1)))]
    return Text(mark * 2, style="blue" if share < 0 else "red")
