"""The plain way: a classifier and a training loop as anybody would write them in PyTorch."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class PlainClassifier(nn.Module):
    """Embedding → conv or LSTM → additive attention → linear, with torch's own layers.

    ``packed`` keeps padding out of the LSTM, as ours does; without it padding leaks into the direction that
    reads backwards, and a text's result depends on its neighbours.
    """

    def __init__(self, kind: str, vocabulary: int, dim: int, packed: bool = True) -> None:
        super().__init__()
        self.kind, self.packed = kind, packed
        self.embedding = nn.Embedding(vocabulary, dim, padding_idx=0)
        self.convolutions = nn.ModuleList(nn.Conv1d(dim, 32, k, padding=k // 2) for k in (1, 3, 5, 7))
        self.lstm = nn.LSTM(dim, 128, batch_first=True, bidirectional=True)
        width = 128 if kind == "cnn" else 256
        self.project, self.score = nn.Linear(width, width // 2), nn.Linear(width // 2, 1, bias=False)
        self.head = nn.Linear(width, 1)
        if kind == "cnn":
            del self.lstm
        else:
            del self.convolutions

    def forward(self, words: Tensor, mask: Tensor) -> Tensor:
        embedded = self.embedding(words)
        if self.kind == "cnn":
            signal = embedded.transpose(1, 2)
            states = torch.cat([F.relu(conv(signal)) for conv in self.convolutions], 1).transpose(1, 2)
        elif self.packed:
            lengths = mask.sum(1).cpu()
            sequences = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
            states, _ = pad_packed_sequence(self.lstm(sequences)[0], batch_first=True)
        else:
            states, _ = self.lstm(embedded)
        scores = self.score(torch.tanh(self.project(states)))[..., 0].masked_fill(~mask, -1e9)
        context = (scores.softmax(1)[..., None] * states).sum(1)
        return self.head(context)[:, 0]


def plain_run(
    kind: str,
    words: list[Tensor],
    labels: Tensor,
    vocabulary: int,
    dim: int,
    epochs: int,
    device: str,
    packed: bool = True,
) -> PlainClassifier:
    """One ordinary training run: default Adam, batches of 32 padded to their longest text."""
    model = PlainClassifier(kind, vocabulary, dim, packed).to(device)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for rows in torch.randperm(len(words)).split(32):
            batch = pad_sequence([words[i] for i in rows.tolist()], batch_first=True).to(device)
            loss = F.binary_cross_entropy_with_logits(model(batch, batch != 0), labels[rows].to(device))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return model
