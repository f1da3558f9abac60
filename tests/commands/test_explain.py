import json
from pathlib import Path

import pytest
from rich.console import Console

from holdfast.commands.explain import explain
from holdfast.core.errors import BadSetting
from tests.study import items
from tests.study.majority import majority
from tests.study.tiny import finished


def said(answer: object) -> str:
    console = Console(width=200)
    with console.capture() as heard:
        console.print(answer)
    return heard.get()


def test_a_text() -> None:
    answer = explain(str(finished()), "a dull film", explainer="gradient,random")
    assert [heat["explainer"] for heat in answer.to_json()["heats"]] == ["gradient", "random"]
    assert (answer.page, answer.to_json()["schema"]) == (None, 2)
    assert "dull" in said(answer)
    assert answer == explain(finished(), "a dull film", explainer=["gradient", "random"])


def test_an_image_has_a_page(tmp_path: Path) -> None:
    answer = explain(majority(), row=3, explainer="sensitivity", out=str(tmp_path / "page.html"))
    assert answer.page == tmp_path / "page.html"
    assert answer.page.is_file()
    assert json.loads(json.dumps(answer.to_json()))["page"] == str(answer.page)
    assert "test image 3" in said(answer)


def test_a_users_recommendations() -> None:
    user = items.dataset().user_name(3)
    answer = explain(items.finished(), user=user, count=2)
    assert len(answer.to_json()["recommendations"]) == 2
    assert said(answer).startswith(f"User {user} has a history of ")
    with pytest.raises(BadSetting, match=r"^expected one explainer for a user, but got lrp and gradient$"):
        explain(items.finished(), user=user, explainer="lrp,gradient")


def test_what_a_run_cannot_be_asked() -> None:
    with pytest.raises(BadSetting, match=r"is a run on texts: leave --user out$"):
        explain(finished(), "a joy", user="3")
    with pytest.raises(BadSetting, match=r"is a run on texts: expected the text to explain, in quotes$"):
        explain(finished())
