"""One flipped bit in any file of a finished run: it is seen and said, or it makes no difference.

``explain`` and ``report`` either refuse in one sentence or answer as ever, and the run's command mends it.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from holdfast.commands.audit import carry_out
from holdfast.core.errors import BadRun
from holdfast.core.sealed import read_sealed
from holdfast.study.explain import explain_text
from holdfast.study.findings import Example, Heat
from holdfast.study.findings_file import read_findings
from holdfast.study.store import Store
from holdfast.train.untrained import GROUPS
from tests.study.tiny import contents, copied, finished, here, plan

FAMILY = "families/0-planted+cnn-dim=8-filters=4+none"
EXPLAINERS = plan().explainers
MEMBERS = [
    *(f"{kind}/seed-{seed}" for kind in (".", "answers", *EXPLAINERS) for seed in range(3)),
    *(f"{kind}/untrained-{group}" for kind in EXPLAINERS if kind != "random" for group in range(GROUPS)),
]
FILES = (
    "data-0.safetensors", "findings.json", "manifest.json", "plan.json", "report.html", "results.parquet",
    "verdict.json", f"{FAMILY}/request.safetensors",
    *(f"{FAMILY}/{name}{kind}".replace("/./", "/") for name in MEMBERS for kind in (".json", ".safetensors")),
)  # fmt: skip
SOME = tuple(name for name in FILES if name.count("/") < 3 or "/gradient/" in name)
TOLD = r"(is|missing or) damaged.*run its command again to repair it$"
LINES, BITS = 16, 3


def lines_of(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each line starts and ends."""
    start = 0
    for line in data.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)


def some_bits(name: str, data: bytes) -> list[int]:
    """Bits of a file: of text, in many of its lines, so that no kind of field is left out; else anywhere."""
    draw = random.Random(name)
    spans = list(lines_of(data)) if name.endswith(".json") else []
    if len(spans) > BITS:
        chosen = spans if len(spans) <= LINES else draw.sample(spans, LINES)
        return [draw.randrange(8 * start, 8 * end) for start, end in chosen]
    header = draw.sample(range(8 * min(len(data), 400)), BITS)
    return [*header, *draw.sample(range(8 * len(data)), BITS)]


def flipped(path: Path, data: bytes, bit: int) -> None:
    other = bytearray(data)
    other[bit // 8] ^= 1 << bit % 8
    path.write_bytes(other)


@cache
def undisturbed(ask: Callable[[Path], Any]) -> Any:
    return ask(finished())


def explained(run: Path) -> Any:
    return explain_text(run, "a film that nobody liked")


def says_what_is_missing(heat: Heat) -> bool:
    """Whether an example says that an impostor, or what the audit said, could not be read."""
    standing = heat.standing
    return standing is not None and (bool(standing.missing) or "cannot be read" in standing.in_run)


def same_or_told(run: Path, ask: Callable[[Path], Any], about: object) -> bool:
    """Whether it was told, in one sentence; if not, the answer must be what it always was."""
    try:
        answer = ask(run)
    except BadRun as error:
        return "\n" not in str(error)
    if isinstance(answer, Example) and any(says_what_is_missing(heat) for heat in answer.heats):
        return True
    assert answer == undisturbed(ask), about
    return False


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("flips") / "run")


READ_BY = {  # what each command reads; the rest must make no difference
    explained: (
        *("plan.json", "manifest.json", "data-0.safetensors"),
        *(f"none/{name}" for name in ("seed-0.json", "seed-1.safetensors")),
    ),
    read_findings: ("plan.json", "manifest.json", "verdict.json", "findings.json", "results.parquet"),
}


def test_these_are_all_files() -> None:
    assert set(FILES) == set(contents(finished()))


@pytest.mark.parametrize("name", SOME)
def test_a_flipped_bit_is_told_or_makes_no_difference(run: Path, name: str) -> None:
    path = run / name
    data = path.read_bytes()
    for number, bit in enumerate(some_bits(name, data)):
        flipped(path, data, bit)
        assert not Store(run).finished(), (name, bit)
        for ask, read in READ_BY.items():
            if name.endswith(read):
                assert same_or_told(run, ask, (name, bit)), (name, bit)
            elif number % 5 == 0:  # read like those above, or not at all
                same_or_told(run, ask, (name, bit))
    path.write_bytes(data)
    assert Store(run).finished()


def test_what_is_told_says_what_to_do(run: Path) -> None:
    for ask, read in READ_BY.items():
        for name in (name for name in FILES if name.endswith(read)):
            data = (run / name).read_bytes()
            flipped(run / name, data, 8 * (len(data) // 2))
            with pytest.raises(BadRun, match=TOLD):
                ask(run)
            (run / name).write_bytes(data)


def test_the_command_mends_a_bit_in_every_file_at_once(tmp_path: Path) -> None:
    run = copied(tmp_path / "run")
    for name in FILES:
        data = (run / name).read_bytes()
        if name != "manifest.json":  # which says what the plan was
            flipped(run / name, data, random.Random(name).randrange(8 * len(data)))
    with here():
        carry_out(plan(), run)
    assert contents(run) == contents(finished())


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_the_command_mends_any_of_them(tmp_path: Path, name: str) -> None:
    run = copied(tmp_path / "run")
    data = (run / name).read_bytes()
    for bit in some_bits(name, data)[::3]:
        flipped(run / name, data, bit)
        with here():
            carry_out(plan(), run)
        assert contents(run) == contents(finished()), bit


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_single_bit_is_seen(run: Path, name: str) -> None:
    """All bits of a small file, every 211th of a large one."""
    path, note = run / name, name.startswith(FAMILY) and name.endswith(".json")
    data = path.read_bytes()
    for bit in range(0, 8 * len(data), 1 if len(data) < 4000 else 211):
        flipped(path, data, bit)
        with pytest.raises(BadRun):
            Store(run).check(name)
        if note:
            with pytest.raises(BadRun):
                read_sealed(path)
    path.write_bytes(data)
