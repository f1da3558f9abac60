from holdfast.commands.compare import compare
from holdfast.study.compare import compare_runs
from tests.study.tiny import finished


def test_folders_are_named_by_paths_or_texts() -> None:
    assert compare(str(finished()), finished("aswa")) == compare_runs(finished(), finished("aswa"))
