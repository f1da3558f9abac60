from pathlib import Path

import pytest
import torch

from holdfast.core.errors import BadData
from holdfast.data.source import Source, load
from tests.data.set_files import loaded, put

USERS, ITEMS, EACH = 6, 30, 7


def history(user: int) -> list[int]:
    return [(user * 5 + 3 * k) % ITEMS for k in range(EACH)]


def others(user: int) -> list[int]:
    return [item for item in range(ITEMS) if item not in history(user)][user : user + 9]


def put_files(root: Path) -> list[str]:
    """The three files; the lines of the last one are given back."""
    rows = {
        u: [f"{u}\t{i}\t{1 + i % 5}\t{100 + time}" for time, i in enumerate(history(u))] for u in range(USERS)
    }
    rows[0][0] += "0"  # the first is the latest but for the test
    rows[0] = [*rows[0][1:-1], rows[0][0], f"0\t{history(0)[-1]}\t3\t2000"]
    put(root, "ml-1m/ml-1m.train.rating", [line for own in rows.values() for line in own[:-1]])
    put(root, "ml-1m/ml-1m.test.rating", [own[-1] for own in rows.values()])
    extra = [f"{USERS}\t{item}\t3\t{item}" for item in range(ITEMS)]  # so that every item is known
    with (root / "ml-1m/ml-1m.train.rating").open("a") as file:
        file.write("\n".join(extra[:20]) + "\n")
    return [f"({u},{history(u)[-1]})\t" + "\t".join(map(str, others(u))) for u in range(USERS)]


def whole(root: Path) -> list[str]:
    lines = put_files(root)
    with (root / "ml-1m/ml-1m.test.rating").open("a") as file:
        file.write(f"{USERS}\t20\t3\t5000\n")
    return [*lines, f"({USERS},20)\t" + "\t".join(map(str, range(21, 30)))]


def test_the_test_is_the_authors(tmp_path: Path) -> None:
    put(tmp_path, "ml-1m/ml-1m.test.negative", whole(tmp_path))
    data = loaded("ml-1m-ncf", tmp_path)
    batch = data.splits["test"].batch(torch.arange(USERS))
    assert any(note.startswith("User '6' has fewer than") for note in data.notes)
    for row in range(USERS):
        user = int(data.user_name(row))
        assert [int(data.items[item - 1]) for item in batch.candidates[row].tolist()] == [
            history(user)[-1],
            *others(user),
        ]
    assert [int(data.items[item - 1]) for item in data.histories.of(data.user_row("0")).tolist()] == [
        *history(0)[1:-1],
        history(0)[0],
        history(0)[-1],
    ]
    assert data.task.rated
    assert data.notes[0].startswith("The test items, and the items that they are ranked among, are those of")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("(3,", "(77,", r"line 4 is of user '77', who is not in the other files$"),
        ("(3,3)", "(3,4)", r"expected the latest item of user '3', '3', in line 4, but got '4'$"),
        ("\t29", "\t999", r"item '999' in line \d is not in the other files$"),
        (
            "(0,18)",
            None,
            r"expected a line of as many items for each of 7 users, but got 6 users with 9 items$",
        ),
        (
            "(3,3)\t",
            "(3,3) ",
            r"expected '\(user,item\)' and items, with tabs between them, in line 4, but got '\(3,3\) .*'$",
        ),
        (
            "(3,3)",
            "3,3",
            r"expected '\(user,item\)' and items, with tabs between them, in line 4, but got '3,3 5 6 .*'$",
        ),
        (
            "(3,3)",
            "(3,3)\t3",
            r"expected every user and his item once, but got '3' again in its line, line 4$",
        ),
        ("\t28\t29", "\t28", r"for each of 7 users, but got 7 users with 8 or 9 items$"),
    ],
)
def test_what_does_not_match_is_refused(tmp_path: Path, old: str, new: str | None, sentence: str) -> None:
    lines = whole(tmp_path)
    assert any(old in line for line in lines)
    kept = [line for line in lines if new is not None or old not in line]
    put(tmp_path, "ml-1m/ml-1m.test.negative", [line.replace(old, new or "") for line in kept])
    with pytest.raises(BadData, match=rf"ml-1m\.test\.negative: .*{sentence}"):
        load(Source("ml-1m-ncf"), tmp_path)
