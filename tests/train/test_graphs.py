"""Captured steps are the steps themselves (the graphs need a GPU)."""

import pytest
import torch

from tests.train.captured import assert_on_a_gpu, assert_pairs_on_a_gpu, cases, draws

gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")


CASES = dict(cases())


@gpu
@pytest.mark.parametrize("case", CASES)
def test_on_a_gpu_captured_steps_are_the_steps_themselves(planted, case):
    assert_on_a_gpu(planted, *CASES[case])


@gpu
@pytest.mark.parametrize("members", [1, 3])
def test_negatives_are_refilled_where_captured_steps_read_them(plays, members):
    assert_pairs_on_a_gpu(plays, members)


def test_they_are_compared_with_the_cpu_only_where_nothing_is_drawn(planted):
    drawn = {case for case, (_, repair, model, _) in CASES.items() if draws(planted, repair, model)}
    assert drawn == {case for case in CASES if "dropout" in case or "jitter" in case}
