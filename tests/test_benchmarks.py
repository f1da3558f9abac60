"""The benchmarks run, at sizes that say nothing about speed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks"
RATIOS = {
    "auditing": (
        ["--runs", "planted", "--instances", "6", "--epochs", "1", "--repeats", "1"],
        r"ratio \d+\.\d\d",
        7,
    ),
    "comparing": (["--rows", "6"], r"ratio \d+\.\d\d", 6),
    "deepicf": (["--users", "40", "--epochs", "1", "--repeats", "1"], r"ours/plain \d+\.\d\d", 3),
    "explaining": (["--rows", "3", "--repeats", "1", "--models", "cnn"], r"captum/ours \d+\.\d\d", 4),
    "features": (
        ["--rows", "200", "--columns", "4", "--members", "1", "--explained", "2"],
        r"/ours \d+\.\d\d",
        3,
    ),
    "finetuning": (["--tiny", "--rows", "40", "--epochs", "1"], r"ten/one \d+\.\d\d", 1),
    "perturbing": (
        ["--rows", "6", "--repeats", "1", "--models", "cnn"],
        r"perturbed/plain \d+\.\d\d",
        1,
    ),
    "probing": (["--rows", "6", "--repeats", "1"], r"ratio \d+\.\d\d", 2),
    "recommending": (
        ["--users", "40", "--epochs", "1", "--repeats", "1", "--device", "cpu"],
        r"ours/plain \d+\.\d\d",
        1,
    ),
    "interactions": (["--rows", "20000", "--slice", "2000"], r"ratio \d+\.\d\d", 1),
    "judging": (["--examples", "120", "--slice", "2"], r"ratio \d+\.\d\d", 1),
    "relevance": (["--cells", "shallow", "--repeats", "1", "--seeds"], r"(?:lrp|ten seeds) \d+\.\d\d", 3),
    "shapley": (
        [
            "--blocks",
            "1",
            "--samples",
            "256",
            "--rows",
            "1",
            "--repeats",
            "1",
            "--steps",
            "2",
            "--long",
            "512",
        ],
        r"/ours(?: at equal error)? \d+\.\d\d",
        5,
    ),
    "repairing": (["--rows", "64", "--repeats", "1", "--models", "cnn"], r"repair/none \d+\.\d\d", 7),
    "shuffling": (["--rows", "40", "--repeats", "1"], r"shuffles/pass \d+\.\d\d", 3),
    "training": (
        ["--rows", "64", "--epochs", "1", "--models", "cnn", "--device", "cpu"],
        r"\d+\.\d\d times faster",
        1,
    ),
    "verdict": (["--runs", "2", "--kind", "alike"], r"alike,[\d.]+,\d+,\d+,(\d\.\d\d)", 21),
}


def test_every_benchmark_is_here():
    assert {path.stem for path in FOLDER.glob("*.py") if "def main" in path.read_text("utf-8")} == set(RATIOS)


# ten worker processes start for the last one
@pytest.mark.parametrize(
    "name",
    [
        "comparing",
        "interactions",
        "recommending",
        pytest.param("auditing", marks=pytest.mark.slow),
        pytest.param("deepicf", marks=pytest.mark.slow),
        pytest.param("explaining", marks=pytest.mark.slow),  # shap and captum are slow to wake
        pytest.param("judging", marks=pytest.mark.slow),
        pytest.param("finetuning", marks=pytest.mark.slow),  # transformers is slow to wake
        pytest.param("perturbing", marks=pytest.mark.slow),
        pytest.param("probing", marks=pytest.mark.slow),
        pytest.param("shapley", marks=pytest.mark.slow),
        pytest.param("relevance", marks=pytest.mark.slow),
        pytest.param("repairing", marks=pytest.mark.slow),
        pytest.param("shuffling", marks=pytest.mark.slow),
        pytest.param("training", marks=pytest.mark.slow),
        pytest.param("verdict", marks=pytest.mark.slow),
    ],
)
def test_benchmark_prints_its_ratios(name):
    options, ratio, count = RATIOS[name]
    done = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py"), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(ratio, done.stdout)
    assert len(found) == count, done.stdout
    assert all(float(re.search(r"\d+\.\d\d", one)[0]) > 0 for one in found)
