"""What is kept counts with its note alone, and only as it was written."""

import pytest
import torch

from holdfast.core.errors import BadRun
from holdfast.study.recipe.kept import Kept
from tests.study.tiny import flip


def test_answers_count_for_what_is_explained_now(tmp_path):
    kept = Kept(tmp_path)
    assert kept.of is None
    kept.keep("request", {"rows": torch.arange(3)}, {})
    kept.keep("seed-0", {"x": torch.ones(2)}, {"why": None, "of": kept.of})
    kept.keep("seed-1", {}, {"why": "no luck"})
    assert (kept.counts("seed-0"), kept.counts("seed-1"), kept.counts("seed-2")) == (True, True, False)
    assert kept.seeds() == [0, 1]
    kept.keep("request", {"rows": torch.arange(4)}, {})
    assert (kept.counts("seed-0"), kept.counts("seed-1")) == (False, True)


def test_a_file_without_its_note_or_with_a_flipped_bit_does_not_count(tmp_path):
    kept = Kept(tmp_path)
    kept.keep("seed-0", {"x": torch.ones(2)}, {"why": None})
    assert kept.tensors("seed-0")["x"].tolist() == [1, 1]
    flip(tmp_path / "seed-0.safetensors")
    assert kept.note("seed-0") is None
    with pytest.raises(BadRun, match="run its command again to repair it"):
        kept.tensors("seed-0")
    kept.forget("seed-0")
    assert not list(tmp_path.iterdir())


def test_a_saved_model_is_whole_or_not_there(tmp_path):
    kept = Kept(tmp_path)
    aside = kept.begin_model(3)
    (aside / "deep").mkdir()
    (aside / "deep" / "weights").write_bytes(b"abc")
    assert not kept.model(3).exists()
    files = kept.end_model(3)
    assert list(files) == ["model-3/deep/weights"]
    kept.keep("seed-3", {}, {"why": None, "files": files})
    assert kept.note("seed-3") is not None
    assert tmp_path / "model-3/deep/weights" in kept.digests("seed-3")
    assert list(kept.begin_model(3).iterdir()) == []
    assert kept.note("seed-3") is None
