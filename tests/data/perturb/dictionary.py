"""A made-up dictionary in the format of WordNet 3.0."""

import io
import tarfile

HEADER = "  1 This dictionary is made up.\n"


def dictionary(senses, counts=()):
    """The files: ``senses`` has (part, words that share it), the most frequent first; ``counts`` lines of
    cntlist.rev."""
    letters = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
    files = {"cntlist.rev": "".join(f"{line}\n" for line in counts)}
    for part, letter in letters.items():
        data, index = HEADER, {}
        for own, words in senses:
            if own == part:
                place = len(data)
                named = " ".join(f"{word} 0" for word in words)
                data += f"{place:08d} 00 {letter} {len(words):02x} {named} 000 | made up\n"
                for word in words:
                    index.setdefault(word.partition("(")[0].lower(), []).append(f"{place:08d}")
        files[f"data.{part}"] = data
        lines = [
            f"{word} {letter} {len(places)} 1 @ {len(places)} 0 {' '.join(places)}  \n"
            for word, places in sorted(index.items())
        ]
        files[f"index.{part}"] = HEADER + "".join(lines)
    return files


def archive(folder, files):
    """Them as the data folder has them; returns that folder."""
    path = folder / "wordnet" / "wordnet-3.0-dict.tar.gz"
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as made:
        for name, text in files.items():
            about = tarfile.TarInfo(f"./{name}")
            about.size = len(text.encode())
            made.addfile(about, io.BytesIO(text.encode()))
    return folder
