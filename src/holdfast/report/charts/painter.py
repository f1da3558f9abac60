"""Draws in a separate process, ``python -m holdfast.report.charts.painter``.

The renderer is a whole JavaScript engine: where memory is short it does not raise, it ends its process.
"""

import atexit
import json
import subprocess
import sys
from contextlib import suppress
from functools import cache
from typing import Any

from holdfast.core.errors import CannotDraw


class Painter:
    """A process that draws, started at the first drawing; once it has died it is not started again."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._died: str | None = None

    def svg(self, spec: dict[str, Any]) -> str:
        """A Vega-Lite specification as SVG, as the renderer draws it."""
        if self._died is None:
            answer = self._ask(spec)
            if "svg" in answer:
                return str(answer["svg"])
            raise CannotDraw(str(answer.get("error")))
        raise CannotDraw(self._died)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, spec: dict[str, Any]) -> dict[str, Any]:
        try:
            process = self._process = self._process or _start()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(spec) + "\n")
            process.stdin.flush()
            answer: dict[str, Any] = json.loads(process.stdout.readline())
        except (OSError, ValueError) as error:  # it cannot be started, or went away
            code = None if self._process is None else self._process.wait()
            self._died = f"{error}" if code is None else f"the drawing process ended with exit code {code}"
            raise CannotDraw(self._died) from error
        return answer


def _start() -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", __spec__.name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a crashing engine prints a lot
        text=True,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C is for the parent
    )


@cache
def painter() -> Painter:
    """The painter of this process, started once: an engine takes a second or two to start."""
    one = Painter()
    atexit.register(one.close)
    return one


def draw(line: str) -> dict[str, str]:
    """The answer to one line: a drawing, or why there is none."""
    try:
        import vl_convert

        return {"svg": vl_convert.vegalite_to_svg(line)}
    except (ImportError, OSError, ValueError, MemoryError) as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Draw what standard input asks for, until it ends."""
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    with suppress(BrokenPipeError):
        for line in sys.stdin:
            sys.stdout.write(json.dumps(draw(line)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
