"""Vectors in two dimensions, to be looked at."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from holdfast.core.errors import BadSetting

LEAST = 4  # points for t-SNE
PERPLEXITY = 30.0


class Plane(NamedTuple):
    """Points, and the share of the vectors' variance that lies along each axis."""

    points: Float[Tensor, "n 2"]
    variance: Float[Tensor, "2"]


def pca(vectors: Float[Tensor, "n d"]) -> Plane:
    """The two directions along which vectors vary most; the sign of each is that of its largest number.

    >>> plane = pca(torch.tensor([[0.0, 0.0], [0.0, -3.0], [1.0, 0.0], [1.0, -3.0]]))
    >>> plane.points[:, 0].tolist(), round(plane.variance[0].item(), 2)
    ([1.5, -1.5, 1.5, -1.5], 0.9)
    """
    if min(vectors.shape) < 2:
        raise BadSetting(
            "expected two or more vectors of two or more numbers for a plane, but got "
            f"{' of '.join(map(str, vectors.shape))}"
        )
    centred = vectors.double() - vectors.double().mean(0)
    _, lengths, axes = torch.linalg.svd(centred, full_matrices=False)
    largest = axes.abs().argmax(1, keepdim=True)
    axes = axes * axes.gather(1, largest).sign()
    squares = lengths.square()
    return Plane(centred @ axes[:2].T, squares[:2] / squares.sum().clamp(min=torch.finfo(squares.dtype).tiny))


def tsne(vectors: Float[Tensor, "n d"], perplexity: float = PERPLEXITY, seed: int = 0) -> Tensor:
    """Points whose near neighbours are those of the vectors (van der Maaten & Hinton 2008); distances between
    clusters mean nothing.

    It starts from the first principal components, and runs on one thread, so that it does not depend on the
    number of cores. ``perplexity`` is at most a third of the other points.
    """
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    n = len(vectors)
    if n < LEAST:
        raise BadSetting(f"expected {LEAST} or more vectors for t-SNE, but got {n}")
    flat = TSNE(init="pca", random_state=seed, perplexity=min(perplexity, (n - 1) / 3))
    with threadpool_limits(1):
        return torch.as_tensor(flat.fit_transform(vectors.double().numpy())).double()
