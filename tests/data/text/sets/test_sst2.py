from pathlib import Path

from tests.data.set_files import loaded, put, sizes, texts


def test_sst2(tmp_path: Path) -> None:
    for name in ("train", "dev", "test"):
        put(tmp_path, f"sst2/{name}.tsv", [f"{t}\t{i % 2}" for i, t in enumerate(texts(name))], name == "dev")
    data = loaded("sst2", tmp_path)
    assert sizes(data) == [10, 10, 10]
    assert data.tokens("test", 3) == ["test", "four", "3"]
    assert data.splits["test"].targets.tolist() == [0, 1] * 5
