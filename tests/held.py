"""A command that stops where a test wants it to, on the slowest machine too, and can be killed there."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.test_cli import spawn, until

STOPS = """
import os
import time
from pathlib import Path

replace, seen = os.replace, Path({seen!r})


def held(path):
    if Path(path).match({moment!r}):
        seen.touch()
        time.sleep(3600)


def replace_and_stop(source, target):
    held(source)
    replace(source, target)
    held(target)


os.replace = replace_and_stop
"""


def hold(*words: str, cwd: Path, moment: str) -> "subprocess.Popen[str]":
    """The command as a real process that has come to ``moment``, the pattern of a file.

    Whichever of its processes writes such a file stops right after, or right before it gives the file its
    name where the pattern ends in ``.part``.
    """
    folder = cwd / "held"
    seen, start = folder / "seen", folder / "sitecustomize.py"  # which every Python process runs first
    folder.mkdir(exist_ok=True)
    seen.unlink(missing_ok=True)
    others = [Path(path) / start.name for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    before = [path.read_text() for path in others if path.exists()][:1]
    start.write_text("\n".join([*before, STOPS.format(seen=str(seen), moment=moment)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        process = spawn(*words, cwd=cwd)
    until(seen.exists, process)
    return process
