"""What an audit answered, in words, in JSON and in a notebook."""

from pathlib import Path

from holdfast.commands.audited import Audited
from tests.study.answers import answer


def test_an_answer_in_every_form():
    audited = Audited(Path("run"), answer(), 1.23456)
    assert str(audited) == f"{answer().headline} {answer().do}".rstrip()
    assert audited.to_json() == answer().to_json() | {"run": "run", "seconds": 1.235}
    assert audited._repr_html_().startswith("<p><strong>")
    assert audited == Audited(Path("run"), answer(), 9.0), "seconds do not count"
