"""State dicts: of this very module, in safetensors, each once."""

import pickle

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from holdfast.core.errors import BadData
from holdfast.models.adapters.state_dicts import digests, state_dict
from tests.models.adapters.modules import Masked


@pytest.fixture
def saved(tmp_path):
    def save(name="a.safetensors", module=None, **changes):
        tensors = {k: v.clone() for k, v in (module or Masked()).state_dict().items()} | changes
        save_file({k: v for k, v in tensors.items() if v is not None}, tmp_path / name)
        return tmp_path / name

    return save


def read(path, module=None):
    return state_dict(path, digests([path])[0], module or Masked(), "emb")


def refused(call):
    with pytest.raises(BadData) as told:
        call()
    return str(told.value)


def test_there_and_back(saved):
    module = Masked()
    found = read(saved(module=module))
    assert all(torch.equal(found[name], tensor) for name, tensor in module.state_dict().items())
    half = read(saved(module=Masked().half()))
    assert {tensor.dtype for tensor in half.values()} == {torch.float32}


def test_what_is_of_another_module(saved):
    path = saved(**{"out.bias": None, "score.bias": None, "extra": torch.ones(1)})
    assert refused(lambda: read(path)) == (
        f"{path} is no state dict of this Masked: it lacks out.bias and score.bias and has extra, which "
        "Masked has not"
    )
    other = saved(module=Masked(vocabulary=9))
    assert refused(lambda: read(other)) == (
        f"{other}: expected emb.weight of shape (12, 6), as this Masked has it, but got (9, 6): it is of "
        "another vocabulary"
    )
    assert refused(lambda: read(saved(module=Masked(classes=3)))).endswith(
        ": it is of a module of other sizes"
    )
    assert refused(lambda: read(saved(**{"out.bias": torch.full((2,), torch.nan)}))).endswith(
        ": out.bias has numbers that are not finite"
    )


def test_pickled_weights_are_never_read(tmp_path):
    zipped, plain = tmp_path / "a.safetensors", tmp_path / "b.pt"
    torch.save(Masked().state_dict(), zipped)
    plain.write_bytes(pickle.dumps({}))
    for path in (zipped, plain):
        assert refused(lambda p=path: digests([p])) == (
            f"{path} is pickled, and reading that can run code: expected a .safetensors file, so convert it "
            "where you trust it, with safetensors.torch.save_file(torch.load(old, weights_only=True), new)"
        )
    broken = tmp_path / "c.safetensors"
    broken.write_bytes(b"nothing of the kind")
    assert refused(lambda: read(broken)).endswith(
        ": expected a state dict as safetensors.torch.save_file writes it"
    )
    assert "does not exist: expected a state dict in a .safetensors file" in refused(
        lambda: digests([tmp_path / "gone.safetensors"])
    )


def test_the_same_file_twice_is_no_second_seed(saved):
    module = Masked()
    one, two = saved("a.safetensors", module), saved("b.safetensors", module)
    assert refused(lambda: digests([one, two])) == (
        f"{two} holds the same bytes as {one}: expected members that were each trained with a seed of its own"
    )


def test_tied_weights_may_be_there_once(saved):
    class Tied(Masked):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(6, 12, bias=False)
            self.head.weight = self.emb.weight

    module = Tied()
    found = read(saved(module=module, **{"head.weight": None}), Tied())
    assert torch.equal(found["head.weight"], module.emb.weight)
