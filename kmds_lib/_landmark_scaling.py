"""Landmark scaling: classical scaling of a few objects, the landmarks, and projection of the rest.

An object is placed by Gower's formula: its squared distances to the m landmarks, minus their
means, times -1/2 V Lambda^{-1/2}. For points this is a projection, without the n x m matrix of
distances.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

from kmds_lib._classical_scaling import ClassicalScalingResult, classical_scaling
from kmds_lib._embedding import Embedding, Spectrum
from kmds_lib._gram import distances
from kmds_lib._kernel_pca_result import KernelPCAResult
from kmds_lib._labels import LabelledArray, Labels, check_columns, store_labels
from kmds_lib._landmarks import IntArray, LandmarkChoice, given_rows, landmark_rows
from kmds_lib._numbers import as_numbers
from kmds_lib._parameters import check_option, random_generator
from kmds_lib._rounding import rounding_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import (
    EuclideanOrPrecomputed,
    as_dissimilarities,
    as_new_points,
    as_new_rows,
    as_points,
    without_nan_diagonal,
)
from kmds_lib.kernels import Kernel

Seed = int | np.random.Generator | None


class Projection(NamedTuple):
    """The projection of points on the axes of the landmarks."""

    mean: FloatArray
    axes: FloatArray

    def __call__(self, X: FloatArray) -> FloatArray:
        """Return the coordinates of points, which are zero for the mean of the landmarks."""
        return (X - self.mean) @ self.axes


@dataclass(frozen=True, eq=False, repr=False)
class LandmarkEmbedding(Embedding):
    """Result of `landmark_scaling` and `nystroem`; see `Embedding` for the other attributes.

    ``eigenvalues``, ``explained``, ``explained_variance_ratio``, ``negative_mass``, ``residual``
    and ``spectrum()`` are those of the centred Gram matrix of the m landmarks. Because an
    eigenvalue is a sum over m objects, it is about m / n times that of a fit to all n objects if
    the landmarks are random. The points have the same scale as in such a fit.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Coordinates of all n objects on the axes of the landmarks. The coordinates of the
        landmarks are centred; those of all objects need not be.
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

    _printed = ("eigenvalues", "kernel")
    points: FloatArray = field()  # required: the inherited property is not its default
    landmarks: IntArray
    landmark_fit: ClassicalScalingResult | KernelPCAResult
    kernel: Kernel | None
    _projection: Projection | None = None

    def transform(self, new: ArrayLike) -> FloatArray:
        """Return coordinates of new objects on the axes of the landmarks.

        Parameters
        ----------
        new : array_like of shape (q, p) or (q, m)
            Points in the variables of the fit; or, if the metric is precomputed, the distances
            between each new object and the m landmarks, in the order of ``landmarks``.

        Returns
        -------
        ndarray of shape (q, k)
            Coordinates. Objects of the fit get those in ``points``.

        Raises
        ------
        ValueError
            If `new` is not finite or has the wrong number of columns, or if a distance is
            negative.

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
        self._check_columns(new)
        if self._projection is None:
            return self.landmark_fit.transform(new)
        return self._projection(as_new_points(new, len(self._projection.mean)))

    @cached_property
    def _spectrum(self) -> Spectrum:
        return self.landmark_fit.spectrum()


@store_labels()
def landmark_scaling(
    X: ArrayLike,
    n_components: int | float = 2,
    *,
    metric: EuclideanOrPrecomputed = "euclidean",
    landmarks: int | ArrayLike | None = None,
    choose: LandmarkChoice = "random",
    seed: Seed = None,
) -> LandmarkEmbedding:
    r"""Scale a few objects, the landmarks, and place all others by their distances to them.

    Parameters
    ----------
    X : array_like of shape (n, p), (n, n) or (n, m)
        Points, one in each row. With ``metric="precomputed"``, dissimilarities: a square matrix,
        of which only the rows of the landmarks are read, and whose diagonal may be NaN; or a
        matrix with one column for each landmark, in the order of `landmarks`, which must then be
        row numbers.
    n_components : int or float
        Number of coordinates, from 1 to m - 1; or a share between 0 and 1, as in
        `classical_scaling` of the landmarks.
    metric : {"euclidean", "precomputed"}
        Whether `X` contains points or dissimilarities.
    landmarks : int or array_like of int, optional
        Number of landmarks, or their row numbers in `X`. By default 200, or all objects if there
        are fewer.
    choose : {"random", "farthest"}
        How landmarks are chosen if their number is given. "random": random rows. "farthest": a
        random row, and then, one after another, the object that is farthest from all landmarks
        so far.
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
        As in `classical_scaling` of the landmarks; every object is projected onto their affine
        subspace.

    Notes
    -----
    Derived in Chapter 10, New points and landmarks. The landmarks are scaled classically, and each
    object gets the coordinates :math:`y = -\tfrac12 (d^{(2)} - \text{mean } d^{(2)})^\top V
    \Lambda^{-1/2}`. Landmarks may coincide, and then count as often as they occur. If all objects
    are landmarks, the result is that of `classical_scaling`. For points, the columns of :math:`V
    \Lambda^{-1/2}` sum to zero and therefore cancel :math:`\|x\|^2`. The formula is then linear in
    x: x is projected on the axes of the landmarks without computing a distance.

    If the data do not fit into memory, fit some of the rows, and place the others by calling
    `transform` for one block after another.
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
    check_option(metric, EuclideanOrPrecomputed, "metric")
    check_option(choose, LandmarkChoice, "choose")
    rng = random_generator(seed)
    if metric == "precomputed":
        tolerance, D = rounding_tolerance(X), _as_matrix(X)
        if D.shape[0] == D.shape[1]:
            to_one = partial(_dissimilarities_to, D, tolerance)
            rows = landmark_rows(len(D), landmarks, n_components, choose, rng, to_one)
        else:
            rows = _rows_of_columns(D.shape, landmarks, n_components)
        labels = _landmark_labels(X, rows)
        prefix = "X.iloc" if isinstance(X, LabelledArray) else "X"
        fit = _scale_dissimilarities(D, rows, tolerance, n_components, prefix)
        return replace(fit, columns=labels)
    data = as_points(X, min_points=2)
    distances_to = partial(_squared_distances_to, data)
    rows = landmark_rows(len(data), landmarks, n_components, choose, rng, distances_to)
    L = data[rows]
    landmark_fit = classical_scaling(distances(L), n_components)
    mean = L.mean(axis=0)
    project = Projection(mean, (L - mean).T @ landmark_fit._coefficients)
    return LandmarkEmbedding(landmark_fit.pairs, project(data), rows, landmark_fit, None, project)


def _rows_of_columns(shape: tuple[int, ...], landmarks: Any, n_components: Any) -> IntArray:
    """Return the given row numbers of the objects that the columns of a matrix belong to."""
    n, columns = shape
    if np.shape(landmarks) != (columns,):
        raise ValueError(
            f"X has shape {shape}: if it is not square, give as landmarks the {columns} row "
            "numbers of the objects that its columns belong to."
        )
    return given_rows(landmarks, n, n_components)


def _scale_dissimilarities(
    D: NDArray[Any], rows: IntArray, tolerance: float, n_components: int | float, prefix: str
) -> LandmarkEmbedding:
    """Return the landmark scaling of a square matrix D, or of one with a column per landmark.

    Messages write rows of D as ``prefix[...]``.
    """
    if D.shape[0] == D.shape[1]:
        between, part = D[np.ix_(rows, rows)], f"{prefix}[landmarks][:, landmarks]"
        to_landmarks, name = D[rows].T, f"{prefix}[landmarks].T"
    else:
        between, part = D[rows], f"{prefix}[landmarks]"
        to_landmarks, name = D, "X"
    fit = classical_scaling(as_dissimilarities(between, part, tolerance=tolerance), n_components)
    m, fit_scale = len(rows), fit._rms_dissimilarity
    to_landmarks = as_new_rows(
        to_landmarks, m, name, nonnegative=True, tolerance=tolerance, fit_scale=fit_scale
    )
    return LandmarkEmbedding(fit.pairs, fit.transform(to_landmarks), rows, fit, None)


def _as_matrix(X: ArrayLike) -> NDArray[Any]:
    """Return dissimilarities of any number type as a matrix; not all entries need to be valid."""
    D = X if type(X) is np.ndarray and X.dtype.kind == "f" else as_numbers(X, "X")
    if D.ndim != 2 or len(D) < 2 or not D.shape[1]:
        as_points(D, "X", min_points=2)  # raises the error for this shape
    return without_nan_diagonal(D) if D.shape[0] == D.shape[1] else D


def _landmark_labels(X: Any, landmarks: IntArray) -> Labels | None:
    """Return the names of the columns of X that belong to the landmarks.

    If X has no other columns, refuse names that differ from those of the rows of the landmarks.
    """
    if not isinstance(X, LabelledArray) or X.columns is None:
        return None
    rows, names = X.labels, X.columns
    if X.shape[0] == X.shape[1]:
        return tuple(names[i] for i in landmarks)
    expected = None if rows is None else tuple(rows[i] for i in landmarks)
    remedy = "the columns of the landmarks in their order, X[X.index[landmarks]]"
    check_columns(X, "X", expected, "landmarks", remedy)
    return names


def _squared_distances_to(X: FloatArray, row: int) -> FloatArray:
    """Return the squared distances between all points and the one in a row of X, shape (n,)."""
    squares: FloatArray = cdist(X, X[[row]], "sqeuclidean")[:, 0]
    return squares


def _dissimilarities_to(D: NDArray[Any], tolerance: float, row: int) -> FloatArray:
    """Return the dissimilarities between all objects and the one with this number, shape (n,)."""
    name = f"X[[{row}]].T"
    return as_new_rows(D[[row]].T, 1, name, nonnegative=True, tolerance=tolerance)[:, 0].copy()
