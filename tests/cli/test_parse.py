from pathlib import Path

import pytest

from holdfast.cli.parse import count_of, device_of, vectors_of, workers_of
from holdfast.core.errors import BadSetting
from holdfast.data.source import Source


def test_vectors_are_found_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    texts = Source("sst2")
    assert vectors_of("none", texts, tmp_path) is None
    assert vectors_of("mine.txt", texts, tmp_path) == "mine.txt"
    assert vectors_of("auto", Source("planted:train=9"), tmp_path) is None
    assert vectors_of("auto", texts, tmp_path) is None
    (tmp_path / "glove-100d").mkdir()
    for name in ("glove_6B_100d_subset_f16.npz", "words.txt.gz"):
        (tmp_path / "glove-100d" / name).write_bytes(b"")
    assert vectors_of("auto", texts, tmp_path) == "glove-100d"
    assert vectors_of("auto", Source("planted-plays"), tmp_path) is None
    assert vectors_of("auto", Source("plays.csv", time="when"), tmp_path) is None


def test_counts() -> None:
    assert (count_of("all"), count_of("20"), workers_of(None), workers_of(3)) == (None, 20, None, 3)
    with pytest.raises(BadSetting, match=r"^expected --instances to be .* or 'all', but got '-1'$"):
        count_of("-1")
    with pytest.raises(BadSetting, match=r"^expected --workers to be 1 or more, but got 0$"):
        workers_of(0)
    with pytest.raises(BadSetting, match=r"^expected --workers to be at most 1,024, but got 1,000,000$"):
        workers_of(10**6)
    with pytest.raises(BadSetting, match=r"^expected --instances to be .* or 'all', but got '9{400}…'$"):
        count_of("9" * 5000)


def test_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert (device_of("auto"), device_of("cpu")) == ("cpu", "cpu")
    with pytest.raises(BadSetting, match="torch sees none: use --device cpu"):
        device_of("cuda")
    with pytest.raises(BadSetting, match=r"^expected --device to be auto, cpu or cuda, but got 'tpu'$"):
        device_of("tpu")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert device_of("auto") == "cuda"
