"""The pages of docs/results are true: links and figures exist, commands parse, and every interval of a
table is in a CSV file beside it."""

import csv
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from holdfast.core.settings import build, split_label, split_list
from holdfast.data.named_sets import named_sets
from tests import test_docs
from tests.test_docs import ROOT, blocks, commands, named, parse

STUDIES = sorted(path for path in (ROOT / "docs" / "results").iterdir() if path.is_dir())
PAGES = [page for folder in STUDIES for page in sorted(folder.glob("*.md"))]
NUMBER = r"([+−-]?\d+(?:\.(\d+))?)"
INTERVAL = re.compile(rf"{NUMBER} \[{NUMBER}, {NUMBER}\]")
SECTIONS = ["The answer", "The claims", "Three figures", "The commands", "Where it comes from"]

Triple = tuple[float, float, float]


def test_each_study_has_a_page_and_its_details():
    assert [page.name for page in PAGES] == ["README.md", "details.md"] * len(STUDIES)


@pytest.mark.parametrize("folder", STUDIES, ids=named)
def test_a_page_has_its_sections_and_three_figures(folder):
    text = (folder / "README.md").read_text("utf-8")
    places = [text.find(f"\n## {section}") for section in SECTIONS]
    assert -1 not in places
    assert places == sorted(places)
    assert len(re.findall(r"^!\[.+\]\(.+\)\n\n\*.+", text, re.MULTILINE)) == 3, "a figure and its caption"
    assert re.search(r"(thesis|report), .+, (19|20)\d\d", text), "the full reference, with its year"


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_links_lead_somewhere(path):
    test_docs.test_links_lead_somewhere(path)


def with_variables(block: str) -> str:
    """A shell block with its variables filled in; of a loop, the first value."""
    for name, value in re.findall(r"^(?:for )?(\w+)(?:=| in )(\S+)", block, re.MULTILINE):
        block = re.sub(rf"\${name}\b", value, block)
    return block


@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "sh")], ids=named)
def test_commands_parse(path, tmp_path):
    page = tmp_path / path.name
    page.write_text("\n".join(f"```sh\n{with_variables(body)}```\n" for body in blocks(path, "sh")), "utf-8")
    for words in commands(page):
        parse(words)
        for name, settings in (split_label(part) for word in words for part in split_list(word)):
            if name in named_sets():
                build(named_sets()[name], settings)


@cache
def measured(folder: Path) -> np.ndarray:
    """Every number with an interval in the files of a study, and the mean over seeds of each reading."""
    intervals: list[Triple] = []
    seeds: dict[tuple[str, ...], list[float]] = {}
    for file in sorted(folder.rglob("*.csv")):
        with file.open(encoding="utf-8", newline="") as lines:
            for line in csv.DictReader(lines):
                if "recall" in line:
                    key = line["data"], line["model"], line["change"]
                    seeds.setdefault(key, []).append(float(line["recall"]))
                elif line.get("low"):
                    value = line["measured"] if "measured" in line else line["value"]
                    intervals.append((float(value), float(line["low"]), float(line["high"])))
    return np.array([*intervals, *(over_seeds(values) for values in seeds.values() if len(values) > 1)])


def over_seeds(values: list[float]) -> Triple:
    """A mean with its 95 % interval by Student's t."""
    mean, error = float(sum(values) / len(values)), float(stats.sem(values))
    half = float(stats.t.ppf(0.975, len(values) - 1)) * error
    return mean, mean - half, mean + half


def shown(lines: np.ndarray, wanted: list[float], digits: int) -> bool:
    """Whether a page that rounds to so many digits may print one of the lines so, as it is or in percent."""
    within = 0.5 * 10**-digits + 1e-9
    return any((abs(scale * lines - wanted) <= within + scale * 5e-5).all(1).any() for scale in (1, 100))


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_every_interval_of_a_table_is_in_a_file(path):
    rows = [row for row in path.read_text("utf-8").splitlines() if row.startswith("|")]
    matches = [match for row in rows for match in INTERVAL.finditer(row)]
    lines, missing = measured(path.parent), []
    for match in matches:
        wanted = [float(match[place].replace("−", "-")) for place in (1, 3, 5)]
        if not shown(lines, wanted, len(match[2] or "")):
            missing.append(match[0])
    assert matches
    assert not missing
