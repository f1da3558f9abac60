"""Ten boosted members and their Shapley values against a plain loop with shap's KernelExplainer, one thread.

Both train ten ``HistGradientBoostingClassifier`` on the same rows, and explain test rows over the same
background of a hundred. The plain loop explains log-odds with ``KernelExplainer`` and its own number of
samples; ours are the values that follow from the trees. Ours explains 200 rows of each member, as an audit
does, the plain loop ``--explained`` of them; for all of them it would take as much for each.
The error is the root mean square distance from shap's ``TreeExplainer`` (interventional, the same
background), which is exact. As ours is smaller, the ratio of seconds is the least that a plain loop costs
more at equal error; above 1 ours is cheaper. The time of ``TreeExplainer`` itself stands beside them. Seconds
are of this process, in turns.
"""

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
import shap
import torch
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from holdfast.core.draws import seed_of
from holdfast.core.records import Member
from holdfast.data.features.dataset import FeatureDataset
from holdfast.data.source import load, source_of
from holdfast.explain.shapley import Shapley
from holdfast.models.features.hgb import Hgb
from holdfast.train.family import Family
from holdfast.train.seats import explained_rows

INSTANCES = 200  # of an audit


def table(rows: int, columns: int) -> FeatureDataset:
    """Numbers of which a third decide, alone and in pairs."""
    dice = np.random.default_rng(0)
    x = dice.normal(size=(rows, columns))
    deciding = x[:, : columns // 3]
    score = deciding.sum(1) + 1.5 * (deciding * np.roll(deciding, 1, 1)).sum(1)
    label = np.where(score + dice.normal(size=rows) > 0, "yes", "no")
    given = {f"x{place}": x[:, place].tolist() for place in range(columns)} | {"label": label.tolist()}
    data = load(source_of(given, label="label", features="all"))
    assert isinstance(data, FeatureDataset)
    return data


def timed(work: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    """Seconds of this process, and what was found."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def main() -> None:
    """Print the seconds and errors of each, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=30)
    parser.add_argument("--members", type=int, default=10)
    parser.add_argument("--explained", type=int, default=5)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    data = table(asked.rows, asked.columns)
    assert data.task.columns is not None
    train, test, background = data.splits["train"], data.splits["test"], data.task.columns.background.numpy()
    some = explained_rows(len(test), INSTANCES)
    x, y, shown = train.values.numpy(), train.classes.numpy(), test.values[some].numpy()
    few, target = shown[: asked.explained], torch.ones(len(some), dtype=torch.long)
    names = ("training, plain", "training, ours", "KernelExplainer", "ours", "TreeExplainer")
    seconds, squares = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    rows: dict[str, int] = {}
    with threadpool_limits(1):
        for seed in range(asked.members):
            member = Member(seed)
            learner = HistGradientBoostingClassifier(random_state=seed_of(member, "fit") % 2**32)
            spent, _ = timed(lambda: learner.fit(x, y))  # noqa: B023
            seconds["training, plain"] += spent
            start = time.process_time()
            family = Family.fit(Hgb(), data, [member])
            seconds["training, ours"] += time.process_time() - start
            ways: dict[str, Callable[[], np.ndarray]] = {
                "TreeExplainer": lambda: np.array(
                    shap.TreeExplainer(learner, background).shap_values(shown)  # noqa: B023
                ),
                "ours": lambda: family.explain(Shapley(), test, some, target).scores[0].numpy(),  # noqa: B023
                "KernelExplainer": lambda: np.array(
                    shap.KernelExplainer(learner.decision_function, background).shap_values(  # noqa: B023
                        few, silent=True
                    )
                ),
            }
            exact = None
            for name, way in ways.items():
                spent, values = timed(way)
                exact = values if exact is None else exact
                seconds[name] += spent
                squares[name] += float(np.square(values - exact[: len(values)]).mean()) / asked.members
                rows[name] = len(values)
    for name in names:
        error = "" if name.startswith("training") else f", error {squares[name] ** 0.5:.6f}"
        print(f"{name}: {seconds[name]:.2f} s{error}")
    each = {name: seconds[name] / (asked.members * count) for name, count in rows.items()}
    for name, spent in each.items():
        print(f"{name}: {1e3 * spent:.1f} ms a row")
    print(f"explaining: KernelExplainer/ours {each['KernelExplainer'] / each['ours']:.2f}")
    plain = seconds["training, plain"] + seconds["ours"] / each["ours"] * each["KernelExplainer"]
    print(f"both: plain/ours {plain / (seconds['training, ours'] + seconds['ours']):.2f}")
    print(f"explaining: TreeExplainer/ours {each['TreeExplainer'] / each['ours']:.2f}")


if __name__ == "__main__":
    main()
