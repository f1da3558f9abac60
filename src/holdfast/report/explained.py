"""The page of one explained image: the image, and every seed's heat maps beside their consensus."""

from pathlib import Path

from holdfast.core.errors import BadSetting
from holdfast.core.files import write
from holdfast.report.charts.select import words
from holdfast.report.grids import Grid, seed_grid
from holdfast.report.html import render_page
from holdfast.report.page import Entry, Section, Span, Table
from holdfast.report.standing import agreed, strongest_pixel
from holdfast.report.standing import notes as remarks
from holdfast.report.texts import badge, missed, percent
from holdfast.study.explain_image import ImageExample, ImageHeat
from holdfast.study.picture import CONSENSUS, INPUT, Picture, largest, signed_bytes
from holdfast.study.store import RESULTS

PAGE = "explain.html"
SPACE = "\N{NO-BREAK SPACE}"
BUDGET = 700_000  # bytes of images, so that a page stays below 1 MB
FEW = 50_000  # of those in a cell
READ = (
    "A row for each explainer: first what all seeds together say, then each of them. Red speaks for the "
    "class, or is weight, where an explainer has no sign; blue speaks against it. Each row has its own "
    "scale, with the strongest 0.5 % of the pixels of its consensus in full colour. Where an explanation "
    "holds, the maps of a row look alike."
)


def page_path(run: Path, out: Path | None) -> Path:
    """Where the page goes; an unsuitable path is refused before anything is explained."""
    path = check_page(run / PAGE if out is None else out)
    if path.name in RESULTS and path.resolve().parent == run.resolve():
        raise BadSetting(f"--out {path} is the run's own report: name another file")
    return path


def check_page(path: Path, option: str = "--out") -> Path:
    """The file of a page, refused where it cannot be one."""
    if path.suffix != ".html":
        raise BadSetting(f"expected {option} to be a file that ends in .html, but got '{path}'")
    if path.is_dir():
        raise BadSetting(f"{option} {path} is a folder, not a file: name a file")
    return path


def write_page(page: str, path: Path, option: str = "--out") -> Path:
    """Write a page."""
    try:
        write(path, page.encode())
    except OSError as error:
        raise BadSetting(f"cannot write {path} ({error.strerror}): use another {option}") from error
    return path


def draw_beside(page: str, run: Path, out: Path | None) -> Path | None:
    """Write a page that stands beside an answer; None where nobody named its file and the run cannot be
    written to."""
    try:
        return write_page(page, page_path(run, out))
    except BadSetting:
        if out is not None:
            raise
        return None


def render_image(example: ImageExample, cell: bool = False) -> str:
    """One offline page, or a notebook's cell; the same bytes for the same example."""
    grid = whole = _grid(example)
    while grid.size > (FEW if cell else BUDGET) and len(grid.columns) > 1:
        grid = grid.first(len(grid.columns) - 1)
    cut = len(whole.columns) - len(grid.columns)
    several = f"{cut} seeds are" if cut > 1 else "seed is"
    what = "this" if cell else "this file"
    notes = [f"The last {several} left out, to keep {what} small."] if cut else []
    notes += [f"{words(name)} is left out: {why}." for name, why in example.left_out]
    warned = [(one.heat.explainer, missed(one.heat.explainer, one.heat.lost)) for one in example.heats]
    notes += [f"{words(name)}: {warning}." for name, warning in warned if warning]
    told = dict.fromkeys(said for one in example.heats for said in remarks(one.heat.standing))
    audited = [said for said in told if said in _in_run(example)]
    return render_page(
        f"{example.source[:1].upper()}{example.source[1:]}",
        [*audited, *_intro(example)],
        [
            Section("The same image, every seed", READ, grids=[grid], notes=notes),
            Section(
                "Does it hold?",
                tables=[_verdicts(example)],
                notes=[said for said in told if said not in audited],
            ),
            Section("Weight on each strip", _strips_text(example), tables=[_strips(example)]),
        ],
        cell=cell,
    )


def _in_run(example: ImageExample) -> set[str]:
    """What the audit of the run said of each explainer."""
    return {one.heat.standing.in_run for one in example.heats if one.heat.standing is not None}


def _intro(example: ImageExample) -> list[str]:
    mean = sum(example.probabilities) / len(example.probabilities)
    low, high = min(example.probabilities), max(example.probabilities)
    told = [
        f"Explained: {example.target}, the class that {len(example.seeds)} seeds of {example.model} on "
        f"{example.data} ({example.repair}) favour together: {percent(mean)} ({percent(low)} to "
        f"{percent(high)} over seeds)."
    ]
    labelled = f"The image is labelled {example.label}. " if example.label else ""
    return [*told, f"{labelled}A pixel of {example.white} is white."]


def _grid(example: ImageExample) -> Grid:
    pictures = [_picture(example, INPUT, CONSENSUS, example.pixels)]
    seeds = (CONSENSUS, *example.seeds)
    for one in example.heats:
        maps = zip(seeds, (one.heat.consensus, *one.heat.scores), strict=True)
        pictures += [_picture(example, one.heat.explainer, seed, values) for seed, values in maps]
    return seed_grid(pictures, seeds, example.heats[0].heat.explainer)


def _picture(example: ImageExample, explainer: str, seed: int, values: tuple[float, ...]) -> Picture:
    about = example.row, example.label, example.target, example.height, example.width
    bytes_, peak = signed_bytes(values), largest(values)
    return Picture(example.data, example.model, explainer, seed, *about, bytes_, example.repair, peak)


def _verdicts(example: ImageExample) -> Table:
    known, shares = example.truth is not None, any(one.heat.lost is not None for one in example.heats)
    rows: list[tuple[Entry, ...]] = []
    for one in example.heats:
        heat = one.heat
        hold = Span(heat.hold, heat.low, heat.high, scaled=True)
        more = (*((_right(one),) if known else ()), *((Span(heat.lost, share=True),) if shares else ()))
        agree = agreed(heat.agree, len(heat.scores), strongest_pixel(heat, example))
        word = "not decided" if heat.verdict == "undecided" else badge(heat.verdict)
        nearest = "" if heat.standing is None else heat.standing.nearest or ""
        rows.append((words(heat.explainer), agree, hold, nearest, word, *more))
    more_named = (*(("on the right blocks",) if known else ()), *(("relevance lost",) if shares else ()))
    columns = ("explainer", "strongest", "hold", "against", "verdict", *more_named)
    return Table(columns, tuple(rows), caption=_caption(example))


def _caption(example: ImageExample) -> str:
    scale = (
        "Hold: 1 is the same in every seed, 0 no closer than the nearest impostor, an explanation that knows "
        "nothing; on this image alone. A verdict stands there only where the whole interval decides it."
    )
    if example.truth is None:
        return scale
    places = " and ".join(str(place + 1) for place, right in enumerate(example.truth) if right)
    even = percent(sum(example.truth) / len(example.truth), 0)
    return (
        f"{scale} Blocks {places} of {len(example.truth)} show class {example.label}: mean share of positive "
        f"relevance there, and from seed to seed; spread evenly it would be {even}."
    )


def _right(one: ImageHeat) -> Span:
    known = one.known
    if not known:
        return Span(None)
    return Span(sum(known) / len(known), min(known), max(known), share=True)


def _strips_text(example: ImageExample) -> str:
    signed = any(one.heat.signed for one in example.heats)
    against = " In brackets: how much speaks against." if signed else ""
    return f"How much of the consensus lies on each strip, from left to right.{against}"


def _strips(example: ImageExample) -> Table:
    columns = ("strip", *(words(one.heat.explainer) for one in example.heats))
    rows = [
        (str(place + 1), *(_strip(one, place) for one in example.heats))
        for place in range(len(example.heats[0].strips))
    ]
    return Table(columns, tuple(rows))


def _strip(one: ImageHeat, place: int) -> str:
    whole, against = (round(100 * share[place]) for share in (one.strips, one.against))
    return f"{whole} % ({against} %)".replace(" ", SPACE) if against else f"{whole}{SPACE}%"
