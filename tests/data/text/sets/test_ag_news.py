from pathlib import Path

from tests.data.set_files import loaded, put, sizes, texts


def test_ag_news(tmp_path: Path) -> None:
    for name, size in (("train", 80), ("test", 8)):
        rows = [f'"{i % 4 + 1}","{t}","says ""{i}"", twice"' for i, t in enumerate(texts(name, size))]
        put(tmp_path, f"ag_news/{name}.csv", rows)
    data = loaded("ag_news", tmp_path)
    assert sizes(data) == [72, 8, 8]
    assert data.task.classes == ("World", "Sports", "Business", "Sci/Tech")
    assert data.tokens("test", 0) == ["test", "one", "0", "says", '"', "0", '"', ",", "twice"]
    two = loaded("ag_news/world-business", tmp_path)
    assert sizes(two) == [36, 4, 4]
    assert two.task.classes == ("World", "Business")
    assert [two.tokens("test", row)[2] for row in range(4)] == ["0", "2", "4", "6"]
    assert two.splits["test"].targets.tolist() == [0, 1, 0, 1]
