"""``holdfast explain`` as a person meets it."""

import io
import json
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from holdfast.cli import main
from tests.study import items
from tests.study.majority import dataset, majority, right_row
from tests.study.strips import images
from tests.study.tiny import contents, finished

Answer = tuple[int, str, str]
Typed = Callable[..., Answer]
RUN, TEXTS, ITEMS = "IMAGES", "TEXTS", "ITEMS"


@pytest.fixture
def typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[Typed]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words: str) -> Answer:
        places = {RUN: majority, TEXTS: finished, ITEMS: items.finished}
        told = [str(places[word]()) if word in places else word for word in words]
        monkeypatch.setattr(sys, "argv", ["holdfast", "explain", *told])
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return code if isinstance(code, int) else 0, *capsys.readouterr()

    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def shown(tmp_path: Path) -> str:
    """A file with three images."""
    import torch

    np.savez(tmp_path / "shown.npz", images=dataset().images("test", torch.arange(3)).numpy())
    return "shown.npz"


def test_a_test_image(typed: Typed, tmp_path: Path) -> None:
    row = str(right_row())
    code, out, err = typed(RUN, "--row", row, "--out", "page.html")
    assert (code, err) == (0, "")
    assert re.match(
        rf"\d: \d+ % \(\d+ to \d+ over seeds\)\ntest image {row} of digits-maj\S* \(16 is white\), labelled",
        out,
    )
    assert re.search(
        r"^LRP: \d of 3 seeds: the pixel in row \d, column \d+; hold "
        r".* % on the right\s+blocks \(\d+ to\s+\d+\);",
        out,
        re.MULTILINE | re.DOTALL,
    )
    assert re.search(r"^attention is left out: attention: expected a model with attention", out, re.MULTILINE)
    assert out.endswith("Page: page.html\n")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count("<img") == 1 + 2 * 4


def test_images_of_a_file(typed: Typed, shown: str) -> None:
    first, again, last = (
        typed(RUN, shown, *more, "--explainer", "sensitivity", "--out", "page.html")
        for more in ([], ["--row", "0"], ["--row", "2"])
    )
    assert first == again != last
    assert "image 2 of shown.npz (1 is white)\n" in last[1]
    assert "right blocks" not in last[1]
    assert "lrp" not in last[1]


def test_its_json(typed: Typed, shown: str, tmp_path: Path) -> None:
    code, out, err = typed(RUN, shown, "--model", "rlstm", "--json", "--out", "page.html")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["schema"], told["model"], told["page"], told["seeds"]) == (
        2,
        "rlstm",
        "page.html",
        [0, 1, 2],
    )
    assert [len(heat["speaks_for"]) for heat in told["heats"]] == [4, 4]
    assert (tmp_path / "page.html").is_file()


def test_the_page_lies_in_the_run(typed: Typed) -> None:
    before = contents(images())
    code, out, _ = typed(str(images()), "--row", "0")
    page = images() / "explain.html"
    try:
        assert (code, out.splitlines()[-1]) == (0, f"Page: {page}")
        assert page.is_file()
        assert contents(images()) == before
    finally:
        page.unlink()


def test_a_text(typed: Typed) -> None:
    code, out, err = typed(TEXTS, "a dull film", "--out", "page.html")
    assert (code, err) == (0, "")
    assert re.search(r"^attention: \d of 3 seeds: (a|dull|film); hold -?\d\.\d\d", out, re.MULTILINE)
    assert re.search(r"^  In this run attention .*\.$", out, re.MULTILINE)
    assert out.endswith("Page: page.html\n")
    told = json.loads(typed(TEXTS, "a dull film", "--json", "--out", "page.html")[1])
    assert (told["tokens"], told["schema"]) == (["a", "dull", "film"], 2)


@pytest.mark.parametrize("words", [("-",), ("--file", "texts.txt")])
def test_one_text_a_line(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    lines = b"a dull film\n\nso good\n"
    (tmp_path / "texts.txt").write_bytes(lines)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    code, out, err = typed(TEXTS, *words, "--json", "--out", "page.html")
    assert (code, err) == (0, "1 empty line was skipped.\n")
    assert [one["tokens"] for one in json.loads(out)] == [["a", "dull", "film"], ["so", "good"]]
    assert "2 texts as 3 seeds see them" in (tmp_path / "page.html").read_text("utf-8")


BAD = {
    "nothing": ((RUN,), r"is a run on images: give a \.npz or \.npy file, or --row for a test image$"),
    "a text": ((RUN, "a joy"), r"^expected a \.npz or \.npy file with an image, but got 'a joy'$"),
    "no file": ((RUN, "nowhere.npz"), r"^nowhere\.npz does not exist: expected a"),
    "an empty file": (
        (RUN, "empty.npy"),
        r"^empty\.npy is not a readable NumPy file \(.*\): expected a \.npz or \.npy file with an image$",
    ),
    "another shape": ((RUN, "small.npy"), r"expected an image of 8 × 24 pixels \(3 side by side\)"),
    "NaN": ((RUN, "nan.npy"), r"^nan\.npy: expected finite numbers, but image 0 has a NaN"),
    "a row of the file": ((RUN, "shown.npz", "--row", "3"), r"expected --row from 0 to 2, but got 3$"),
    "a row of the run": ((RUN, "--row", "600"), r"expected --row from 0 to 599, but got 600$"),
    "a row that is none": ((RUN, "--row", "two"), r"Invalid value for '--row'"),
    "a pair": ((RUN, "--row", "1", "--query", "x"), r"is a run on images: leave --query out$"),
    "an explainer": ((RUN, "--row", "1", "--explainer", "attention"), r"^attention: expected a model with"),
    "out": ((RUN, "--row", "1", "--out", "page.txt"), r"^expected --out to be a file that ends in \.html"),
    "no text": (
        (TEXTS,),
        r"is a run on texts: expected the text to explain, in quotes, or --file with one a",
    ),
    "a file for a text": (
        (TEXTS, "shown.npz"),
        r"expected the text itself, .* but got the file 'shown\.npz'$",
    ),
    "a row of texts": ((TEXTS, "a joy", "--row", "1"), r"is a run on texts: leave --row out$"),
    "a page of texts": (
        (TEXTS, "a joy", "--out", "a.txt"),
        r"^expected --out to be a file that ends in \.html",
    ),
    "a file of texts": ((RUN, "--row", "1", "--file", "x"), r"is a run on images: leave --file out$"),
    "no such file": ((TEXTS, "--file", "nowhere.txt"), r"^nowhere\.txt does not exist: expected a file with"),
    "no run": (("here", "shown.npz"), r"^here is not a run"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(typed: Typed, shown: str, tmp_path: Path, name: str) -> None:
    words, wanted = BAD[name]
    (tmp_path / "empty.npy").write_bytes(b"")
    np.save(tmp_path / "small.npy", np.zeros((8, 8)))
    np.save(tmp_path / "nan.npy", np.full((8, 24), np.nan))
    before = contents(tmp_path)
    code, out, err = typed(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(wanted, err.removeprefix("holdfast: ").rstrip("\n")), err
    assert contents(tmp_path) == before


def test_a_users_recommendations(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    user = items.dataset().user_name(3)
    code, out, err = typed(ITEMS, "--user", user, "--count", "2", "--out", "page.html")
    assert (code, err) == (0, "")
    assert out.startswith(f"User {user} has a history of ")
    assert re.search(r"\n2\. .+  \(\d of 3 models recommend it\)", out)
    code, out, _ = typed(ITEMS, "--user", user, "--json", "--out", "page.html")
    assert code == 0
    answer = json.loads(out)
    assert (answer["schema"], len(answer["recommendations"])) == (2, 5)
    for one in answer["recommendations"]:
        assert one["wanted"] > 0
        assert one["reasons"] == [] or one["verdict"] != "does not hold"
    monkeypatch.setattr("holdfast.study.recommendation.NONE", ())
    told = json.loads(typed(ITEMS, "--user", user, "--json")[1])
    assert {"item", "share", "agree"} == set(told["recommendations"][0]["reasons"][0])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((ITEMS,), "is a run on interactions: expected a user, e.g. --user 42"),
        ((ITEMS, "some text"), "is a run on interactions: expected a user, e.g. --user 42"),
        ((ITEMS, "--user", "1", "--row", "3"), "is a run on interactions: leave --row out"),
        ((TEXTS, "so good", "--user", "1"), "is a run on texts: leave --user out"),
        ((RUN, "--row", "1", "--count", "2"), "is a run on images: leave --count out"),
    ],
)
def test_who_is_asked_of_which_run(typed: Typed, words: tuple[str, ...], said: str) -> None:
    code, out, err = typed(*words)
    assert (code, out) == (2, "")
    assert said in err
