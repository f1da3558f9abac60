"""Files of interactions, read in blocks so that memory stays bounded: CSV, TSV, Parquet, SASRec's text."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from holdfast.core.errors import BadData
from holdfast.core.files import look
from holdfast.data.frame import Frame
from holdfast.data.heard import Heard, silent
from holdfast.data.interaction.blocks import InteractionBlocks
from holdfast.data.interaction.columns import Roles, looks_like
from holdfast.data.interaction.interactions import Interactions
from holdfast.data.parquet_file import open_parquet
from holdfast.data.reading import listed, open_file, place, shown, text_lines
from holdfast.data.tables import column_names

TEXTS = (".txt", ".inter")  # always interactions
ENDINGS = (".csv", ".tsv", ".parquet", *TEXTS)
BLOCK = 1 << 24
ROWS = 1 << 20
LOOKED_AT = 1000  # lines that tell the form of a text


@dataclass(frozen=True)
class Layout:
    """How a text is cut into columns; without ``names`` its first line has them."""

    delimiter: str = ","
    names: tuple[str, ...] | None = None
    quoted: bool = True
    skip: int = 0


PAIR = Roles("user", "item")


def read_interactions(
    path: Path, roles: Roles | None = None, strict: bool = False, heard: Heard = silent
) -> tuple[Interactions, list[str]]:
    """The interactions of a file, by the ending of its name, and what a reader must know of them."""
    ending = check_file(path)
    if ending == ".parquet":
        return _read_parquet(path, roles or Roles(), strict, heard)
    if ending == ".txt" and roles in (None, Roles()):
        return _read_text(path, strict, heard)
    tab = ending != ".csv"
    given = roles or Roles()
    chosen, notes = given.choose(path, column_names(path, tab=tab))
    layout, guessed = Layout("\t" if tab else ","), given.rating is None
    interactions, dropped = read_columns(path, chosen, layout, strict, heard, guessed)
    return interactions, [*notes, *dropped]


def check_file(path: Path) -> str:
    """The ending by which a file is read; one that cannot hold interactions is refused."""
    wanted = f"a file that ends in {listed(ENDINGS, 'or')}"
    size = look(path, wanted)
    ending = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if ending not in ENDINGS or path.name.endswith(".parquet.gz"):
        raise BadData(
            f"{path}: expected {wanted} (all but Parquet also with .gz), but got {ending or 'no ending'}"
        )
    if size == 0:
        raise BadData(f"{path} is empty: expected a table with a column of users and a column of items")
    return ending


def read_columns(
    path: Path,
    roles: Roles,
    layout: Layout,
    strict: bool = False,
    heard: Heard = silent,
    guessed: bool = False,
) -> tuple[Interactions, list[str]]:
    """The interactions of a text whose columns are known (that of ratings may be ``guessed``), and a note on
    rows that were dropped."""
    import pyarrow as pa
    from pyarrow import csv

    wanted, size = _wanted(roles), look(path)
    ids = pa.dictionary(pa.int32(), pa.string())
    types = {name: pa.string() if role in ("time", "rating") else ids for role, name in wanted.items()}
    read = csv.ReadOptions(
        block_size=BLOCK, column_names=layout.names and list(layout.names), skip_rows=layout.skip
    )
    quotes = (
        {"newlines_in_values": True} if layout.quoted else {"quote_char": False, "newlines_in_values": False}
    )
    parse = csv.ParseOptions(delimiter=layout.delimiter, **quotes)
    convert = csv.ConvertOptions(
        column_types=types, include_columns=list(wanted.values()), strings_can_be_null=False
    )
    blocks = InteractionBlocks(path, wanted, strict, guessed)
    try:
        with open_file(path) as file, csv.open_csv(file, read, parse, convert) as reader:
            for block in reader:
                blocks.add(block)
                heard(place(file) / size)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        advice = ": save it as UTF-8" if "UTF8" in str(error) else ""
        raise BadData(f"{path} is not a readable table ({shown(error, 120)[1:-1]}){advice}") from error
    return blocks.interactions()


def read_frame(
    path: Path, frame: Frame, roles: Roles, strict: bool = False, heard: Heard = silent
) -> tuple[Interactions, list[str]]:
    """The interactions of a table in memory, called ``path``, and what a reader must know of them."""
    chosen, notes = roles.choose(path, frame.table.column_names)
    wanted = _wanted(chosen)
    blocks = InteractionBlocks(path, wanted, strict, roles.rating is None)
    for block in frame.table.select(list(wanted.values())).to_batches(ROWS):
        blocks.add(block)
        heard(blocks.rows / len(frame.table))
    interactions, dropped = blocks.interactions()
    return interactions, [*notes, *dropped]


def _read_parquet(path: Path, roles: Roles, strict: bool, heard: Heard) -> tuple[Interactions, list[str]]:
    with open_parquet(path) as file:
        chosen, notes = roles.choose(path, file.schema_arrow.names)
        wanted = _wanted(chosen)
        blocks = InteractionBlocks(path, wanted, strict, roles.rating is None)
        for block in file.iter_batches(ROWS, columns=list(wanted.values())):
            blocks.add(block)
            heard(blocks.rows / file.metadata.num_rows)
        interactions, dropped = blocks.interactions()
        return interactions, [*notes, *dropped]


def _read_text(path: Path, strict: bool, heard: Heard) -> tuple[Interactions, list[str]]:
    """``user item`` on each line, or each user with all items on one line; in the order of time."""
    lines = list(islice(text_lines(path), LOOKED_AT))
    rows = [line.split() for line in lines]
    pairs = all(len(row) in (0, 2) for row in rows)
    note = "The file has no times: the order of its rows is taken for the order of time."
    if not pairs:
        interactions, dropped = _read_lines(path, strict)
        return interactions, [note, *dropped]
    first, tab = rows[0] if rows else [], bool(lines) and "\t" in lines[0]
    layout = Layout("\t" if tab else " ", ("user", "item"), quoted=False, skip=int(looks_like(first)))
    interactions, dropped = read_columns(path, PAIR, layout, strict, heard)
    return interactions, [note, *dropped]


def _read_lines(path: Path, strict: bool) -> tuple[Interactions, list[str]]:
    import pyarrow as pa

    blocks = InteractionBlocks(path, _wanted(PAIR), strict)
    users: list[str] = []
    items: list[str] = []

    def flush() -> None:
        blocks.add(pa.record_batch([pa.array(users), pa.array(items)], ["user", "item"]))
        users.clear()
        items.clear()

    seen: dict[str, int] = {}
    for number, line in enumerate(text_lines(path), 1):
        user, *history = line.split() or [""]
        if user and seen.setdefault(user, number) != number:
            raise BadData(
                f"{path}: lines {seen[user]:,} and {number:,} are both of user {shown(user)}: expected "
                "a user and an item on each line, or each user once, with all items; a table with "
                "more columns needs their names in its first line, and the ending .csv or .tsv"
            )
        users.extend([user] * len(history))
        items.extend(history)
        if len(items) >= ROWS:
            flush()
    if items:
        flush()
    if not blocks.rows:
        raise BadData(f"{path}: no line has a user and an item: expected them with a space or a tab between")
    return blocks.interactions()


def _wanted(roles: Roles) -> dict[str, str]:
    columns = {role: getattr(roles, role) for role in ("user", "item", "time", "title", "genres", "rating")}
    return {role: name for role, name in columns.items() if name is not None}
