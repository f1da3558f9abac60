import csv
import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from holdfast.core.errors import BadData
from holdfast.data.interaction import file as play_file
from holdfast.data.interaction.blocks import NOBODY
from holdfast.data.interaction.columns import Roles
from holdfast.data.interaction.file import Layout, read_columns, read_interactions
from tests.data.histories import put_csv
from tests.data.interaction.test_interactions import written

ROWS = [("b", "x", 3), ("a", "y", 2), ("b", "y", 1), ("a", "x", 2)]
WANTED = {"b": ["y", "x"], "a": ["y", "x"]}


def put(path: Path, text: str) -> Path:
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def lines(separator: str, head: bool = True) -> str:
    rows = [("user", "item", "time"), *ROWS] if head else ROWS
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("name", "separator"), [("p.csv", ","), ("p.csv.gz", ","), ("p.tsv", "\t"), ("p.tsv.gz", "\t")]
)
def test_tables(tmp_path: Path, name: str, separator: str) -> None:
    found, notes = read_interactions(put(tmp_path / name, lines(separator)))
    assert written(found) == WANTED
    assert notes == [
        "The users are column 'user', the items column 'item', the times column 'time', by their names."
    ]


def test_parquet(tmp_path: Path) -> None:
    columns = dict(zip(("user", "item", "time"), map(list, zip(*ROWS, strict=True)), strict=True))
    parquet.write_table(pa.table(columns), tmp_path / "p.parquet")
    assert written(read_interactions(tmp_path / "p.parquet")[0]) == WANTED
    assert written(read_interactions(tmp_path / "p.parquet", Roles("item", "user"))[0])["x"] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "b y\nb x\na y\na x\n",
        "user item\nb y\nb x\na y\na x\n",
        "b\ty\nb\tx\na\ty\na\tx\n",
        "b y x\na y x\n",
        "b y x\r\na y x",
    ],
)
@pytest.mark.parametrize("name", ["p.txt", "p.txt.gz"])
def test_texts_in_the_order_of_time(tmp_path: Path, text: str, name: str) -> None:
    found, notes = read_interactions(put(tmp_path / name, text))
    assert written(found) == WANTED
    assert notes == ["The file has no times: the order of its rows is taken for the order of time."]


def test_a_typed_header(tmp_path: Path) -> None:
    path = put(tmp_path / "p.inter", "user_id:token\tartist_id:token\nb\ty\nb\tx\na\ty\na\tx\n")
    assert written(read_interactions(path)[0]) == WANTED


names = st.text(
    alphabet=st.characters(codec="utf-8", exclude_characters="\r\0\ufeff"), min_size=1, max_size=6
)


@given(
    st.lists(
        st.tuples(names, names).filter(lambda row: not any(part.strip().lower() in NOBODY for part in row)),
        min_size=1,
    )
)
def test_ids_are_kept_as_they_are(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("ids") / "p.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerows([("user", "item"), *rows])
    found, _ = read_interactions(path)
    assert [found.users[user] for user in found.user] == [user for user, _ in rows]
    assert [found.items[item] for item in found.item] == [item for _, item in rows]


def test_leading_zeros_and_titles_stay(tmp_path: Path) -> None:
    path = put_csv(tmp_path / "p.csv", [("007", 1, '"<b>a, ""b""</b>"'), ("7", 1, "x")], "user,item,title")
    found, _ = read_interactions(path)
    assert list(found.users) == ["007", "7"]
    assert list(found.titles) == ['<b>a, "b"</b>']


def test_columns_without_names(tmp_path: Path) -> None:
    path = put(tmp_path / "ratings.dat", "1::20::5::9\n1::10::3::8\n")
    layout = Layout(":", ("user", "1", "item", "2", "rating", "3", "time"), quoted=False)
    assert written(read_columns(path, Roles("user", "item", "time"), layout)[0]) == {"1": ["10", "20"]}


def test_small_blocks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"u{k % 7}", f"i{k % 11}", 100 - k % 5) for k in range(400)]
    path = put_csv(tmp_path / "p.csv", rows)
    whole = written(read_interactions(path)[0])
    text = put(tmp_path / "p.txt", "".join(f"u{k} a b c\n" for k in range(40)))
    at_once = written(read_interactions(text)[0])
    monkeypatch.setattr(play_file, "BLOCK", 256)
    monkeypatch.setattr(play_file, "ROWS", 16)
    assert written(read_interactions(path)[0]) == whole
    assert written(read_interactions(text)[0]) == at_once


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("p.csv", "user,item,time\na,x,soon\n", r"column 'time': the time 'soon' in row 1 cannot be read"),
        (
            "p.csv",
            "user,item,user\na,x,b\n",
            r"has more than one column named 'user': expected every name once",
        ),
        ("p.csv", "user,item\na,x\n,y\n", r"p\.csv: 1 of 2 rows has no user \(row 2\)"),
        ("p.csv", "user,item\na,x\nb,nan\n", r"1 of 2 rows has no item \(row 2\)"),
        ("p.tsv", "user\titem\nNone\tx\n", r"1 of 1 rows has no user \(row 1\)"),
        ("p.txt", "a x\nb null\n", r"1 of 2 rows has no item \(row 2\)"),
        ("p.csv", "user,item\n", r"has no rows|is not a readable table"),
        ("p.csv", "user,item\na,x\nb\n", r"is not a readable table \(CSV parse error: .*Expected 2 columns"),
        ("p.csv", "", r"is empty: expected a table with a column of users and a column of items"),
        ("p.csv", "who,what\na,x\n", r"^cannot tell which columns of .*p\.csv hold the users and the items"),
        (
            "p.txt",
            "a x\n" * 1001 + "a x y\n",
            r"is not a readable table \(CSV parse error: .*Expected 2 columns",
        ),
        (
            "p.txt",
            "a x 5\nb y 6\na z 7\n",
            r"lines 1 and 3 are both of user 'a': expected a user and an item on each line, or each user",
        ),
        (
            "p.txt",
            "1::2::5::9\n1::3::4::9\n",
            r"no line has a user and an item: expected them with a space or a tab between$",
        ),
        (
            "p.csv",
            "user;item\na;x\n",
            r"columns are user;item; it seems to be separated by ';': expected comm",
        ),
        (
            "p.tsv",
            "user,item\na,x\n",
            r"columns are user,item; it seems to be separated by ',': expected comm",
        ),
        ("p.json", "{}", r"expected a file that ends in \.csv, \.tsv, \.parquet, \.txt or \.inter"),
        ("p.parquet", "no", r"is not a readable Parquet file"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    with pytest.raises(BadData, match=sentence):
        read_interactions(put(tmp_path / name, text))


@pytest.mark.parametrize("name", ["p.csv", "p.tsv", "p.parquet", "p.txt"])
def test_a_few_rows_that_lack_an_item_are_dropped(tmp_path: Path, name: str) -> None:
    users, items = [*["a", "b"] * 20, "a"], [*["x", "y"] * 20, "null"]
    if name == "p.parquet":
        parquet.write_table(pa.table({"user": users, "item": items}), tmp_path / name)
    else:
        mark = {"p.csv": ",", "p.tsv": "\t", "p.txt": " "}[name]
        rows = zip(["user", *users], ["item", *items], strict=True)
        put(tmp_path / name, "".join(f"{user}{mark}{item}\n" for user, item in rows))
    found, notes = read_interactions(tmp_path / name)
    assert len(found) == 40
    assert notes[-1] == "1 of 41 rows had no item: dropped."
    with pytest.raises(BadData, match=r"1 of 41 rows has no item \(row 41\): .* leave --strict out"):
        read_interactions(tmp_path / name, strict=True)


def test_a_few_rows_without_a_time_are_dropped(tmp_path: Path) -> None:
    path = put_csv(
        tmp_path / "p.csv", [*[(f"u{k % 4}", f"i{k % 5}", k) for k in range(40)], ("u0", "i0", "")]
    )
    found, notes = read_interactions(path)
    assert (len(found), notes[-1]) == (40, "1 of 41 rows had no time: dropped.")
    assert found.time.max() == 39


def test_parquet_without_an_id(tmp_path: Path) -> None:
    for users, items, sentence in (
        (["a", None], ["x", "y"], r"1 of 2 rows has no user \(row 2\)"),
        ([1.0, float("nan")], ["x", "y"], r"1 of 2 rows has no user \(row 2\)"),
        (["a", "b"], ["None", "y"], r"1 of 2 rows has no item \(row 1\)"),
    ):
        parquet.write_table(pa.table({"user": users, "item": items}), tmp_path / "p.parquet")
        with pytest.raises(BadData, match=sentence):
            read_interactions(tmp_path / "p.parquet")


def test_other_files(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"does not exist: expected a file that ends in"):
        read_interactions(tmp_path / "none.csv")
    with pytest.raises(BadData, match=r"is a directory: expected a file that ends in"):
        read_interactions(tmp_path)
    for name in ("p.csv", "p.txt"):
        (tmp_path / name).write_bytes(b"user,item\n\xff,x\n" if name == "p.csv" else b"a x\n\xff y\n")
        with pytest.raises(BadData, match=r"save (it|the file) as UTF-8$"):
            read_interactions(tmp_path / name)
    (tmp_path / "p.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(BadData, match=r"is not a readable gzip file"):
        read_interactions(tmp_path / "p.csv.gz")
    table = pa.table([["a"], ["x"], ["b"]], names=["user", "item", "user"])
    parquet.write_table(table, tmp_path / "twice.parquet")
    with pytest.raises(BadData, match=r"has more than one column named 'user'"):
        read_interactions(tmp_path / "twice.parquet")
