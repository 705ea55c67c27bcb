"""The Nyström method: kernel PCA of a few points, the landmarks, and projection of the rest."""

from __future__ import annotations

from functools import partial

from numpy.typing import ArrayLike

from kmds_lib._fast.blocks import as_rows, map_rows, read_rows
from kmds_lib._kernel_pca import kernel_pca
from kmds_lib._labels import carry_labels
from kmds_lib._landmark_scaling import (
    LandmarkEmbedding,
    Seed,
    squared_distances_to,
    transform_block,
)
from kmds_lib._landmarks import Choice, landmark_rows
from kmds_lib._parameters import check_option, random_generator
from kmds_lib._types import FloatArray
from kmds_lib.kernels import Kernel
from kmds_lib.kernels._checks import check_kernel

__all__ = ["nystroem"]


@carry_labels
def nystroem(
    X: ArrayLike,
    kernel: Kernel,
    n_components: int | float = 2,
    *,
    landmarks: int | ArrayLike | None = None,
    choose: Choice = "random",
    seed: Seed = None,
) -> LandmarkEmbedding:
    r"""Compute kernel PCA of a few points, the landmarks, and project all points on its axes.

    Parameters
    ----------
    X : array_like or Dask array of shape (n, p)
        Points, one in each row.
    kernel : Kernel
        From `kmds_lib.kernels`, for example ``RBF(theta)``.
    n_components : int or float
        Number of components, from 1 to m - 1; or a share between 0 and 1, as in `kernel_pca` of
        the landmarks.
    landmarks, seed
        As in `landmark_scaling`.
    choose : {"random", "farthest", "kmeans"}
        As in `landmark_scaling`. "farthest" compares distances between feature vectors, "kmeans"
        those between the rows of `X`.

    Returns
    -------
    LandmarkEmbedding
        Scores of all n points, eigenvalues of the landmarks, and `transform` for new points.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix, `kernel` is not a `Kernel`, there are not more
        landmarks than components, a row number is repeated or out of range, or an option is
        unknown.

    Warns
    -----
    FewerComponentsWarning
        If the landmarks have fewer than `n_components` positive eigenvalues; the positive ones
        are returned.
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on :math:`\mathbb R^p`.

    Notes
    -----
    Derived in Chapter 10, New points and landmarks. After kernel PCA of the landmarks, each point
    gets the scores :math:`y = (k(x) - \text{mean } k)^\top V \Lambda^{-1/2}`, centred at the mean
    of the landmarks. They equal the coordinates that `landmark_scaling` gives for the feature
    distances. If all points are landmarks, the result is that of `kernel_pca`. For memory and Dask
    see `landmark_scaling`. Source: Williams & Seeger (2001); Platt (2005); landmarks from k-means:
    Zhang, Tsang & Kwok (2008).

    Examples
    --------
    >>> import numpy as np
    >>> from kmds_lib.kernels import RBF
    >>> X = np.random.default_rng(0).standard_normal((1000, 3))
    >>> fit = nystroem(X, RBF(0.1), 2, landmarks=50, choose="farthest", seed=0)
    >>> fit.points.shape, len(fit.eigenvalues)
    ((1000, 2), 2)
    """
    check_option(choose, Choice, "choose")
    check_kernel(kernel, "kernel", "a kernel of your own")
    rng = random_generator(seed)
    data = as_rows(X, "X", min_rows=2)
    distances_to = partial(squared_distances_to, data, partial(_feature_squares, kernel))
    rows = landmark_rows(data, landmarks, n_components, choose, rng, distances_to)
    fit = kernel_pca(read_rows(data, rows), kernel, n_components)
    place = partial(transform_block, fit)
    points = map_rows(place, data, len(fit.eigenvalues), len(rows))
    return LandmarkEmbedding(fit.pairs, points, rows, fit, kernel, place, data.shape[1])


def _feature_squares(kernel: Kernel, x: FloatArray, block: FloatArray, name: str) -> FloatArray:
    """Return k(y, y) + k(x, x) - 2 k(y, x) for the rows y of a block.

    These are the squared distances between feature vectors. For an isotropic kernel,
    2 (k(x, x) - k(y, x)) is computed without subtracting two numbers that are nearly equal.
    """
    if kernel.isotropic:
        return -2 * kernel.minus_value_at_zero(block, x)
    lengths = kernel.diagonal(block)[:, None] + kernel.diagonal(x)
    return lengths - 2 * kernel.cross(block, x)
