import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from holdfast.core.errors import BadData
from holdfast.core.records import Member
from holdfast.data.scores.given import bring
from holdfast.data.scores.long import read_long

LENGTHS = (3, 1, 2)


def rows(shuffle=False, **changes):
    """Two seeds and an untrained network, three examples of different lengths, as lists of columns."""
    each = [
        {
            "member": member,
            "example": f"e{example}",
            "position": 10 * place,
            "score": 100.0 * member + 10 * example + place,
            "token": f"w{example}{place}",
            "label": ("no", "yes")[example % 2],
            "untrained": member == 9,
            "probability:no": 0.25 if member == 5 else 0.5,
            "probability:yes": 0.75 if member == 5 else 0.5,
        }
        for member in (5, 3, 9)
        for example, length in enumerate(LENGTHS)
        for place in range(length)
    ]
    if shuffle:
        order = np.random.default_rng(0).permutation(len(each))
        # which example comes first decides the order of examples
        each = sorted((each[i] for i in order), key=lambda row: row["example"])
    table = {name: [row[name] for row in each] for name in each[0]} | changes
    return {name: column for name, column in table.items() if column is not None}


def written(path, **given):
    pq.write_table(pa.table(rows(**given)), path)
    return path


@pytest.mark.parametrize("shuffle", [False, True])
def test_rows_in_any_order_are_the_same_table(tmp_path, shuffle):
    brought = bring(**read_long(written(tmp_path / "s.parquet", shuffle=shuffle)))
    assert brought.members == (Member(3), Member(5))
    assert brought.mask.sum(1).tolist() == list(LENGTHS)
    assert brought.first.scores[1].tolist() == [[500, 501, 502], [510, 0, 0], [520, 521, 0]]
    assert brought.untrained["scores"].tolist() == [[[900, 901, 902], [910, 0, 0], [920, 921, 0]]]
    assert brought.tokens == (("w00", "w01", "w02"), ("w10",), ("w20", "w21"))
    assert brought.labels.tolist() == [0, 1, 0]
    assert brought.classes == ("no", "yes")
    assert brought.probabilities[:, 2].tolist() == [[0.5, 0.5], [0.25, 0.75]]


def test_explainers_are_a_column(tmp_path):
    count = len(rows()["member"])
    table = rows(untrained=None, explainer=["a"] * count)
    more = {name: column + column for name, column in table.items()}
    more["explainer"] = ["a"] * count + ["b"] * count
    more["member"] = [f"run {own}" for own in more["member"]]
    pq.write_table(pa.table(more).combine_chunks(), tmp_path / "s.parquet", use_dictionary=True)
    brought = bring(**read_long(tmp_path / "s.parquet"))
    assert list(brought.explanations) == ["a", "b"]
    assert brought.members == (Member(0), Member(1), Member(2))
    assert brought.explanations["a"].scores.equal(brought.explanations["b"].scores)


def test_one_probability_is_that_of_the_second_class(tmp_path):
    column = rows()["probability:yes"]
    about = {
        "probability:no": None,
        "probability:yes": None,
        "probability": column,
        "label": [1] * len(column),
    }
    brought = bring(**read_long(written(tmp_path / "s.parquet", **about)))
    assert brought.probabilities[1, 0].tolist() == [0.25, 0.75]
    assert brought.classes == ("0", "1")


COUNT = len(rows()["member"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"score": None}, " has no column 'score': expected member, example, position and score"),
        (
            {"position": [0] * COUNT},
            (
                ": expected one score of member '3' for example 'e0' at its position number 0, "
                "counted from 0, but there are 3"
            ),
        ),
        ({"score": ["a"] * COUNT}, ": expected numbers in column 'score', but got object"),
        ({"member": [None, *range(1, COUNT)]}, ": column 'member' lacks 1 values: fill them in"),
        (
            {"label": ["no", "yes"] * (COUNT // 2)},
            ": expected one label for each example, but some have several",
        ),
        (
            {"token": [str(i) for i in range(COUNT)]},
            ": expected one token for each position of an example, but some have several",
        ),
        (
            {"probability:no": list(np.linspace(0, 1, COUNT))},
            ": expected one probability:no for each member and example, but some have several",
        ),
        (
            {"probability": [0.5] * COUNT},
            " has a column 'probability' and others by class: leave one kind out",
        ),
    ],
)
def test_what_does_not_fit_together_is_one_clear_sentence(tmp_path, changes, message):
    path = written(tmp_path / "s.parquet", **changes)
    with pytest.raises(BadData) as caught:
        read_long(path)
    assert str(caught.value) == f"{path}{message}"


def test_a_member_that_lacks_a_position(tmp_path):
    table = {name: column[:-7] + column[-6:] for name, column in rows().items()}  # the last of seed 3
    pq.write_table(pa.table(table), tmp_path / "s.parquet")
    with pytest.raises(
        BadData, match=r"member '3' for example 'e2' at its position number 1, .* there are 0$"
    ):
        read_long(tmp_path / "s.parquet")


def test_no_rows(tmp_path):
    pq.write_table(pa.table(rows()).slice(0, 0), tmp_path / "s.parquet")
    with pytest.raises(BadData, match=r"s\.parquet has no rows: expected one for each member, example and "):
        read_long(tmp_path / "s.parquet")
