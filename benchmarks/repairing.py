"""An epoch of each repair by adversarial training over an epoch without a repair, on one CPU thread.

Made-up texts of SST's lengths, 300-d vectors, batches of 32. ``seat`` has P = 10 steps of ascent in each
optimiser's step; aim: at most P + 3 plain epochs. Its teacher is an untrained member, which takes as long.
Seconds of the process, so that others on the machine matter less; the repairs take turns, and the least of
each counts. The neighbours of ``word_iat``, found once before training, are timed apart.
"""

import argparse
import time

from texts import DIM, dataset, texts

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.data.base import Dataset
from holdfast.train.family import initial, one_thread, template
from holdfast.train.fit import Fit
from holdfast.train.job import stack
from holdfast.train.loop import Loop
from holdfast.train.teacher import taught

STEPS = 10
REPAIRS = (
    f"seat:steps={STEPS}",
    "seat:lambda1=0",
    "attention_rp",
    "attention_at",
    "attention_iat",
    "word_at",
    "word_iat",
)


def loop_of(data: Dataset, model: str, repair: str) -> Loop:
    """Training that is about to begin."""
    architecture, settings = make("models", model), make("repairs", repair)
    start = initial(architecture, data.task, Member(0))
    whole = taught(start, dict.fromkeys(settings.teachers(architecture), start))
    return Loop(template(architecture, data.task), stack([whole]), data, (Member(0),), Fit(), settings)


def seconds(loop: Loop, epoch: int) -> float:
    """Of one epoch's steps."""
    before = time.process_time()
    for _ in loop.steps(epoch):
        pass
    return time.process_time() - before


def compare(data: Dataset, model: str, repeats: int) -> None:
    """All repairs in turn."""
    loops = {name: loop_of(data, model, name) for name in ("none", *REPAIRS)}
    turns = [{name: seconds(loop, epoch) for name, loop in loops.items()} for epoch in range(1, repeats + 2)]
    least = {name: min(turn[name] for turn in turns[1:]) for name in loops}
    print(f"{model}: an epoch without a repair {least['none']:.3f} s")
    for name in REPAIRS:
        print(f"{model}, {name}: {least[name]:.3f} s: repair/none {least[name] / least['none']:.2f}")


def main() -> None:
    """A fraction of SST by default."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1920)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--models", nargs="+", default=["cnn", "rnn", "bilstm"])
    options = parser.parse_args()
    data = dataset(*texts(options.rows))
    with one_thread():
        before = time.process_time()
        loop_of(data, f"average:dim={DIM}", "word_iat")
        print(f"word_iat: {data.task.vocabulary} words' neighbours {time.process_time() - before:.2f} s")
        for model in options.models:
            compare(data, f"{model}:dim={DIM}", options.repeats)


if __name__ == "__main__":
    main()
