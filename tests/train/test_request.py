import torch

from holdfast.train.request import Request

ASKED = Request(torch.tensor([2, 5]), torch.tensor([0, 1]))


def test_a_request_comes_back(tmp_path):
    ASKED.write(tmp_path / "request.safetensors")
    again = Request.read(tmp_path / "request.safetensors")
    assert torch.equal(again.rows, ASKED.rows)
    assert torch.equal(again.target, ASKED.target)
    assert again.digest == ASKED.digest


def test_other_rows_or_classes_have_another_digest():
    others = [Request(ASKED.rows + 1, ASKED.target), Request(ASKED.rows, ASKED.target + 1)]
    assert len({one.digest for one in (ASKED, *others)}) == 3
    assert Request(ASKED.target, ASKED.rows).digest != ASKED.digest
