"""What the answers of one member add up to in each bin of confidence, example by example."""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from holdfast.measure.bins import confidence_bin


class Graded(NamedTuple):
    """Each answer's confidence (the largest probability), the bin that is in, and 1 where it is right."""

    confidence: Float[Tensor, "K"]
    bin: Int[Tensor, "K"]
    right: Float[Tensor, "K"]


class AnswerSums(NamedTuple):
    """Of each example and bin: the number of answers, and the sum of right − confidence; of each bin the sum
    of confidences and of right answers."""

    number: Float[Tensor, "n bins"]
    gap: Float[Tensor, "n bins"]
    confidence: Float[Tensor, "bins"]
    right: Float[Tensor, "bins"]


def graded(probabilities: Float[Tensor, "K C"], targets: Int[Tensor, "K"], bins: int) -> Graded:
    """The answers of one member.

    >>> graded(torch.tensor([[0.25, 0.75]]), torch.tensor([1]), 10).bin
    tensor([7])
    """
    confidence, guess = probabilities.double().max(-1)
    right = (guess == targets.to(guess.device)).double()
    return Graded(confidence, confidence_bin(confidence, bins), right)


def answer_sums(answers: Graded, examples: int, bins: int) -> AnswerSums:
    """The sums of K answers to fewer ``examples``, each of which has as many in a row.

    ``gap_eb = Σ_{k of e in b} (right_k − confidence_k)``: all that a table of K answers by bins would tell.

    >>> one = Graded(torch.tensor([0.75, 0.95]).double(), torch.tensor([7, 9]), torch.ones(2).double())
    >>> answer_sums(one, 1, 10).number[0, [7, 8, 9]].tolist()
    [1.0, 0.0, 1.0]
    """
    confidence, bin, right = answers
    each = max(len(bin) // max(examples, 1), 1)
    place = torch.arange(len(bin), device=bin.device) // each * bins + bin

    def by_example(values: Tensor) -> Tensor:
        return values.new_zeros(examples * bins).index_add_(0, place, values).view(examples, bins)

    def by_bin(values: Tensor) -> Tensor:
        return values.new_zeros(bins).index_add_(0, bin, values)

    tables = by_example(torch.ones_like(confidence)), by_example(right - confidence)
    return AnswerSums(*tables, by_bin(confidence), by_bin(right))
