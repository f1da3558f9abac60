import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from holdfast.commands.audited import Audited
from holdfast.commands.explain import explain
from holdfast.commands.modality import Explained
from holdfast.core.errors import BadSetting
from tests.commands.notebook import plain
from tests.study import items, tables
from tests.study.answers import answer
from tests.study.majority import majority
from tests.study.tiny import finished


def said(answer: object) -> str:
    console = Console(width=200)
    with console.capture() as heard:
        console.print(answer)
    return heard.get()


def test_a_text(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    answer = explain(str(finished()), "a dull film", explainer="gradient,random", out=page)
    assert [heat["explainer"] for heat in answer.to_json()["heats"]] == ["gradient", "random"]
    assert (answer.page, answer.to_json()["schema"]) == (page, 2)
    assert {"agree", "nearest", "missing", "in_run"} <= set(answer.to_json()["heats"][0])
    assert "dull" in said(answer)
    assert "dull" in page.read_text("utf-8")
    assert answer == explain(finished(), "a dull film", explainer=["gradient", "random"], out=page)


def test_what_an_audit_answered_stands_for_its_run() -> None:
    audited = Audited(finished(), answer(), 1.0)
    assert explain(audited, "a dull film") == explain(finished(), "a dull film")


def check_cell(explained: Explained, *parts: str) -> None:
    cell = explained._repr_html_()
    assert cell.startswith('<div class="holdfast"><style>')
    assert "<html" not in cell
    assert len(cell.encode()) < 100_000
    for part in parts:
        assert part in cell


def test_a_notebook_and_print_show_what_a_terminal_does() -> None:
    explained = explain(finished(), "a dull film", explainer="gradient")
    assert str(explained).startswith(explained.example.target)
    assert str(explained) == plain(explained)
    assert "gradient: " in str(explained)
    check_cell(explained, '<div class="scale"', ">dull</b>")
    check_cell(explain(finished(), file=io.BytesIO(b"a dull film\n\nso good")), "1 empty line was skipped.")
    check_cell(explain(majority(), row=3, explainer="sensitivity"), "Test image 3", "data:image/png")
    user = items.dataset().user_name(3)
    check_cell(explain(items.finished(), user=user, count=2), f"User {user}", "Recommendations")
    check_cell(explain(tables.audited(), row=3), '<div class="scale"', '<table class="bars">')


def test_the_texts_of_a_file(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    (tmp_path / "texts.txt").write_text("a dull film\n\nso good\n")
    answer = explain(finished(), file=tmp_path / "texts.txt", out=page)
    assert answer == explain(finished(), file=io.BytesIO(b"a dull film\n\nso good"), out=page)
    told = answer.to_json()
    assert [one["tokens"] for one in told] == [("a", "dull", "film"), ("so", "good")]
    assert told[0] == explain(finished(), "a dull film", out=page).to_json()
    assert answer.note == "1 empty line was skipped."
    assert said(answer).count("seeds: ") == 2
    one = explain(finished(), file=io.BytesIO(b"so good"), out=page)
    assert (len(one.to_json()), one.note) == (1, "")
    with pytest.raises(BadSetting, match=r"^expected a text or --file, but got both: leave one out$"):
        explain(finished(), "so good", file=tmp_path / "texts.txt")
    with pytest.raises(BadSetting, match=r"^--query is the second text of one pair: leave --file out$"):
        explain(finished(), query="so good", file=tmp_path / "texts.txt")


def test_a_run_that_cannot_be_written_to_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("holdfast.report.explained.write", refuse)
    answer = explain(finished(), "a dull film")
    assert answer.page is None
    assert "page" not in answer.to_json()
    with pytest.raises(
        BadSetting, match=r"^cannot write page\.html \(Permission denied\): use another --out$"
    ):
        explain(finished(), "a dull film", out="page.html")


def test_an_image_has_a_page(tmp_path: Path) -> None:
    answer = explain(majority(), row=3, explainer="sensitivity", out=str(tmp_path / "page.html"))
    assert answer.page == tmp_path / "page.html"
    assert answer.page.is_file()
    assert json.loads(json.dumps(answer.to_json()))["page"] == str(answer.page)
    assert "test image 3" in said(answer)


def test_a_users_recommendations(tmp_path: Path) -> None:
    user = items.dataset().user_name(3)
    answer = explain(items.finished(), user=user, count=2, out=tmp_path / "page.html")
    assert f"User {user}" in (tmp_path / "page.html").read_text("utf-8")
    assert len(answer.to_json()["recommendations"]) == 2
    assert said(answer).startswith(f"User {user} has a history of ")
    with pytest.raises(BadSetting, match=r"^expected one explainer for a user, but got lrp and gradient$"):
        explain(items.finished(), user=user, explainer="lrp,gradient")


def test_what_a_run_cannot_be_asked() -> None:
    with pytest.raises(BadSetting, match=r"is a run on texts: leave --user out$"):
        explain(finished(), "a joy", user="3")
    with pytest.raises(BadSetting, match=r"is a run on texts: expected the text to explain, in quotes, or"):
        explain(finished())
