"""A worker finds the recipe and its rows again, prints where nobody is disturbed, and says what is wrong."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager

import numpy as np

from holdfast.core.files import sha256
from holdfast.study.recipe.data import given
from holdfast.study.recipe.kept import Kept
from tests.core.outsider import forgotten

CODE = """
import os

def train(seed):
    print("training")
    os.system("echo training too")
    return seed

def predict(model, inputs):
    return [[0.5 + 0.1 * model, 0.5 - 0.1 * model]] * len(inputs)

def explain(model, inputs, target):
    return inputs + model
"""


@contextmanager
def working(tmp_path, code):
    """A worker that was handed seed 1 of a recipe."""
    (tmp_path / "mine.py").write_text(code)
    digest = given((np.ones((4, 2)), [0, 1, 0, 1])).write(tmp_path / "data")
    task = {
        "id": 0,
        "seed": 1,
        "code": [["", "mine.py", sha256(code.encode()), str(tmp_path / "mine.py")]],
        "data": {"file": str(tmp_path / "data"), "sha256": digest},
        "folder": str(tmp_path / "kept"),
        "instances": None,
    }
    command = [sys.executable, "-P", "-m", "holdfast.study.recipe.worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=os.environ
    ) as process:
        process.stdin.write(json.dumps(task) + "\n")
        process.stdin.flush()
        yield process


def test_a_worker_does_a_seed_whatever_is_printed(tmp_path):
    with working(tmp_path, CODE) as process:
        said = [json.loads(process.stdout.readline()) for _ in range(4)]
        process.stdin.close()
        assert process.wait(timeout=60) == 0
        assert "training\n" in process.stderr.read()
    assert said == [*({"id": 0, "share": share} for share in (0.5, 0.7, 0.9)), {"id": 0, "done": True}]
    with forgotten():
        assert Kept(tmp_path / "kept").tensors("seed-1")["scores/scores"].tolist() == [[2, 2]] * 4


def test_code_that_exits_or_asks_for_input_is_waited_for_by_nobody(tmp_path):
    """``exit()`` closes standard input, which another thread reads."""
    asks = "    try:\n        input()\n    except EOFError:\n        exit()"
    with working(tmp_path, CODE.replace("    return seed", asks)) as process:
        assert json.loads(process.stdout.readline()) == {"id": 0, "done": True}
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    with forgotten():
        assert Kept(tmp_path / "kept").note("seed-1")["why"].startswith("train raised SystemExit")


def test_whatever_ends_a_worker_ends_its_process(tmp_path):
    with working(tmp_path, CODE.replace("    return seed", "    raise KeyboardInterrupt")) as process:
        assert process.wait(timeout=60) == 1
        assert process.stdout.read() == ""
