import pytest

from holdfast.train.device import at_hand


@pytest.mark.parametrize("gpu", [True, False])
def test_a_gpu_that_is_not_here_is_replaced_by_the_cpu(gpu: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: gpu)
    assert (at_hand("cpu"), at_hand("cuda")) == ("cpu", "cuda" if gpu else "cpu")
