import pytest
import torch

from holdfast.explain.gradient_input import GradientInput
from holdfast.train.precision import allow_tf32, exact_float32
from holdfast.train.scores import scores


def now() -> tuple[str, bool]:
    return torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32


def test_rough_on_a_gpu_alone_and_exact_within() -> None:
    before = now()
    with allow_tf32("cpu"):
        assert now() == before
    with allow_tf32("cuda"):
        assert now() == ("high", True)
        with exact_float32():
            assert now() == ("highest", False)
        assert now() == ("high", True)
    assert now() == before


def test_what_was_set_before_comes_back_after_an_error() -> None:
    before = now()
    with pytest.raises(ZeroDivisionError), exact_float32():
        raise ZeroDivisionError
    assert now() == before


class Watching(GradientInput):
    """Keeps what was set while it explained."""

    def scores(self, *asked):
        self.seen.append(now())
        return super().scores(*asked)


def test_explanations_are_made_with_exact_products(planted, family):
    explainer = Watching()
    object.__setattr__(explainer, "seen", [])
    split, rows = planted.splits["test"], torch.arange(3)
    with allow_tf32("cuda"):
        scores(
            family.model, family.parameters, family.members, explainer, split, rows, split.targets[rows], True
        )
    assert set(explainer.seen) == {("highest", False)}
