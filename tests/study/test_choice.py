import pytest

from holdfast.core.errors import UnknownName
from holdfast.study.choice import choose
from holdfast.study.digests import pinned
from tests.models.text.checkpoints import write_checkpoint


def test_a_checkpoint_of_the_run_may_lie_elsewhere(tmp_path):
    known = ("cnn", pinned(f"bert:path={write_checkpoint(tmp_path / 'a' / 'tiny')}"))
    there = write_checkpoint(tmp_path / "b" / "tiny")
    assert choose("model", f"bert:path={there}", known) == choose("model", known[1], known) == known[1]
    write_checkpoint(there, seed=1)
    with pytest.raises(UnknownName, match=r"^unknown model of this run 'bert:path=tiny,sha256="):
        choose("model", f"bert:path={there}", known)
