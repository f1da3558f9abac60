"""Vectors in a plane."""

import numpy as np
import pytest
import torch

from holdfast.core.errors import BadSetting
from holdfast.measure.embedding import pca, tsne

VECTORS = torch.randn(40, 5, generator=torch.Generator().manual_seed(1)) * torch.tensor(
    [1.0, 4.0, 2.0, 1.0, 1.0]
)


def test_twin():
    """From the eigenvectors of the covariance."""
    x = VECTORS.double().numpy()
    x = x - x.mean(0)
    values, axes = np.linalg.eigh(x.T @ x)
    axes = axes[:, ::-1][:, :2]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), [0, 1]])
    plane = pca(VECTORS)
    assert plane.points.numpy() == pytest.approx(x @ axes)
    assert plane.variance.numpy() == pytest.approx(values[::-1][:2] / values.sum())


def test_scikit_learn_agrees_but_for_the_sign():
    from sklearn.decomposition import PCA

    peer = PCA(2, svd_solver="full").fit(VECTORS.double().numpy())
    assert pca(VECTORS).variance.numpy() == pytest.approx(peer.explained_variance_ratio_)
    theirs = peer.transform(VECTORS.double().numpy())
    assert pca(VECTORS).points.abs().numpy() == pytest.approx(np.abs(theirs))


def test_vectors_without_variance_are_one_point():
    plane = pca(torch.ones(4, 3))
    assert not plane.points.any()
    assert plane.variance.tolist() == [0.0, 0.0]


def test_clusters_stay_apart_and_nothing_varies():
    vectors = torch.randn(24, 6, generator=torch.Generator().manual_seed(2))
    vectors[:12] += 20
    flat = tsne(vectors)
    assert flat.shape == (24, 2)
    assert torch.equal(flat, tsne(vectors))
    near = torch.cdist(flat, flat).fill_diagonal_(torch.inf).argmin(1)
    assert torch.equal(near < 12, torch.arange(24) < 12)


def test_what_makes_no_plane_is_refused():
    with pytest.raises(
        BadSetting, match=r"^expected two or more vectors of two or more numbers for a plane, but "
    ):
        pca(torch.ones(4, 1))
    with pytest.raises(BadSetting, match=r"^expected 4 or more vectors for t-SNE, but got 3$"):
        tsne(torch.ones(3, 2))
