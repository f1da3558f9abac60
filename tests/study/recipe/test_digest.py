"""What a function does identifies a run, wherever it was written."""

import copy
import functools

import numpy as np
import pandas
import pytest
import torch

from holdfast.study.recipe.digest import digest

A = np.arange(6.0)
VALUES = [
    None, 1, 1.0, True, "1", b"1", [1], (1,), {1}, {"a": 1}, {"a": 2}, A, A.reshape(2, 3), A.astype("f4"),
    torch.arange(6), np.array(["a", None], dtype=object), pandas.DataFrame({"a": A}),
    pandas.DataFrame({"b": A}), np.random, dict, functools.partial(max, 1), functools.partial(max, 2),
]  # fmt: skip


def test_other_values_have_other_digests():
    assert len({digest(value) for value in VALUES}) == len(VALUES)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_copy_has_the_same(value):
    assert digest(value) == digest(value if value is np.random else copy.deepcopy(value))


def made(source):
    space = {"np": np, "K": 2, "DATA": np.arange(3)}
    exec(source, space)
    return space["f"]


F = "def f(x):\n    return np.sum(DATA) * K * x\n"


def test_a_function_is_known_by_what_it_does():
    assert digest(made(F)) == digest(made("# moved\n\n" + F))
    assert digest(made(F)) != digest(made(F.replace("* x", "+ x")))
    assert digest(made(F)) != digest(made("K = 3\n" + F)), "the file's own variable is part of it"
    assert digest(made(F)) != digest(made(F + "DATA = np.arange(3) + 1\n"))


def test_what_a_function_calls_and_closes_over_counts():
    inner = "def g(x):\n    return x{}\ndef f(x):\n    return g(x)\n"
    assert digest(made(inner.format("+ 1"))) != digest(made(inner.format("+ 2")))

    def closed(array):
        return lambda x: x @ array

    assert digest(closed(A)) == digest(closed(A.copy())) != digest(closed(A + 1))


def test_one_that_refers_to_itself_ends():
    assert digest(made("def f(x):\n    return f(x - 1) if x else K\n"))
    loop = []
    loop.append(loop)
    assert digest(loop)


def test_sets_have_no_order():
    assert digest({"a", "b", "c", "d"}) == digest({"d", "c", "b", "a"})
