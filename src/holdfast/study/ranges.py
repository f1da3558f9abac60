"""The range of every number that is measured: from a few seeds Student's t reaches beyond it, which no report
should show."""

import math
from functools import cache

from holdfast.core.catalogue import catalogue
from holdfast.core.compare.base import Comparison
from holdfast.core.settings import split_label

Range = tuple[float, float]

ANY: Range = (-math.inf, math.inf)
SIZE: Range = (0.0, math.inf)
SHARE: Range = (0.0, 1.0)
SIGNED: Range = (-1.0, 1.0)
# fmt: off
RANGES = {
    SHARE: (
        "accuracy", "accuracy_held", "accuracy_published", "f1", "macro_f1", "roc_auc", "recall", "hr@10",
        "ndcg@10", "mrr", "ece", "ece_calibrated", "mce", "ace", "reliability", "reliability_by_class",
        "truth", "layer", "histogram", "against", "reasons", "time", "ink",
        "permutation", "even_attention", "drop_unflipped",
        "hr@10_best", "ndcg@10_best", "top_shared", "flips",
        "teacher_overlap", "ascent_missed", "importance", "ranking_first",
    ),
    SIGNED: (
        "overconfidence", "correlation", "correlation_crossed", "correlation_untrained", "dynamics", "cosine",
        "cost", "permutation_gap", "permutation_gap_calibrated", "permutation_log_odds_gap",
        "permutation_log_odds_gap_calibrated", "unstable_gap", "permutation_slope",
        "permutation_log_odds_slope",
        "even_attention_slope", "adversarial_slope", "hr@10_liked", "ndcg@10_liked",
    ),
    SIZE: ("deviation", "nll", "brier", "entropy", "genres", "genres_mixed", "lost", "adversarial",
        "permutation_log_odds", "prediction_deviation",
        "teacher_distance", "worst_case", "worst_case_ascent", "worst_case_random", "stable_radius",
    ),
}
# fmt: on
KNOWN = {quantity: range_ for range_, quantities in RANGES.items() for quantity in quantities}
COMPARED = ("stability", "agreement", "change", "top", "ranking")  # as far as their comparison goes


@cache
def range_of(quantity: str, comparison: str = "", by: str = "all") -> Range:
    """Between what the rows of a quantity lie; differences, and what has no bound, anywhere.

    >>> range_of("correlation"), range_of("stability", "jaccard:k=3"), range_of("top_gain", "ndcg_lin")
    ((-1.0, 1.0), (0.0, 1.0), (-inf, inf))
    """
    if quantity.endswith("_sd"):
        return SIZE
    if (quantity, by) == ("deletion", "step"):  # a divergence, or else the probability that is left
        return _bounds(comparison, SHARE)
    return _bounds(comparison, ANY) if quantity in COMPARED else KNOWN.get(quantity, ANY)


def _bounds(comparison: str, other: Range) -> Range:
    kind = catalogue("comparisons").get(split_label(comparison)[0])
    return kind.bounds if kind is not None and issubclass(kind, Comparison) else other
