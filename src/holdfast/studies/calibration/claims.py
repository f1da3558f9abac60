"""Which of the chapter's claims came out, from the rows alone."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import torch

from holdfast.core.settings import label
from holdfast.measure.claims import Claim, details, heads_corrected
from holdfast.measure.estimate import Estimate, p_values, together
from holdfast.measure.reduce import Interval, mean_over_members, t_quantile
from holdfast.studies.calibration.charts import family_name
from holdfast.studies.calibration.measures import LOG_ODDS
from holdfast.studies.calibration.plan import TWO
from holdfast.studies.calibration.questions import Question, answered, questions
from holdfast.studies.calibration.ranking import UNFINISHED
from holdfast.study.measurement import FamilyKey, Measurement

CHANGED = {
    "hr@10": "hr@10_change",
    "ndcg@10": "ndcg@10_change",
    "permutation_true": "permutation_change",
    "permutation_log_odds_true": "permutation_log_odds_change",
}
SHUFFLED = ("attention_permutation", label(LOG_ODDS))


def own_claims(rows: Iterable[Measurement]) -> list[Claim]:
    """The answers to all questions that these rows can answer, of one data set after the other; p is
    corrected over the claims of a data set."""
    by_data: dict[str, list[Measurement]] = {}
    for row in rows:
        by_data.setdefault(row.data, []).append(row)
    return [claim for some in by_data.values() for claim in _claims(some)]


def _claims(rows: Sequence[Measurement]) -> list[Claim]:
    every = [*rows, *_changes(rows)]
    return heads_corrected([_claim(question, answered(every, question)) for question in questions()])


def _claim(question: Question, rows: Sequence[Measurement]) -> list[Claim]:
    """All families that were asked must show it; each by itself is a line below."""
    if not rows:
        return []
    lines = [_line(question, row) for row in rows]
    estimates = together([_estimate(question.effect(row)) for row in rows])
    place = int(estimates.value.argmin())
    p, p_least = p_values(estimates, question.least)
    weakest = family_name(rows[place]) if len(rows) > 1 else ""
    head = replace(lines[place], p=p, p_least=p_least, weakest=weakest, detail=False, where=rows[0].data)
    return [head, *details(lines)]


def _line(question: Question, row: Measurement) -> Claim:
    effect = question.effect(row)
    p, p_least = p_values(_estimate(effect), question.least)
    return Claim(
        question.statement,
        family_name(row),
        question.published,
        effect,
        p,
        p_least,
        least=question.least,
        detail=True,
        data=row.data,
        models=(row.model,),
        repair=row.repair,
    )


def _estimate(effect: Interval) -> Estimate:
    """Back from an interval: half of it is Student's quantile times the error. ``n`` counts members."""
    value = torch.tensor([effect.value], dtype=torch.float64)
    if effect.low is None or effect.high is None or effect.n < 3:
        return Estimate(value, None, 0, effect.n)
    error = max(effect.value - effect.low, effect.high - effect.value) / t_quantile(effect.n - 1)
    return Estimate(value, torch.tensor([error], dtype=torch.float64), effect.n - 1, effect.n)


def _changes(rows: Sequence[Measurement]) -> Iterator[Measurement]:
    """Seed by seed, how far every family lies from DeepICF without a repair: how well it ranks, and how far
    shuffling moves its scores of the true items. Of another model whose training ended too early nothing is
    decided, so that there is no interval."""
    early = {row.family for row in rows if row.quantity == UNFINISHED and row.value and row.model != TWO}
    seeds: dict[tuple[str, FamilyKey], dict[str, float]] = {}
    for row in rows:
        if row.quantity in CHANGED and row.by == "member" and row.probe in ("", *SHUFFLED):
            seeds.setdefault((row.quantity, row.family), {})[row.member] = row.value
    for (quantity, family), values in seeds.items():
        plain = seeds.get((quantity, family._replace(model=TWO, repair="none")))
        common = [] if plain is None else [member for member in values if member in plain]
        if plain is not None and len(common) > 1 and values is not plain:
            each = torch.tensor([values[m] - plain[m] for m in common], dtype=torch.float64)
            change = mean_over_members(each)
            ends = (change.value, *((None, None) if family in early else (change.low, change.high)), change.n)
            about = {"other_model": TWO, "other_repair": "none"}
            yield Measurement(*family, CHANGED[quantity], *ends, **about)  # type: ignore[arg-type]
