"""Landmark scaling: classical scaling of a few objects, the landmarks, and projection of the rest.

An object is placed by Gower's formula: its squared distances to the m landmarks, minus their
means, times -1/2 V Lambda^{-1/2}. Objects are placed in blocks of rows, so that the n x m matrix
of distances is never in memory as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from kmds_lib._checks import (
    Metric,
    as_cross,
    as_dissimilarities,
    as_numbers,
    refuse_sparse_dissimilarities,
)
from kmds_lib._classical_scaling import ClassicalScalingResult, classical_scaling
from kmds_lib._embedding import Embedding, Spectrum
from kmds_lib._fast.blocks import (
    IntArray,
    as_rows,
    map_rows,
    read_entries,
    read_rows,
)
from kmds_lib._gram import distances
from kmds_lib._kernel_pca_result import KernelPCAResult
from kmds_lib._labels import LabelledArray, Labels, carry_labels, check_columns, labels_of
from kmds_lib._landmarks import Choice, given_rows, landmark_rows
from kmds_lib._parameters import check_option, random_generator
from kmds_lib._rounding import accepted_rounding, without_blank_diagonal
from kmds_lib._types import FloatArray
from kmds_lib.kernels import Kernel

__all__ = ["LandmarkEmbedding", "landmark_scaling"]

Seed = int | np.random.Generator | None


@dataclass(frozen=True, eq=False)
class LandmarkEmbedding(Embedding):
    """Result of `landmark_scaling` and `nystroem`; see `Embedding` for the other attributes.

    ``eigenvalues``, ``explained``, ``explained_variance_ratio``, ``negative_mass``, ``residual``
    and ``spectrum()`` are those of the centred Gram matrix of the m landmarks. Because an
    eigenvalue is a sum over m objects, it is about m / n times that of a fit to all n objects if
    the landmarks are random. The points have the same scale as in such a fit.

    Attributes
    ----------
    points : ndarray or Dask array of shape (n, k)
        Coordinates of all n objects on the axes of the landmarks. The coordinates of the
        landmarks are centred; those of all objects need not be. If the input is a Dask array,
        this is one too.
    landmarks : ndarray of shape (m,)
        Row numbers of the landmarks in the input.
    landmark_fit : ClassicalScalingResult or KernelPCAResult
        The fit to the landmarks alone; its ``points`` are their coordinates.
    kernel : Kernel or None
        The kernel of `nystroem`; None for `landmark_scaling`.

    Notes
    -----
    Introduced in Chapter 10, New points and landmarks.
    """

    points: FloatArray = field(repr=False)
    landmarks: IntArray = field(repr=False)
    landmark_fit: ClassicalScalingResult | KernelPCAResult = field(repr=False)
    kernel: Kernel | None
    _place: Callable[..., FloatArray] = field(repr=False)
    _columns: int = field(repr=False)
    _precomputed: bool = field(default=False, kw_only=True, repr=False)

    def transform(self, new: ArrayLike) -> FloatArray:
        """Return coordinates of new objects on the axes of the landmarks.

        Parameters
        ----------
        new : array_like or Dask array of shape (q, p) or (q, m)
            Points in the variables of the fit; or, if the metric is precomputed, the distances
            between each new object and the m landmarks, in the order of ``landmarks``.

        Returns
        -------
        ndarray or Dask array of shape (q, k)
            Coordinates. Objects of the fit get those in ``points``.

        Raises
        ------
        ValueError
            If `new` is not finite or has the wrong number of columns, or if a distance is
            negative. A Dask array raises it when it is computed.

        Notes
        -----
        Derived in Chapter 10, New points and landmarks. Source: Gower (1968); de Silva & Tenenbaum
        (2004); Williams & Seeger (2001).

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
                f"new has {rows.shape[1]} column(s), but the fit needs {self._columns}: the "
                "variables of its points or, for precomputed distances, one for each landmark."
            )
        width = len(self.eigenvalues)
        place = self._place
        if self._precomputed:
            place = partial(place, rounding=accepted_rounding(new))
        points: FloatArray = map_rows(place, rows, width, len(self.landmarks), name="new")
        return points

    def _full_spectrum(self) -> Spectrum:
        return self.landmark_fit.spectrum()


@carry_labels
def landmark_scaling(
    X: ArrayLike,
    n_components: int | float = 2,
    *,
    metric: Metric = "euclidean",
    landmarks: int | ArrayLike | None = None,
    choose: Choice = "random",
    seed: Seed = None,
) -> LandmarkEmbedding:
    r"""Scale a few objects, the landmarks, and place all others by their distances to them.

    Parameters
    ----------
    X : array_like or Dask array of shape (n, p), (n, n) or (n, m)
        Points, one in each row. With ``metric="precomputed"``, dissimilarities: a square matrix,
        of which only the rows of the landmarks are read, and whose diagonal may be NaN if it is
        in memory; or a matrix with one column for each landmark, in the order of `landmarks`,
        which must then be row numbers.
    n_components : int or float
        Number of coordinates, from 1 to m - 1; or a share between 0 and 1, as in
        `classical_scaling` of the landmarks.
    metric : {"euclidean", "precomputed"}
        Whether `X` contains points or dissimilarities.
    landmarks : int or array_like of int, optional
        Number of landmarks, or their row numbers in `X`. By default 200, or all objects if there
        are fewer.
    choose : {"random", "farthest", "kmeans"}
        How landmarks are chosen if their number is given. "random": random rows. "farthest": a
        random row, and then, one after another, the object that is farthest from all landmarks
        so far. "kmeans", for points only: in each cluster of k-means the point closest to the
        centroid.
    seed : int or numpy.random.Generator, optional
        Seed of the choice; without it every call draws anew.

    Returns
    -------
    LandmarkEmbedding
        Points of all n objects, eigenvalues of the landmarks, and `transform` for new objects.

    Raises
    ------
    ValueError
        If `X` is not a finite real matrix, its dissimilarities are negative, or those between
        landmarks are not symmetric with a zero diagonal; if there are not more landmarks than
        components, a row number is repeated or out of range, or an option is unknown.

    Warns
    -----
    FewerComponentsWarning
        If the landmarks have fewer than `n_components` positive eigenvalues; the positive ones
        are returned. Every object is projected onto the affine subspace of the landmarks.

    Notes
    -----
    Derived in Chapter 10, New points and landmarks. The landmarks are scaled classically, and each
    object gets the coordinates :math:`y = -\tfrac12 (d^{(2)} - \text{mean } d^{(2)})^\top V
    \Lambda^{-1/2}`. Landmarks may coincide, and then count as often as they occur. If all objects
    are landmarks, the result is that of `classical_scaling`. For points, the columns of :math:`V
    \Lambda^{-1/2}` sum to zero and therefore cancel :math:`\|x\|^2`. The formula is then linear in
    x: x is projected on the axes of the landmarks without computing a distance.

    "kmeans" chooses the point closest to each centroid and not the centroid itself. Landmarks
    are therefore always observed objects, even if the centroid is far from the data, as on a
    ring.

    Objects are read in blocks. An array or a ``numpy.memmap`` is never copied as a whole. For a
    Dask array, the landmarks are computed at once and `points` on demand. "farthest" reads X m
    times, "kmeans" up to 22 times, and "random" once.
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
    rng = random_generator(seed)
    if metric == "precomputed":
        refuse_sparse_dissimilarities(X, "X")
        data = as_rows(_with_zero_diagonal(X), "X", min_rows=2)
        rounding = accepted_rounding(X)
        if data.shape[0] == data.shape[1]:
            to_one = partial(_dissimilarities_to, data, rounding)
            rows = landmark_rows(data, landmarks, n_components, choose, rng, to_one, kmeans=False)
        else:
            rows = _rows_of_columns(data.shape, landmarks, n_components)
        labels = _landmark_labels(X, rows)
        return replace(_scale_dissimilarities(data, rows, rounding, n_components), columns=labels)
    data = as_rows(X, "X", min_rows=2)
    distances_to = partial(squared_distances_to, data, _squared_distances)
    rows = landmark_rows(data, landmarks, n_components, choose, rng, distances_to)
    L = read_rows(data, rows)
    landmark_fit = classical_scaling(distances(L), n_components)
    mean = L.mean(axis=0)
    place = partial(_project, mean, (L - mean).T @ landmark_fit._coefficients)
    points = map_rows(place, data, len(landmark_fit.eigenvalues), len(rows))
    return LandmarkEmbedding(
        landmark_fit.pairs, points, rows, landmark_fit, None, place, data.shape[1]
    )


def _rows_of_columns(shape: tuple[int, int], landmarks: Any, n_components: Any) -> IntArray:
    """Return the given row numbers of the objects that the columns of a matrix belong to."""
    n, columns = shape
    if np.shape(landmarks) != (columns,):
        raise ValueError(
            f"X has shape {shape}: if it is not square, give as landmarks the {columns} row "
            "numbers of the objects that its columns belong to."
        )
    return given_rows(landmarks, n, n_components)


def _scale_dissimilarities(
    D: Any, rows: IntArray, rounding: float, n_components: int | float
) -> LandmarkEmbedding:
    """Return the landmark scaling of a square matrix D, or of one with a column per landmark."""
    if D.shape[0] == D.shape[1]:
        # Read rows, because the entries of a column are far apart in a file.
        to_landmarks, columns, name = D.T, rows, "X[landmarks].T"
        entries, part = read_entries(D, rows, rows), "X[landmarks][:, landmarks]"
    else:
        to_landmarks, columns, name = D, None, "X"
        entries, part = read_entries(D, rows, np.arange(len(rows))), "X[landmarks]"
    between = as_dissimilarities(entries, part, rounding=rounding)
    fit = classical_scaling(between, n_components)
    # Only the column means of A are needed to place objects: do not send all of A to the workers.
    means = fit._minus_half_squares.mean(axis=0, keepdims=True)
    fit_of_means = replace(fit, _minus_half_squares=means)
    place = partial(_transform_distances, fit_of_means, rounding=rounding)
    width = len(fit.eigenvalues)
    points = map_rows(place, to_landmarks, width, len(rows), columns=columns, name=name)
    return LandmarkEmbedding(
        fit.pairs, points, rows, fit, None, place, len(rows), _precomputed=True
    )


def _landmark_labels(X: Any, landmarks: IntArray) -> Labels | None:
    """Return the names of the columns of X that belong to the landmarks.

    If X has no other columns, refuse names that differ from those of the rows of the landmarks.
    """
    rows, names = labels_of(X, "X", square=True)
    if names is None:
        return None
    if X.shape[0] == X.shape[1]:
        return tuple(names[i] for i in landmarks)
    expected = None if rows is None else tuple(rows[i] for i in landmarks)
    instead = "the columns of the landmarks in their order, X[X.index[landmarks]]"
    check_columns(X, "X", expected, "landmarks", instead)
    return names


def _project(mean: FloatArray, axes: FloatArray, block: FloatArray, name: str) -> FloatArray:
    return (block - mean) @ axes


def transform_block(
    fit: ClassicalScalingResult | KernelPCAResult, block: FloatArray, name: str
) -> FloatArray:
    """Return ``fit.transform(block)``; error messages begin with the name of the block."""
    try:
        return fit.transform(block)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _transform_distances(
    fit: ClassicalScalingResult, block: FloatArray, name: str, *, rounding: float
) -> FloatArray:
    unit = fit._typical_size
    block = as_cross(block, len(fit.points), name, nonnegative=True, rounding=rounding, unit=unit)
    return transform_block(fit, block, name)


def _squared_distances(x: FloatArray, block: FloatArray, name: str) -> FloatArray:
    return cdist(block, x, "sqeuclidean")


def squared_distances_to(X: Any, squares: Callable[..., FloatArray], row: int) -> Any:
    """Return the squared distances between all points and the one in a row of X, shape (n,).

    ``squares(x, block, name)`` returns those between the points of a block and x.
    """
    x = read_rows(X, np.array([row]))
    return map_rows(partial(squares, x), X, 1, X.shape[1], show_progress=False)[:, 0]


def _dissimilarities_to(D: Any, rounding: float, row: int) -> Any:
    """Return the dissimilarities between all objects and the one with this number, shape (n,)."""

    def check(block: FloatArray, name: str) -> FloatArray:
        return as_cross(block, 1, name, nonnegative=True, rounding=rounding)

    column, name = np.array([row]), f"X[[{row}]].T"
    found = map_rows(check, D.T, 1, 1, columns=column, name=name, show_progress=False)
    return found[:, 0]


def _with_zero_diagonal(D: Any) -> Any:
    """Return a square matrix in memory with 0 instead of NaN on its diagonal."""
    if isinstance(D, np.ndarray) and D.dtype.kind != "O":
        values = D
    elif isinstance(D, (np.ndarray, LabelledArray, list, tuple)):
        values = as_numbers(D, "X")
    else:
        return D
    if isinstance(D, np.memmap) or values.ndim != 2 or values.shape[0] != values.shape[1]:
        return D
    return without_blank_diagonal(values)
