"""WordNet 3.0: which words mean the same, from its dictionary files."""

import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from holdfast.core.errors import BadData
from holdfast.data.reading import find, listed, open_file, roots

FILE = "wordnet/wordnet-3.0-dict.tar.gz"
HOME = "https://wordnet.princeton.edu"
PARTS = {"noun": "1", "verb": "2", "adj": "35", "adv": "4"}
"""Parts of speech by the names of their files, with the digits that stand for them in keys of senses."""
COUNTS = "cntlist.rev"
MARKER = re.compile(r"\([a-z]+\)$")  # where an adjective may stand: "ready(p)"


@dataclass(frozen=True)
class WordNet:
    """Senses of words, the most frequent first, as sets of words that share them.

    ``senses`` has the sets of a word by its part of speech, ``counts`` how often WordNet's own texts have it
    as that part of speech.
    """

    senses: Mapping[tuple[str, str], tuple[tuple[str, ...], ...]]
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def part_of(self, word: str) -> str | None:
        """The part of speech that a word most often is, by counts, then by its number of senses."""
        parts = [part for part in PARTS if (word, part) in self.senses]
        return max(
            parts,
            key=lambda part: (self.counts.get((word, part), 0), len(self.senses[word, part])),
            default=None,
        )

    def synonyms(self, word: str, senses: int = 1) -> tuple[str, ...]:
        """Single words that share one of the word's so many most frequent senses, in their order.

        >>> words = WordNet({("film", "noun"): (("movie", "film", "moving_picture"), ("film", "coat"))})
        >>> words.synonyms("film"), words.synonyms("film", senses=2), words.synonyms("unheard")
        (('movie',), ('movie', 'coat'), ())
        """
        part = self.part_of(word)
        sets = () if part is None else self.senses[word, part][:senses]
        same = dict.fromkeys(other.lower() for one in sets for other in one)
        return tuple(other for other in same if other != word and other.isalpha())


def locate(data_dir: Path | None = None) -> Path:
    """The archive with the dictionary files."""
    places = roots(data_dir)
    for root in places:
        if path := find(FILE, root):
            return path
    raise BadData(
        f"synonyms need {FILE}, the dictionary files of WordNet 3.0, published on {HOME}: put the file into "
        f"{places[0]} (looked in {listed(places)})"
    )


def read_wordnet(path: Path, words: Collection[str]) -> WordNet:
    """What WordNet knows of these words."""
    wanted = {f"index.{part}" for part in PARTS} | {f"data.{part}" for part in PARTS} | {COUNTS}
    files = _unpacked(path, wanted)
    lacking = sorted(wanted - {COUNTS} - set(files))
    if lacking:
        raise BadData(f"{path}: expected the dictionary files of WordNet 3.0, but {lacking[0]} is missing")
    try:
        senses = {key: sets for part in PARTS for key, sets in _senses(files, part, set(words)).items()}
        return WordNet(senses, _counts(files.get(COUNTS, b""), set(words)))
    except (ValueError, IndexError) as error:
        raise BadData(f"{path}: expected lines as WordNet 3.0 writes them ({error})") from error


def _unpacked(path: Path, wanted: Collection[str]) -> dict[str, bytes]:
    """The wanted files of an archive; nothing is written to disk."""
    files = {}
    try:
        with open_file(path) as file, tarfile.open(fileobj=file, mode="r|") as archive:
            for member in archive:
                name = member.name.rpartition("/")[2]
                content = archive.extractfile(member) if name in wanted and member.isfile() else None
                if content is not None:
                    files[name] = content.read()
    except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
        raise BadData(f"{path} is not a readable archive ({error})") from error
    return files


def _senses(
    files: Mapping[str, bytes], part: str, words: set[str]
) -> dict[tuple[str, str], tuple[tuple[str, ...], ...]]:
    """Index: lemma, part, senses, p, p pointers, senses, tagged senses, then the place of each sense."""
    found, data = {}, files[f"data.{part}"]
    for line in files[f"index.{part}"].decode().splitlines():
        lemma = line.partition(" ")[0]
        if lemma in words:
            fields = line.split()
            places = fields[6 + int(fields[3]) :]
            found[lemma, part] = tuple(_words_at(data, int(place)) for place in places)
    return found


def _words_at(data: bytes, place: int) -> tuple[str, ...]:
    """Data: place, file, part, how many words (two hexadecimal digits), then each word and a number."""
    fields = data[place : data.index(b"\n", place)].decode().split()
    if int(fields[0]) != place:
        raise ValueError(f"no sense at {place}")
    return tuple(MARKER.sub("", word) for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2])


def _counts(lines: bytes, words: set[str]) -> dict[tuple[str, str], int]:
    """Key of a sense (``film%1:10:00::``), its number, how often it was counted."""
    counts: Counter[tuple[str, str]] = Counter()
    for line in lines.decode().splitlines():
        lemma, _, rest = line.partition("%")
        if lemma in words:
            part = next(name for name, digits in PARTS.items() if rest[0] in digits)
            counts[lemma, part] += int(rest.split()[2])
    return dict(counts)
