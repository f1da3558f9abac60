import pytest

from tests.models.text.checkpoints import write_checkpoint


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    """A tiny BERT. Look, do not touch."""
    return write_checkpoint(tmp_path_factory.mktemp("checkpoint") / "tiny")
