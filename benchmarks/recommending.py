"""SASRec (b = 2, d = 64, n = 50, batches of 128) against a plain PyTorch loop, both in one run.

Histories are made up, with the sizes of MovieLens-1M: 3,416 items, a window of 50 for each row. On the CPU:
the time of one seed of ours over that of one plain run, one thread each, seconds of the process. On a GPU:
ten stacked seeds, in a captured graph, over *one* plain eager run, TF32 on for both (aim: at most 0.8). Both
sides draw windows and negatives anew each epoch; ours also evaluates a few users after each.

With ``--recbole`` RecBole's SASRec (1.2.1, to be installed beside; BPR loss, one negative) is the peer, on
the CPU. A row of RecBole is one action with what came before it, ours is a window whose every position
predicts the next item, so both a step and an epoch, a pass over all actions, are compared.
"""

import argparse
import math
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from holdfast.core.catalogue import make
from holdfast.core.records import Member
from holdfast.data.base import Dataset, Split, Task
from holdfast.data.interaction.histories import Histories
from holdfast.data.interaction.splits import HeldOut, Windows
from holdfast.train.family import fit_all
from holdfast.train.fit import Fit, Progress
from holdfast.train.repair import Nothing

ITEMS, LENGTH, DIM, BATCH, SEEDS, EVALUATED, AIM = 3416, 50, 64, 128, 10, 64, 0.8


class PlainBlock(nn.Module):
    """The same block with torch's own layers."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.join = (nn.Linear(DIM, DIM, bias=False) for _ in range(4))
        self.feed = nn.Sequential(nn.Linear(DIM, DIM), nn.LeakyReLU(), nn.Linear(DIM, DIM))
        self.before, self.after = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.dropout = nn.Dropout(rate)

    def forward(self, states: Tensor, allowed: Tensor) -> Tensor:
        scores = self.query(states) @ self.key(states).mT / math.sqrt(DIM)
        weights = scores.masked_fill(~allowed, -1e9).softmax(-1)
        g = self.dropout(self.join(weights @ self.value(states))) + states
        return self.after(self.dropout(self.feed(self.before(g))) + g)


class PlainSasrec(nn.Module):
    """SASRec as anybody would write it."""

    def __init__(self, blocks: int, rate: float = 0.2) -> None:
        super().__init__()
        self.items = nn.Embedding(ITEMS + 1, DIM, padding_idx=0)
        self.positions = nn.Embedding(LENGTH, DIM)
        self.blocks = nn.ModuleList(PlainBlock(rate) for _ in range(blocks))
        self.register_buffer("earlier", torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril())

    def forward(self, items: Tensor, following: Tensor, negatives: Tensor) -> Tensor:
        mask = items > 0
        states = self.items(items) + self.positions.weight
        for block in self.blocks:
            states = block(states, mask[:, None] & self.earlier)
        positive = (states * self.items(following)).sum(-1)
        negative = (states * self.items(negatives)).sum(-1)
        each = F.softplus(-positive) + F.softplus(negative)
        return (each * mask).sum() / mask.sum()


def plain_run(split: Windows, blocks: int, epochs: int, device: str) -> None:
    """One ordinary training run: default Adam, windows and negatives drawn for each epoch."""
    model = PlainSasrec(blocks).to(device)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        drawn = split.fresh(Member(0), epoch, 1, torch.device(device))
        following, negatives = drawn.following, drawn.negatives
        assert following is not None
        assert negatives is not None
        for rows in torch.randperm(len(split), device=device).split(BATCH):
            loss = model(drawn.inputs[rows], following[rows], negatives[rows, :, 0])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()


class RandomHistories(Dataset):
    """Random histories of ``users`` users, some shorter than a window."""

    name = "plays"

    def __init__(self, users: int) -> None:
        draw = torch.Generator().manual_seed(0)
        lengths = torch.randint(20, 150, (users,), generator=draw)
        ids = torch.randint(1, ITEMS + 1, (int(lengths.sum()),), generator=draw, dtype=torch.int32)
        histories = Histories(ids, torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)]))
        few = Histories(ids, histories.offsets[: min(users, EVALUATED) + 1])
        candidates = torch.randint(1, ITEMS + 1, (len(few), 101), generator=draw)
        asked = HeldOut(few, candidates, ITEMS, LENGTH, back=2)
        self.windows = Windows(histories, ITEMS, LENGTH)
        self.task = Task(ITEMS + 1, (), length=LENGTH)
        self.splits: dict[str, Split] = {"train": self.windows, "validation": asked, "test": asked}

    def save(self, path: Path) -> str:
        raise NotImplementedError("made up anew each time")

    @classmethod
    def load(cls, path: Path) -> "RandomHistories":
        raise NotImplementedError("made up anew each time")


def ours(
    dataset: RandomHistories, blocks: int, seeds: int, epochs: int, device: str, clock: Callable[[], float]
):
    """Seconds of the first epoch, which captures graphs, and of each other one."""
    marks = [clock()]

    def listen(progress: Progress) -> None:
        marks.append(clock())

    fit = Fit(epochs=epochs + 1, batch=BATCH, patience=epochs + 1)
    members = tuple(Member(seed) for seed in range(seeds))
    list(fit_all(make("models", f"sasrec:blocks={blocks}"), dataset, members, fit, Nothing(), device, listen))
    return marks[1] - marks[0], (marks[-1] - marks[1]) / epochs


def cpu(dataset: RandomHistories, blocks: int, epochs: int, repeats: int) -> None:
    """One seed over one plain run, taking turns."""
    torch.set_num_threads(1)
    plain_run(dataset.windows, blocks, 1, "cpu")
    turns = []
    for _ in range(repeats):
        began = time.process_time()
        plain_run(dataset.windows, blocks, epochs, "cpu")
        plain = (time.process_time() - began) / epochs
        turns.append((plain, ours(dataset, blocks, 1, epochs, "cpu", time.process_time)[1]))
    plain, own = (statistics.median(side) for side in zip(*turns, strict=True))
    ratio = statistics.median(own / plain for plain, own in turns)
    print(f"cpu sasrec b={blocks}: one plain epoch {plain:.2f} s, ours {own:.2f} s: ours/plain {ratio:.2f}")


def recbole(dataset: RandomHistories, blocks: int) -> None:
    """One step and one epoch of RecBole's SASRec, and of ours with as many windows as cover the actions."""
    import numpy

    for name, kind in (("float_", numpy.float64), ("complex_", numpy.complex128), ("unicode_", numpy.str_)):
        setattr(numpy, name, kind)  # RecBole 1.2.1 asks for names that NumPy 2 no longer has
    from recbole.config import Config
    from recbole.data import create_dataset, data_preparation
    from recbole.utils import get_model, get_trainer

    torch.set_num_threads(1)
    histories = dataset.windows.histories
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "plays").mkdir()
        rows = [
            f"{user}\t{item}\t{when}"
            for user in range(len(histories))
            for when, item in enumerate(histories.of(user).tolist())
        ]
        text = "\n".join(["user_id:token\titem_id:token\ttimestamp:float", *rows, ""])
        (Path(folder) / "plays" / "plays.inter").write_text(text)
        negatives = {"distribution": "uniform", "sample_num": 1, "alpha": 1.0, "dynamic": False}
        sizes = {"n_layers": blocks, "n_heads": 1, "hidden_size": DIM, "inner_size": DIM}
        asked = {
            "data_path": folder,
            "checkpoint_dir": folder,
            "load_col": {"inter": ["user_id", "item_id", "timestamp"]},
            "MAX_ITEM_LIST_LENGTH": LENGTH,
            "hidden_dropout_prob": 0.2,
            "attn_dropout_prob": 0.0,
            "hidden_act": "relu",
            "loss_type": "BPR",
            "train_neg_sample_args": negatives | {"candidate_num": 0},
            "train_batch_size": BATCH,
            "eval_args": {"split": {"LS": "valid_and_test"}, "order": "TO", "mode": "uni100"},
            "use_gpu": False,
            "show_progress": False,
            "state": "ERROR",
        }
        config = Config(model="SASRec", dataset="plays", config_dict=asked | sizes)
        train, _, _ = data_preparation(config, create_dataset(config))
        model = get_model("SASRec")(config, train.dataset)
        trainer = get_trainer(config["MODEL_TYPE"], "SASRec")(config, model)
        began = time.process_time()
        trainer._train_epoch(train, 0, show_progress=False)
        peer = time.process_time() - began
    own = ours(dataset, blocks, 1, 2, "cpu", time.process_time)[1]
    windows = math.ceil(len(histories.ids) / LENGTH / len(histories))  # of each user, to cover all actions
    steps = math.ceil(len(histories) / BATCH)
    step, epoch = own / steps / (peer / len(train)), windows * own / peer
    print(
        f"cpu sasrec b={blocks}: a step of ours costs {step:.2f} of RecBole's; an epoch of ours "
        f"({windows * steps} steps) costs {epoch:.3f} of RecBole's ({len(train)} steps)"
    )


def gpu(dataset: RandomHistories, blocks: int, epochs: int, repeats: int) -> None:
    """Ten stacked seeds over one plain run; the first epoch of each warms up, captures, and is told apart."""
    torch.set_float32_matmul_precision("high")

    def clock() -> float:
        torch.cuda.synchronize()
        return time.perf_counter()

    plain_run(dataset.windows, blocks, 1, "cuda")
    turns = []
    for _ in range(repeats):
        began = clock()
        plain_run(dataset.windows, blocks, epochs, "cuda")
        plain = (clock() - began) / epochs
        turns.append((plain, *ours(dataset, blocks, SEEDS, epochs, "cuda", clock)))
    plain, first, rest = (statistics.median(side) for side in zip(*turns, strict=True))
    ratio = statistics.median(rest / plain for plain, _, rest in turns)
    print(
        f"gpu sasrec b={blocks} (TF32 on): one plain epoch {plain:.3f} s, ten stacked {rest:.3f} s (first "
        f"epoch, with its capture, {first:.1f} s): ten seeds cost {ratio:.2f} of one plain run (aim: {AIM})"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--users", type=int, help="rows of an epoch (default: 6,040 on a GPU, else 2,560)")
    options.add_argument("--blocks", type=int, default=2)
    options.add_argument("--epochs", type=int, default=2)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--recbole", action="store_true", help="against RecBole instead, on the CPU")
    asked = options.parse_args()
    users = asked.users or (6040 if asked.device == "cuda" else 2560)
    if asked.recbole:
        recbole(RandomHistories(users), asked.blocks)
        return
    {"cpu": cpu, "cuda": gpu}[asked.device](RandomHistories(users), asked.blocks, asked.epochs, asked.repeats)


if __name__ == "__main__":
    main()
