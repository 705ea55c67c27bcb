"""New points, and more points than memory holds: a few landmarks are fitted, the rest is placed.

Placing is the formula of Gower's added point: the squared distances of an object to the
landmarks, minus their means, times -1/2 V Lambda^{-1/2}. With kernel values in their place it is
the extension of Nystroem. An object needs its m values alone, so that objects are placed block by
block, and no array between all objects and the landmarks is ever whole in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from kmds_lib._checks import FloatArray, Metric, as_cross, as_dissimilarities, check_option
from kmds_lib._classical_scaling import ClassicalScalingResult, classical_scaling
from kmds_lib._embedding import Embedding, Spectrum
from kmds_lib._fast.blocks import (
    BlockFunction,
    IntArray,
    as_rows,
    map_rows,
    read_entries,
    read_rows,
)
from kmds_lib._gram import distances
from kmds_lib._kernel_pca import kernel_pca
from kmds_lib._kernel_pca_result import KernelPCAResult
from kmds_lib._labels import Labels, carry_labels, labels_of
from kmds_lib._landmarks import Choice, given_rows, landmark_rows
from kmds_lib.kernels import Kernel
from kmds_lib.kernels._base import check_kernel

__all__ = ["LandmarkEmbedding", "landmark_scaling", "nystroem"]

Seed = int | np.random.Generator | None


@dataclass(frozen=True, eq=False)
class LandmarkEmbedding(Embedding):
    """What `landmark_scaling` and `nystroem` return; see `Embedding` for the other attributes.

    ``eigenvalues``, ``explained``, ``negative_mass``, ``residual`` and ``spectrum()`` are those
    of the landmarks' centred Gram matrix, a sum over m objects: for random landmarks about m / n
    of what a fit to all n objects would give. The points have the same scale as in such a fit.

    Attributes
    ----------
    points : ndarray or Dask array of shape (n, k)
        All n objects on the axes of the landmarks. The landmarks are centred, the others need
        not be. A Dask array where the input was one.
    landmarks : ndarray of shape (m,)
        Which rows of the input are the landmarks.
    landmark_fit : ClassicalScalingResult or KernelPCAResult
        The fit to the landmarks alone, whose ``points`` are theirs.
    kernel : Kernel or None
        The kernel that `nystroem` was given.

    Notes
    -----
    Introduced in Chapter 10, A new point is projected.
    """

    points: FloatArray = field(repr=False)
    landmarks: IntArray = field(repr=False)
    landmark_fit: ClassicalScalingResult | KernelPCAResult = field(repr=False)
    kernel: Kernel | None
    _place: BlockFunction = field(repr=False)
    _columns: int = field(repr=False)

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects on the axes of the landmarks.

        Parameters
        ----------
        new : array_like or Dask array of shape (q, p) or (q, m)
            Points in the variables of the fit; for a precomputed metric the distances of each
            new object to the m landmarks, in the order of ``landmarks``.

        Returns
        -------
        ndarray or Dask array of shape (q, k)
            Objects of the fit come back as ``points``.

        Raises
        ------
        ValueError
            If `new` does not have as many columns as the fit wants, or is not finite, or a
            distance is negative. A Dask array raises it when it is computed.

        Notes
        -----
        Derived in Chapter 10, A new point is projected. Source: Gower (1968); de Silva &
        Tenenbaum (2004); Williams & Seeger (2001).

        Examples
        --------
        >>> fit = landmark_scaling([[0.0], [2.0], [7.0]], 1, landmarks=[0, 1, 2])
        >>> fit.transform([[3.0], [4.0]]).round(6)
        array([[0.],
               [1.]])
        """
        rows = as_rows(new, "new", min_rows=0)
        if rows.shape[1] != self._columns:
            raise ValueError(
                f"new has {rows.shape[1]} column(s), but the fit wants {self._columns}: the "
                "variables of its points or, for precomputed distances, one for each landmark."
            )
        width = len(self.eigenvalues)
        points: FloatArray = map_rows(self._place, rows, width, len(self.landmarks), name="new")
        return points

    def _full_spectrum(self) -> Spectrum:
        return self.landmark_fit.spectrum()


@carry_labels
def landmark_scaling(
    X: ArrayLike,
    n_components: int = 2,
    *,
    metric: Metric = "euclidean",
    landmarks: int | ArrayLike | None = None,
    choose: Choice = "random",
    seed: Seed = None,
) -> LandmarkEmbedding:
    r"""Place many objects by their distances to a few, the landmarks.

    Parameters
    ----------
    X : array_like or Dask array of shape (n, p), (n, n) or (n, m)
        Points, one in each row. With ``metric="precomputed"`` dissimilarities: a square table,
        of which the rows of the landmarks alone are read; or a table with one column for each
        landmark, in the order of `landmarks`, which then must be given as indices.
    n_components : int
        Number of coordinates, from 1 to m - 1.
    metric : {"euclidean", "precomputed"}
        What `X` holds.
    landmarks : int or array_like of int, optional
        How many, or which rows of `X`. 200 by default, or all where there are fewer.
    choose : {"random", "farthest", "kmeans"}
        How landmarks are found where their number is given. Random rows. Farthest first: a
        random row, then again and again the object farthest from those there are. Or, for
        points, the one nearest to the centroid in each cluster of k-means.
    seed : int or numpy.random.Generator, optional
        Makes the choice repeat.

    Returns
    -------
    LandmarkEmbedding
        Points of all n objects, eigenvalues of the landmarks, and `transform` for new objects.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix, or its dissimilarities are negative, or those of the
        landmarks not symmetric with a zero diagonal; if there are not more landmarks than
        components, a landmark is named twice or is not a row, or an option is unknown.

    Warns
    -----
    FewerComponentsWarning
        If the landmarks have fewer than `n_components` positive eigenvalues; the positive ones
        are returned. What the landmarks do not span is lost: each object is projected on it.

    Notes
    -----
    Derived in Chapter 10, A new point is projected. Classical scaling of the landmarks, then
    for each object :math:`y = -\tfrac12 (d^{(2)} - \text{mean } d^{(2)})^\top V \Lambda^{-1/2}`.
    Landmarks may coincide: such a place counts as often as it occurs. With all objects as
    landmarks this is `classical_scaling`. Between points the coefficients, which sum to zero,
    cancel :math:`\|x\|^2`, so that the formula is linear: x is projected on the axes of the
    landmarks, and no distance is computed.

    k-means gives as landmark the object nearest to each centroid, not the centroid: every choice
    then ends in row numbers, and landmarks are objects that were observed, also where the
    centroid lies between the data, as on a ring.

    Objects are read in blocks. An array, and with it a ``numpy.memmap``, is never copied whole.
    Of a Dask array the landmarks are computed at once, and `points` when it is asked for.
    Farthest first reads X m times, k-means up to 22 times, random rows once.
    Source: Gower (1968); de Silva & Tenenbaum (2004); Platt (2005).

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((1000, 3))
    >>> fit = landmark_scaling(X, 3, landmarks=20, seed=0)
    >>> fit.points.shape, fit.landmarks.shape
    ((1000, 3), (20,))
    >>> bool(np.allclose(distances(fit.points), distances(X)))
    True
    """
    check_option(metric, Metric, "metric")
    check_option(choose, Choice, "choose")
    rng = np.random.default_rng(seed)
    data = as_rows(X, "X", min_rows=2)
    if metric == "precomputed":
        fit = _scale_table(data, n_components, landmarks, choose, rng)
        return replace(fit, columns=_names_of_landmarks(X, fit.landmarks))
    gaps = partial(_gaps_to, data, _squares)
    rows = landmark_rows(data, landmarks, n_components, choose, rng, gaps)
    L = read_rows(data, rows)
    own = classical_scaling(distances(L), n_components)
    origin = L.mean(axis=0)
    place = partial(_on_axes, origin, (L - origin).T @ own._coefficients)
    points = map_rows(place, data, len(own.eigenvalues), len(rows))
    return LandmarkEmbedding(own.pairs, points, rows, own, None, place, data.shape[1])


@carry_labels
def nystroem(
    X: ArrayLike,
    kernel: Kernel,
    n_components: int = 2,
    *,
    landmarks: int | ArrayLike | None = None,
    choose: Choice = "random",
    seed: Seed = None,
) -> LandmarkEmbedding:
    r"""Find the principal components of a few feature vectors, and project all on them.

    Parameters
    ----------
    X : array_like or Dask array of shape (n, p)
        Points, one in each row.
    kernel : Kernel
        From `kmds_lib.kernels`, for example ``RBF(theta)``.
    n_components : int
        Number of components, from 1 to m - 1.
    landmarks, seed
        As in `landmark_scaling`.
    choose : {"random", "farthest", "kmeans"}
        As in `landmark_scaling`. Farthest first measures distances in feature space, k-means in
        the space of `X`.

    Returns
    -------
    LandmarkEmbedding
        Scores of all n points, eigenvalues of the landmarks, and `transform` for new points.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix, `kernel` is not a `Kernel`, there are not more
        landmarks than components, a landmark is named twice or is not a row, or an option is
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
    Derived in Chapter 10, A new point is projected. Kernel PCA of the landmarks, then for each
    point :math:`y = (k(x) - \text{mean } k)^\top V \Lambda^{-1/2}`, centred at the mean of the
    landmarks. It is `landmark_scaling` of the feature distances. With all points as landmarks this
    is `kernel_pca`. See `landmark_scaling` for memory and for Dask. Source: Williams & Seeger
    (2001); Platt (2005); landmarks from k-means: Zhang, Tsang & Kwok (2008).

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> X = np.random.default_rng(0).standard_normal((1000, 3))
    >>> fit = nystroem(X, RBF(0.1), 2, landmarks=50, choose="farthest", seed=0)
    >>> fit.points.shape, len(fit.eigenvalues)
    ((1000, 2), 2)
    """
    check_option(choose, Choice, "choose")
    check_kernel(kernel, "kernel", "another, also one of your own")
    rng = np.random.default_rng(seed)
    data = as_rows(X, "X", min_rows=2)
    gaps = partial(_gaps_to, data, partial(_feature_squares, kernel))
    rows = landmark_rows(data, landmarks, n_components, choose, rng, gaps)
    fit = kernel_pca(read_rows(data, rows), kernel, n_components)
    place = partial(_by_transform, fit)
    points = map_rows(place, data, len(fit.eigenvalues), len(rows))
    return LandmarkEmbedding(fit.pairs, points, rows, fit, kernel, place, data.shape[1])


def _scale_table(
    table: Any, n_components: int, landmarks: Any, choose: Choice, rng: np.random.Generator
) -> LandmarkEmbedding:
    """Landmark scaling of a table of dissimilarities, square or with a column a landmark.

    Of a square table rows are read, not columns, which in a file lie far apart.
    """
    n, columns = table.shape
    if n == columns:
        gaps = partial(_gaps_in_table, table)
        rows = landmark_rows(table, landmarks, n_components, choose, rng, gaps, kmeans=False)
        own = as_dissimilarities(read_entries(table, rows, rows), "X[landmarks][:, landmarks]")
        across, chosen, name = table.T, rows, "X[landmarks].T"
    else:
        if np.shape(landmarks) != (columns,):
            raise ValueError(
                f"X has shape {table.shape}: for a table that is not square, give as landmarks "
                f"the {columns} row numbers of the objects that its columns belong to."
            )
        rows = given_rows(landmarks, n, n_components)
        own = as_dissimilarities(read_entries(table, rows, np.arange(columns)), "X[landmarks]")
        across, chosen, name = table, None, "X"
    fit = classical_scaling(own, n_components)
    # Placing needs the column means of A alone: so no m x m matrix travels to the workers.
    means = fit._minus_half_squares.mean(axis=0, keepdims=True)
    place = partial(_by_distances, replace(fit, _minus_half_squares=means))
    width = len(fit.eigenvalues)
    points = map_rows(place, across, width, len(rows), columns=chosen, name=name)
    return LandmarkEmbedding(fit.pairs, points, rows, fit, None, place, len(rows))


def _names_of_landmarks(X: Any, landmarks: IntArray) -> Labels | None:
    """Return the names of the columns of a table that belong to the landmarks."""
    names = labels_of(X, "X", square=True)[1]
    if names is None or X.shape[0] != X.shape[1]:
        return names
    return tuple(names[i] for i in landmarks)


def _on_axes(origin: FloatArray, axes: FloatArray, block: FloatArray, name: str) -> FloatArray:
    return (block - origin) @ axes


def _by_transform(
    fit: ClassicalScalingResult | KernelPCAResult, block: FloatArray, name: str
) -> FloatArray:
    try:
        return fit.transform(block)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _by_distances(fit: ClassicalScalingResult, block: FloatArray, name: str) -> FloatArray:
    return _by_transform(fit, as_cross(block, len(fit.points), name, nonnegative=True), name)


def _squares(x: FloatArray, block: FloatArray, name: str) -> FloatArray:
    return cdist(block, x, "sqeuclidean")


def _feature_squares(kernel: Kernel, x: FloatArray, block: FloatArray, name: str) -> FloatArray:
    """Squared distances of feature vectors from that of x: k(y, y) + k(x, x) - 2 k(y, x)."""
    if kernel.isotropic:
        return -2 * kernel.minus_value_at_zero(block, x)
    lengths = kernel.diagonal(block)[:, None] + kernel.diagonal(x)
    return lengths - 2 * kernel.cross(block, x)


def _table_column(block: FloatArray, name: str) -> FloatArray:
    return as_cross(block, 1, name, nonnegative=True)


def _gaps_to(X: Any, squares: Callable[..., FloatArray], row: int) -> Any:
    """Squared distances of all objects to one, for points."""
    x = read_rows(X, np.array([row]))
    return map_rows(partial(squares, x), X, 1, X.shape[1], show_progress=False)[:, 0]


def _gaps_in_table(table: Any, row: int) -> Any:
    """Dissimilarities of all objects to one."""
    column, name = np.array([row]), f"X[[{row}]].T"
    gaps = map_rows(_table_column, table.T, 1, 1, columns=column, name=name, show_progress=False)
    return gaps[:, 0]
