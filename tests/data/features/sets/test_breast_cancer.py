from holdfast.data.features.sets.breast_cancer import BreastCancer
from holdfast.data.source import Source, load
from holdfast.testing.dataset import check_dataset


def test_it_is_always_there():
    data = load(Source("breast-cancer"))
    check_dataset(data)
    assert data.task.classes == ("benign", "malignant")
    assert [len(data.splits[name]) for name in ("train", "validation", "test")] == [399, 57, 113]
    assert len(data.columns) == 30
    assert "399 / 57 / 113" in BreastCancer.about
