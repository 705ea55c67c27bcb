"""The Nyström method: kernel PCA of a few points, the landmarks, and projection of the rest."""

from __future__ import annotations

from functools import partial

from numpy.typing import ArrayLike

from kmds_lib._kernel_pca import kernel_pca
from kmds_lib._labels import store_labels
from kmds_lib._landmark_scaling import LandmarkEmbedding, Seed
from kmds_lib._landmarks import LandmarkChoice, landmark_rows
from kmds_lib._parameters import check_option, random_generator
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_points
from kmds_lib.kernels import Kernel
from kmds_lib.kernels._kernel_validation import check_kernel


@store_labels()
def nystroem(
    X: ArrayLike,
    kernel: Kernel,
    n_components: int | float = 2,
    *,
    landmarks: int | ArrayLike | None = None,
    choose: LandmarkChoice = "random",
    seed: Seed = None,
) -> LandmarkEmbedding:
    r"""Compute kernel PCA of a few points, the landmarks, and project all points on its axes.

    Parameters
    ----------
    X, kernel, n_components
        As in `kernel_pca`; `n_components` is as in `kernel_pca` of the landmarks.
    landmarks, choose, seed
        As in `landmark_scaling`. "farthest" compares distances between feature vectors.

    Returns
    -------
    LandmarkEmbedding
        Scores of all n points, eigenvalues of the landmarks, and `transform` for new points.

    Raises
    ------
    ValueError
        As in `kernel_pca` and `landmark_scaling`.

    Warns
    -----
    FewerComponentsWarning
        As in `landmark_scaling`.
    DefinitenessWarning
        As in `kernel_pca`.

    Notes
    -----
    Derived in Chapter 10, New points and landmarks. After kernel PCA of the landmarks, each point
    gets the scores :math:`y = (k(x) - \text{mean } k)^\top V \Lambda^{-1/2}`, centred at the mean
    of the landmarks. They equal the coordinates that `landmark_scaling` gives for the feature
    distances. If all points are landmarks, the result is that of `kernel_pca`. For data that
    do not fit into memory see `landmark_scaling`. Source: Williams & Seeger (2001); Platt (2005).

    Examples
    --------
    >>> import numpy as np
    >>> from kmds_lib.kernels import RBF
    >>> X = np.random.default_rng(0).standard_normal((1000, 3))
    >>> fit = nystroem(X, RBF(0.1), 2, landmarks=50, choose="farthest", seed=0)
    >>> fit.points.shape, len(fit.eigenvalues)
    ((1000, 2), 2)
    """
    check_option(choose, LandmarkChoice, "choose")
    check_kernel(kernel, "kernel", "a kernel of your own")
    rng = random_generator(seed)
    data = as_points(X, min_points=2)
    distances_to = partial(_feature_squares, kernel, data)
    rows = landmark_rows(len(data), landmarks, n_components, choose, rng, distances_to)
    fit = kernel_pca(data[rows], kernel, n_components)
    return LandmarkEmbedding(fit.pairs, fit.transform(data), rows, fit, kernel)


def _feature_squares(kernel: Kernel, X: FloatArray, row: int) -> FloatArray:
    """Return k(y, y) + k(x, x) - 2 k(y, x) for all rows y of X and the row x with this number.

    These are the squared distances between feature vectors. For an isotropic kernel,
    2 (k(x, x) - k(y, x)) is computed without subtracting two numbers that are nearly equal.
    """
    x = X[[row]]
    if kernel.isotropic:
        return -2 * kernel.k_minus_value_at_zero(X, x)[:, 0]
    return kernel.diagonal(X) + kernel.diagonal(x) - 2 * kernel.cross(X, x)[:, 0]
