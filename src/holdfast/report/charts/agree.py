"""Agreement between explainers, and with the truth where it is known."""

from collections.abc import Sequence

from holdfast.report.charts.base import Figure, Value, table
from holdfast.report.charts.select import heading, key, repair_name, select, settings, suffix, within, words
from holdfast.report.modality import Unit
from holdfast.study.measurement import Measurement


def agreement(rows: Sequence[Measurement], comparison: str) -> tuple[Figure, ...]:
    """A matrix of explainers against explainers, in the order of the rows, for each data set, model and
    repair.

    >>> about = {"explainer": "a", "other_explainer": "b", "comparison": "spearman"}
    >>> rows = [Measurement("d", "m", "none", "agreement", 0.4, **about)]
    >>> [figure] = agreement(rows, "spearman")
    >>> figure.data["row"], figure.data["column"]
    (('a', 'a', 'b', 'b'), ('a', 'b', 'a', 'b'))
    """
    chosen = select(rows, "agreement", comparison=comparison)
    groups = list(dict.fromkeys(r.family for r in chosen))
    order = list(dict.fromkeys(r.explainer for r in rows))
    return tuple(
        Figure(
            key("agreement", comparison, *group),
            f"Agreement between explainers{_named(group, groups)}",
            f"{heading(comparison)} of two explainers on the same prediction, mean over seeds and examples: "
            "1 is the same, 0 unrelated.",
            "matrix",
            table("matrix", _both_ways([r for r in chosen if r.family == group], order)),
            limits=_limits([r.value for r in chosen]),
        )
        for group in groups
    )


def truth(rows: Sequence[Measurement], unit: Unit) -> tuple[Figure, ...]:
    """How well each explainer finds the tokens, pixels or items that truly decide; and chance.

    >>> from holdfast.report.modality import modality
    >>> rows = [Measurement("digits-maj", "deep", "none", "truth", 0.8, explainer="lrp")]
    >>> truth(rows, modality("image").unit)[0].x
    'AUC (higher is better)'
    """
    chosen = select(rows, "truth")
    several = settings(chosen)
    return tuple(
        Figure(
            key("truth", *setting),
            f"Against the truth{suffix(setting, several)}",
            f"AUC of finding {unit.all_true}: how often {unit.true} is ranked above another one; dashed: "
            "0.5, chance.",
            "dots",
            table(
                "dots",
                [
                    ("", words(r.explainer), r.repair, r.value, r.low, r.high)
                    for r in _floor_last(chosen, setting)
                ],
            ),
            x="AUC (higher is better)",
            limits=(min([0.4, *(r.value for r in chosen if r.value == r.value)]), 1.0),
            marks=(0.5,),
        )
        for setting in several
    )


def _floor_last(rows: Sequence[Measurement], setting: tuple[str, str]) -> list[Measurement]:
    return sorted(within(rows, setting), key=lambda row: row.explainer == "random")


def _named(group: tuple[str, str, str], groups: Sequence[tuple[str, str, str]]) -> str:
    """Only what differs between the groups is worth naming."""
    differing = [i for i in range(3) if len({g[i] for g in groups}) > 1]
    named = ", ".join(repair_name(group[i]) if i == 2 else group[i] for i in differing)
    return f" ({named})" if named else ""


def _both_ways(rows: Sequence[Measurement], order: Sequence[str]) -> list[tuple[Value, ...]]:
    values = {(r.explainer, r.other_explainer): r.value for r in rows}
    for (a, b), value in list(values.items()):
        values.setdefault((b, a), value)
    named = dict.fromkeys(name for pair in values for name in pair)
    names = sorted(named, key=lambda name: order.index(name) if name in order else len(order))
    return [(words(a), words(b), values.get((a, b))) for a in names for b in names]


def _limits(values: Sequence[float]) -> tuple[float, float]:
    return (min([0.0, *values]), max([1.0, *values]))
