"""Naive twins of the models: one text at a time, loops, and torch's own layers as oracles."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from holdfast.models.text.average import Projection
from holdfast.models.text.bilstm import Recurrence
from holdfast.models.text.classifier import Encoder, TextModel
from holdfast.models.text.cnn import Convolutions
from holdfast.models.text.rnn import Elman


def softmax(scores: list[float]) -> list[float]:
    """The plain formula."""
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def convolve(encoder: Convolutions, text: Tensor) -> Tensor:
    """States (T, m) of a text (T, D) with zeros at its holes, one ``conv1d`` a kernel."""
    filters, parts = encoder.width // len(encoder.kernels), []
    blocks = dict(
        zip(range(-encoder.reach, encoder.reach + 1), encoder.taps.split(encoder.sizes, 1), strict=True)
    )
    for place, kernel in enumerate(encoder.kernels):
        columns = slice(place * filters, (place + 1) * filters)
        taps = [blocks[offset][:, columns].T for offset in range(-(kernel // 2), kernel // 2 + 1)]
        parts.append(
            F.conv1d(text.T[None], torch.stack(taps, 2), encoder.bias[columns], padding=kernel // 2)[0]
        )
    return torch.cat(parts).relu().T


def lstm(encoder: Recurrence, text: Tensor) -> tuple[Tensor, Tensor]:
    """States and last states of a text without holes, by ``torch.nn.LSTM``."""
    twin = nn.LSTM(text.shape[1], encoder.hidden, bidirectional=True, dtype=text.dtype)
    with torch.no_grad():
        for direction, suffix in enumerate(("", "_reverse")):
            for name, ours in (("weight_ih_l0", encoder.inputs), ("weight_hh_l0", encoder.states.mT)):
                getattr(twin, name + suffix).copy_(_torch_order(ours[direction]).T)
            getattr(twin, "bias_ih_l0" + suffix).copy_(_torch_order(encoder.bias[direction])[0])
            getattr(twin, "bias_hh_l0" + suffix).zero_()
    states, (last, _) = twin(text)
    return states, last.flatten()


def elman(encoder: Elman, text: Tensor) -> Tensor:
    """States of a text without holes, step by step."""
    state, states = torch.zeros(encoder.width, dtype=text.dtype), []
    for word in text:
        state = torch.tanh(word @ encoder.inputs + state @ encoder.states + encoder.bias)
        states.append(state)
    return torch.stack(states)


def encode(encoder: Encoder, text: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """States of the words that exist, in order, and the summary."""
    if isinstance(encoder, Convolutions):
        states = convolve(encoder, text * mask[:, None])[mask]
        return states, states.max(0).values
    words = text[mask]
    if isinstance(encoder, Recurrence):
        return lstm(encoder, words)
    if isinstance(encoder, Elman):
        states = elman(encoder, words)
        return states, states[-1]
    assert isinstance(encoder, Projection)
    states = torch.stack([torch.tanh(encoder.project(word)) for word in words])
    return states, states.sum(0) / len(words)


def classify(
    model: TextModel, words: Tensor, mask: Tensor, query: Tensor | None = None
) -> tuple[Tensor, list[float]]:
    """Logits and attention over the words that exist, of one text."""
    states, _ = encode(model.encoder, model.embedding.weight[words], mask)
    summary = None
    if query is not None:
        whole = torch.ones(len(query), dtype=torch.bool)
        summary = encode(model.query_encoder, model.embedding.weight[query], whole)[1]
    weights = softmax([_score(model, state, summary) for state in states])
    context = sum(weight * state for weight, state in zip(weights, states, strict=True))
    if summary is not None:
        context = torch.tanh(model.join_context(context) + model.join_query(summary))
    logits = model.head(context)
    return (torch.cat([torch.zeros(1, dtype=logits.dtype), logits]) if len(logits) == 1 else logits), weights


def _score(model: TextModel, state: Tensor, query: Tensor | None) -> float:
    pool = model.pool
    if pool.kind == "additive":
        inside = pool.states.weight @ state + pool.states.bias
        if query is not None:
            inside = inside + pool.query.weight @ query
        return float((pool.score.weight[0] @ inside.tanh()).detach())
    key = pool.weight if query is None else pool.query.weight @ query
    return float((key @ state).detach()) / math.sqrt(len(state))


def _torch_order(weights: Tensor) -> Tensor:
    """Gates i, f, o, g → torch's i, f, g, o, along the last axis."""
    write, keep, show, candidate = weights.chunk(4, -1)
    return torch.cat([write, keep, candidate, show], -1)


def softmax_among(logits, options):
    """``exp z_c / Σ exp z`` over the options, 0 for every other class."""
    powers = [math.exp(z) if option else 0.0 for z, option in zip(logits, options, strict=True)]
    return [power / sum(powers) for power in powers]
