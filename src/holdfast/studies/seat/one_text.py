"""One text before and after a word of it is changed: each method's attention on every word (Figure 1)."""

from collections.abc import Iterator, Sequence

from holdfast.data.text.dataset import TextDataset
from holdfast.measure.reduce import mean_over_members
from holdfast.studies.seat.measures import ATTENTION, CHANGED, MOVED, RANGES, replaced
from holdfast.studies.seat.plan import NONE, SEAT
from holdfast.studies.seat.strengths import rival_of
from holdfast.study.measure import Measurer
from holdfast.study.measurement import Measurement
from holdfast.study.result import FamilyResult

BEFORE, AFTER, SENTENCE = "word_before", "word_after", "sentence"
METHODS = (NONE, "word_at", "attention_at", SEAT)
LONGEST = 15  # words, so that it can be read


def one_text_rows(families: Sequence[FamilyResult]) -> Iterator[Measurement]:
    """Of each model on each data set the text whose attention moves, without a repair, as far as in half of
    the texts that are short enough to be read."""
    for plain in families:
        if plain.repair == NONE:
            beside = [one for one in families if (one.data, one.model) == (plain.data, plain.model)]
            for text in plain.changed:
                place = _place(plain, text)
                for name in METHODS:
                    for family in beside:
                        if (rival_of(family.repair) or family.repair) == name:
                            yield from _rows(family, text, place)


def _place(plain: FamilyResult, text: str) -> int:
    """Which text is shown."""
    touched, found = replaced(plain, text)
    lengths = plain.mask.sum(1)[touched]
    far = found.attention.mean(0).masked_fill(lengths > max(LONGEST, int(lengths.min())), -1.0)
    order = far.argsort()[int((far < 0).sum()) :]
    return int(touched.nonzero()[int(order[(len(order) - 1) // 2])])


def _rows(family: FamilyResult, text: str, place: int) -> Iterator[Measurement]:
    """Both weights of every word, in the mean over seeds, and how far attention and prediction moved."""
    row, changed = Measurer(family).row, family.changed[text]
    before = family.explanations[ATTENTION].scores[:, place].mean(0).tolist()
    after = changed.split.laid_over(changed.scores[ATTENTION])[0][:, place].mean(0).tolist()
    for at, (name, stays) in enumerate(words(family, text, place)):
        about = {"by": "word", "sentence": "1", "bin": f"{at + 1}:{name}", "at": float(at), "probe": text}
        yield row(BEFORE, before[at], explainer=ATTENTION, **about)
        if stays:
            yield row(AFTER, after[at], explainer=ATTENTION, **about)
    touched, found = replaced(family, text)
    at = int(touched[:place].sum())
    for quantity, values in ((MOVED, found.attention), (CHANGED, found.prediction)):
        mean = mean_over_members(values[:, at]).within(*RANGES[quantity])
        yield row(quantity, mean, by=SENTENCE, sentence="1", probe=text)


def words(family: FamilyResult, text: str, place: int) -> Iterator[tuple[str, bool]]:
    """Every word of a text with what became of it, and whether it is still there."""
    dataset, split = TextDataset.narrow(family.dataset), family.changed[text].split
    for at, token in enumerate(dataset.tokens("test", int(family.rows[place]))):
        now = int(split.place[place, at])
        if now < 0:
            yield f"without {token}", False
        elif bool(split.touched[place, at]):
            yield f"{token} → {dataset.vocabulary.words[int(split.inputs[place, now])]}", True
        else:
            yield token, True
