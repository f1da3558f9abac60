import pytest

from holdfast.core.catalogue import KINDS, catalogue
from holdfast.core.prose import first_sentence

EVERY = [(kind, name) for kind in KINDS for name in catalogue(kind)]


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_every_method_says_what_it_is_in_one_whole_sentence(kind: str, name: str) -> None:
    doc = catalogue(kind)[name].__doc__ or ""
    said = first_sentence(doc)
    assert said.endswith((".", "?", "!"))
    assert said.count("(") == said.count(")")
    assert "`" not in said
    assert "\n" not in said
    paragraph = " ".join(doc.split("\n\n")[0].replace("``", "").split())
    assert paragraph.startswith(said)
    rest = paragraph[len(said) :].strip()
    assert not rest or rest[0].isupper(), "cut in the middle of a sentence"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, ""),
        ("", ""),
        ("No full stop", "No full stop"),
        ("One. Two.", "One."),
        ("Is it? Yes.", "Is it?"),
        ("As in Jain ch. 4, with α. Then more.", "As in Jain ch. 4, with α."),
        ("A mean (see Fig. 2. There too), and so on. More.", "A mean (see Fig. 2. There too), and so on."),
        ("By Li et al. (2016), e.g. so. More.", "By Li et al. (2016), e.g. so."),
        ("Noise: what all must beat. More.", "Noise: what all must beat."),
        ("``a. b`` and :class:`~x.Y`\nover\n  two lines. More.", "a. b and x.Y over two lines."),
        ("The sum of squares:\n\n``Σ x²``", "The sum of squares"),
        ("``n!/k!`` of 0.5 to 1.5. More.", "n!/k! of 0.5 to 1.5."),
        ("It stops here!\n\nMore.", "It stops here!"),
    ],
)
def test_where_a_sentence_ends(text: str | None, said: str) -> None:
    assert first_sentence(text) == said
