"""Naive twins of what the text data do with tensors: loops and lists."""

from collections import Counter


def pad(texts: list[list[int]], rows: list[int], length: int) -> tuple[list[list[int]], list[list[bool]]]:
    """Each text of ``rows`` filled with zeros, and where it is."""
    ids, mask = [], []
    for row in rows:
        line, there = [], []
        for place in range(length):
            inside = place < len(texts[row])
            line.append(texts[row][place] if inside else 0)
            there.append(inside)
        ids.append(line)
        mask.append(there)
    return ids, mask


def vocabulary(texts: list[list[str]], min_count: int, max_words: int | None) -> list[str]:
    """The most frequent words, ties by the alphabet, after the two special ones."""
    counts: Counter[str] = Counter()
    for text in texts:
        for word in text:
            counts[word] += 1
    words = [word for word in sorted(counts) if counts[word] >= min_count]
    words.sort(key=lambda word: -counts[word])
    return ["<pad>", "<unk>", *words[:max_words]]


def vectors(lines: list[str], words: list[str]) -> list[list[float]]:
    """The numbers after each word, zeros for a word that no line starts with; the first line wins."""
    size = len(lines[0].split()) - 1
    rows = []
    for word in words:
        row = [0.0] * size
        for line in lines:
            first, *numbers = line.split()
            if first == word:
                row = [float(number) for number in numbers]
                break
        rows.append(row)
    return rows
