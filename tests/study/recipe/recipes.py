"""Recipes for tests: of scikit-learn, and objects that act as those of other libraries do."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, Y = make_classification(160, 6, n_informative=3, n_redundant=0, random_state=0)
TRAIN, TEST = slice(0, 80), slice(80, 160)
MEAN = X[TRAIN].mean(0)


def data() -> Any:
    return {"inputs": X[TEST], "labels": Y[TEST], "names": list("abcdef")}


def train(seed: int) -> Any:
    rows = np.random.default_rng(seed).integers(0, 80, 80)
    return make_pipeline(StandardScaler(), LogisticRegression()).fit(X[TRAIN][rows], Y[TRAIN][rows])


def predict(model: Any, inputs: Any) -> Any:
    return model.predict_proba(inputs)


def explain(model: Any, inputs: Any, target: Any) -> Any:
    values = (model[0].transform(inputs) - model[0].transform(MEAN[None])) * model[1].coef_
    return values * np.where(target == 1, 1, -1)[:, None]


def remove(inputs: Any, keep: Any) -> Any:
    return np.where(keep, inputs, MEAN)


def untrained(seed: int) -> Any:
    model = train(seed)
    model[1].coef_ = np.random.default_rng(seed).normal(size=model[1].coef_.shape)
    return model


def save(model: Any, folder: Path) -> None:
    np.savez(folder / "weights.npz", *(model[0].mean_, model[0].scale_, model[1].coef_, model[1].intercept_))


def load(folder: Path) -> Any:
    model = train(0)
    with np.load(folder / "weights.npz") as file:
        model[0].mean_, model[0].scale_, model[1].coef_, model[1].intercept_ = (file[n] for n in file.files)
    return model


class Keras:
    """Predicts a column for the second of two classes in single precision, by ``predict(x, verbose)``."""

    def __init__(self, seed: int) -> None:
        self.weights = np.random.default_rng(seed).normal([2, 1, 0, 0, 0, 0], 0.2).astype(np.float32)

    def predict(self, x: Any, verbose: int = 1) -> Any:
        return (1 / (1 + np.exp(-np.asarray(x, np.float32) @ self.weights)))[:, None]


class Booster:
    """As those of XGBoost and LightGBM: raw margins, and contributions with the bias in a last column."""

    def __init__(self, seed: int) -> None:
        self.margins = np.random.default_rng(seed).normal([[2, 0], [0, 2], [-1, 0]], 0.1, (3, 2))

    def predict(self, x: Any, pred_contribs: bool = False) -> Any:
        if not pred_contribs:
            odds = np.exp(np.asarray(x)[:, :2] @ self.margins.T)
            return odds / odds.sum(1, keepdims=True)
        own = np.asarray(x)[:, None, :2] * self.margins
        return np.concatenate([own, np.zeros((len(x), 3, 1))], -1)


KERAS = SimpleNamespace(
    train=Keras,
    predict=lambda model, inputs: model.predict(inputs, verbose=0),
    explain=lambda model, inputs, target: (
        np.asarray(inputs) * model.weights * np.where(target, 1, -1)[:, None]
    ),
)
BOOSTER = SimpleNamespace(
    train=Booster,
    predict=lambda model, inputs: model.predict(inputs),
    explain=lambda model, inputs, target: model.predict(inputs, pred_contribs=True)[
        np.arange(len(target)), target, :-1
    ],
    data=lambda: (X[TEST][:, :2], np.arange(80) % 3),
)


class Words:
    """Counts words: a recipe for texts of different lengths, with explanations as ragged lists."""

    def train(self, seed: int) -> Any:
        draw = np.random.default_rng(seed)
        return {"good": 2 + draw.normal() / 10, "bad": -2 + draw.normal() / 10, "film": draw.normal() / 10}

    def predict(self, model: Any, inputs: Any) -> Any:
        return [1 / (1 + np.exp(-sum(model.get(word, 0) for word in text.split()))) for text in inputs]

    def explain(self, model: Any, inputs: Any, target: Any) -> Any:
        each = zip(inputs, target, strict=True)
        return {
            "weights": [[(2 * t - 1) * model.get(word, 0.0) for word in text.split()] for text, t in each]
        }

    def remove(self, inputs: Any, keep: Any) -> Any:
        each = zip(inputs, keep, strict=True)
        return [" ".join(np.array(t.split())[k[: len(t.split())]]) for t, k in each]

    def data(self) -> Any:
        texts = ["good film", "bad film", "a good good film", "bad"] * 6
        return {
            "inputs": texts,
            "labels": ["yes", "no", "yes", "no"] * 6,
            "tokens": [t.split() for t in texts],
        }
