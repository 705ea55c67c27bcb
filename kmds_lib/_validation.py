"""Input checks, which every public function makes once.

A function whose name begins with ``as_`` returns a float64 array, which must not be changed, and
copies no more than necessary. Every check raises a ``ValueError`` that states the fault, its place
and a remedy. The argument ``name`` is the name of the input in the message.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import issymmetric

from kmds_lib._labels import as_labelled, check_columns, column_labels
from kmds_lib._messages import plural
from kmds_lib._numbers import as_numbers, name_of_entry
from kmds_lib._rounding import equality_tolerance, rounding_tolerance
from kmds_lib._types import FloatArray

EuclideanOrPrecomputed = Literal["euclidean", "precomputed"]
"""Kind of input: points, or dissimilarities between objects."""

DISSIMILARITIES = "dissimilarities are at least 0."

SMALLEST, LARGEST = 1e-60, 1e60
"""Range of the largest absolute entry of data, whose fourth powers are then well within float64.
The range for inner products is given by the squares of both."""


def as_points(
    X: ArrayLike,
    name: str = "X",
    *,
    min_points: int = 1,
    min_columns: int = 1,
    smallest: float = SMALLEST,
    largest: float = LARGEST,
    vector_as_column: bool = False,
) -> FloatArray:
    """Return points as a finite float64 matrix with one row for each point.

    The largest absolute entry must be between `smallest` and `largest`, or 0. New points are
    checked with ``smallest=0``, because their unit is that of the fit. A vector is one column if
    `vector_as_column` is True, and is refused otherwise.
    """
    X = as_numbers(X, name)
    X = X[:, None] if vector_as_column and X.ndim == 1 else _as_matrix(X, name)
    if X.shape[0] < min_points or X.shape[1] < min_columns:
        raise ValueError(
            f"{name} has shape {X.shape}: give at least {plural(min_points, 'row')} and "
            f"{plural(min_columns, 'column')}."
        )
    with np.errstate(invalid="ignore", over="ignore"):
        entries = X.ravel(order="K")
        size = math.sqrt(entries @ entries)
        # Enough for ordinary data: the largest entry is at least size / sqrt(entries).
        if not smallest * math.sqrt(X.size) < size < largest:
            _check_size(X, name, float(np.abs(X).max(initial=0.0)), smallest, largest)
    return X


def as_two_sets(
    X: ArrayLike, Y: ArrayLike | None, **options: Any
) -> tuple[FloatArray, FloatArray]:
    """Return two sets of points in the same variables; without Y, return X twice.

    The options are those of `as_points`.
    """
    check_columns(Y, "Y", column_labels(X), "X", "Y[X.columns]")
    X = as_points(X, **options)
    Y = X if Y is None else as_points(Y, "Y", **options)
    if X.shape[1] != Y.shape[1]:
        raise ValueError(
            f"X has {plural(X.shape[1], 'column')} but Y has {Y.shape[1]}; both need the same "
            "variables."
        )
    return X, Y


def as_dissimilarities(
    D: ArrayLike, name: str = "D", *, min_objects: int = 1, tolerance: float | None = None
) -> FloatArray:
    """Return dissimilarities as a symmetric, non-negative float64 matrix with a zero diagonal.

    Asymmetry, diagonal entries and negative entries up to `tolerance`, relative to the largest
    entry, count as rounding errors: a symmetrised copy is returned in which these entries are
    zero. By default it is `rounding_tolerance`. The diagonal may also be NaN. If nothing needs to
    be changed, the input itself or its transpose is returned. An asymmetry of a few units in the
    last place is ignored.
    """
    D = as_labelled(D, name, square=True)
    tolerance = rounding_tolerance(D) if tolerance is None else tolerance
    D = without_nan_diagonal(_as_square(D, name, min_objects))
    lowest, highest, asymmetry = _extremes(D)
    _check_square_size(D, name, float(np.max([highest, asymmetry])))
    if lowest < -tolerance * highest:
        raise _negative_error(
            D,
            name,
            f"{DISSIMILARITIES} If these are similarities, convert them with "
            "similarities_to_dissimilarities.",
        )
    diagonal = np.diagonal(D)
    worst = int(np.argmax(diagonal))
    if diagonal[worst] > tolerance * highest:
        raise ValueError(
            f"{name}[{worst}, {worst}] = {diagonal[worst]:.6g}, but an object is at distance 0 "
            f"from itself. Set the diagonal to 0, or check that {name} holds dissimilarities."
        )
    symmetric = _symmetrised(D, name, highest, asymmetry, tolerance)
    if lowest < 0 or diagonal[worst] > 0 or not np.may_share_memory(symmetric, D):
        symmetric = np.maximum(symmetric, 0.0)
        np.fill_diagonal(symmetric, 0.0)
    return symmetric


def as_gram(
    K: ArrayLike,
    name: str = "K",
    *,
    min_objects: int = 1,
    nan_diagonal: bool = False,
    tolerance: float | None = None,
) -> FloatArray:
    """Return a Gram or kernel matrix as a finite symmetric float64 matrix.

    It need not be positive semidefinite. Asymmetry is treated as in `as_dissimilarities`. With
    `nan_diagonal`, NaN on the diagonal is replaced by 0, because its values are not used.
    """
    K = as_labelled(K, name, square=True)
    tolerance = rounding_tolerance(K) if tolerance is None else tolerance
    K = _as_square(K, name, min_objects)
    K = without_nan_diagonal(K) if nan_diagonal else K
    lowest, highest, asymmetry = _extremes(K)
    size = float(np.max([highest, -lowest, asymmetry]))
    _check_square_size(K, name, size, SMALLEST**2, LARGEST**2)
    return _symmetrised(K, name, max(highest, -lowest), asymmetry, tolerance)


def as_new_rows(
    C: ArrayLike,
    n_train: int,
    name: str,
    *,
    nonnegative: bool = False,
    tolerance: float | None = None,
    fit_scale: Callable[[], float] | None = None,
) -> FloatArray:
    """Return a matrix between new objects (rows) and training objects (columns).

    Its entries are dissimilarities if it must be `nonnegative`, and inner products otherwise.
    Entries below zero are treated as in `without_negative`; `fit_scale` returns the size of the
    dissimilarities of the fit, which may be much larger than those of a new object.
    """
    tolerance = rounding_tolerance(C) if tolerance is None else tolerance
    largest = LARGEST if nonnegative else LARGEST**2
    C = as_points(C, name, min_points=0, min_columns=0, smallest=0.0, largest=largest)
    if C.shape[1] != n_train:
        raise ValueError(
            f"{name} has shape {C.shape}, but the fit has {n_train} training objects: give one "
            f"row for each new object and {n_train} columns, in the order of the training data."
        )
    return without_negative(C, name, DISSIMILARITIES, tolerance, fit_scale) if nonnegative else C


def as_new_points(new: ArrayLike, n_variables: int) -> FloatArray:
    """Return new points, in the variables of the training points."""
    new = as_points(new, "new", min_points=0, smallest=0.0)
    if new.shape[1] != n_variables:
        raise ValueError(
            f"new has {plural(new.shape[1], 'column')}, but the fit has "
            f"{plural(n_variables, 'variable')}: give those of the training points, in their "
            "order."
        )
    return new


def as_coordinates(Y: FloatArray) -> FloatArray:
    """Return the coordinates of new objects; refuse coordinates that overflow."""
    bad = np.flatnonzero(~np.isfinite(Y).all(axis=1))
    if len(bad):
        raise ValueError(
            f"Row {bad[0]} of new is so far from the training data that its coordinates "
            "overflow. Check its unit."
        )
    return Y


def without_negative(
    values: FloatArray,
    name: str,
    reason: str,
    tolerance: float,
    fit_scale: Callable[[], float] | None = None,
) -> FloatArray:
    """Return values in which rounding errors below zero are 0; refuse other negative values.

    A value counts as a rounding error up to `tolerance`, relative to the largest, or to the scale
    that `fit_scale` computes if it is needed. NaN is allowed.
    """
    lowest = float(np.fmin.reduce(values, axis=None, initial=0.0))
    if lowest == 0:
        return values
    too_low = lowest < -tolerance * float(np.fmax.reduce(values, axis=None))
    if too_low and (fit_scale is None or lowest < -tolerance * fit_scale()):
        raise _negative_error(values, name, reason)
    return np.where(values < 0, 0.0, values)


def without_nan_diagonal(M: FloatArray) -> FloatArray:
    """Return a square matrix with 0 instead of NaN on its diagonal."""
    missing = np.flatnonzero(np.isnan(np.diagonal(M)))
    if len(missing):
        M = M.copy()
        M[missing, missing] = 0.0
    return M


def refuse_one_sided_gaps(M: FloatArray, name: str) -> None:
    """Refuse a square matrix in which entry (i, j) is missing, but not entry (j, i)."""
    missing = np.isnan(M)
    one_sided = np.argwhere(missing & ~missing.T)
    if len(one_sided):
        (i, j), whole = one_sided[0], _name_of_full_matrix(name)
        raise ValueError(
            f"{name}[{i}, {j}] is nan, but {name}[{j}, {i}] = {M[j, i]:.6g}. If each pair was "
            f"given once, take {whole}.fillna({whole}.T) for a data frame; in an array, fill the "
            f"gaps from the other side: np.where(np.isnan({whole}), {whole}.T, {whole})."
        )


def _as_matrix(array: FloatArray, name: str) -> FloatArray:
    if array.ndim == 0:
        raise ValueError(
            f"{name} is a single number, {array:.6g}; a matrix with two dimensions is needed, "
            f"such as [[{array:.6g}]] for one object with one variable."
        )
    if array.ndim != 2:
        remedy = (
            f"Pass one row as np.reshape({name}, (1, -1)), one column as np.reshape({name}, "
            "(-1, 1)), and a condensed vector of distances as "
            f"scipy.spatial.distance.squareform({name})."
        )
        if array.ndim > 2:
            remedy = f"For one row for each object, pass np.reshape({name}, ({len(array)}, -1))."
        raise ValueError(
            f"{name} has {plural(array.ndim, 'dimension')} and shape {array.shape}; a matrix "
            f"with two dimensions is needed. {remedy}"
        )
    return array


def _as_square(M: ArrayLike, name: str, min_objects: int) -> FloatArray:
    M = as_numbers(M, name)
    if M.ndim == 1:
        raise ValueError(
            f"{name} has 1 dimension and shape {M.shape}; a square matrix is needed. If it "
            "contains the pairs i < j, as scipy's pdist returns them, pass "
            f"scipy.spatial.distance.squareform({name})."
        )
    n, columns = _as_matrix(M, name).shape
    if n != columns:
        raise ValueError(
            f"{name} has shape {M.shape}; a square matrix with one row and one column for each "
            "object is needed."
        )
    if n < min_objects:
        raise ValueError(
            f"{name} has shape {M.shape}: give at least {plural(min_objects, 'object')}."
        )
    return M


def _extremes(M: FloatArray) -> tuple[float, float, float]:
    """Return the lowest entry, at most 0, the highest, at least 0, and the largest |M - M^T|.

    If any entry is NaN or infinite, the second or the third number is not finite.
    """
    lowest, highest = float(M.min(initial=0.0)), float(M.max(initial=0.0))
    if math.isfinite(lowest + highest) and issymmetric(M):
        return lowest, highest, 0.0
    with np.errstate(invalid="ignore", over="ignore"):
        return lowest, highest, float((M - M.T).max())


def _symmetrised(
    M: FloatArray, name: str, largest: float, asymmetry: float, tolerance: float
) -> FloatArray:
    """Return an exactly symmetric matrix, or one that is symmetric up to a few last places."""
    if asymmetry > tolerance * largest:
        raise ValueError(f"{name} is not symmetric: {_asymmetry_of(M, name, tolerance)}")
    if asymmetry > equality_tolerance() * largest:
        return 0.5 * M + 0.5 * M.T
    return M.T if M.flags.f_contiguous and not M.flags.c_contiguous else M


def _negative_error(M: FloatArray, name: str, reason: str) -> ValueError:
    """Return the error about the smallest entry."""
    index = np.unravel_index(np.nanargmin(M), M.shape)
    return ValueError(f"{name_of_entry(name, index)} = {M[index]:.6g} is negative; {reason}")


def _asymmetry_of(M: FloatArray, name: str, tolerance: float) -> str:
    """Describe the asymmetry of a matrix, or of a part, and what to do about the whole."""
    whole = _name_of_full_matrix(name)
    for empty, part in (("upper", np.triu(M, 1)), ("lower", np.tril(M, -1))):
        if not part.any():
            twice = f" - np.diag(np.diag({whole}))" if np.diagonal(M).any() else ""
            return (
                f"its {empty} triangle is zero, as if each pair was given once. To fill it, pass "
                f"{whole} + {whole}.T{twice}."
            )
    gap = np.abs(M - M.T)
    i, j = np.unravel_index(np.argmax(gap), gap.shape)
    return (
        f"{name}[{i}, {j}] = {M[i, j]:.6g} but {name}[{j}, {i}] = {M[j, i]:.6g}, a difference of "
        f"{gap[i, j]:.3g}, while rounding errors are at most {tolerance:.2g} of the largest "
        f"entry. If both directions were measured, average them: ({whole} + {whole}.T) / 2."
    )


def _name_of_full_matrix(name: str) -> str:
    """Return the name of a square matrix for that of its part between the landmarks."""
    return name.removesuffix("[landmarks][:, landmarks]").removesuffix(".iloc")


def _check_square_size(M: FloatArray, name: str, size: float, *limits: float) -> None:
    """Refuse entries that are missing on one side, and those that `_check_size` refuses."""
    if not math.isfinite(size):
        refuse_one_sided_gaps(M, name)
    _check_size(M, name, size, *limits)


def _check_size(
    M: FloatArray, name: str, size: float, smallest: float = SMALLEST, largest: float = LARGEST
) -> None:
    """Refuse entries that are not finite, and units in which fourth powers leave the range."""
    if size == 0 or smallest <= size <= largest:
        return
    bad = np.argwhere(~np.isfinite(M))
    if len(bad):
        i, j = bad[0]
        raise ValueError(
            f"{name}[{i}, {j}] is {M[i, j]} ({plural(len(bad), 'such entry', 'such entries')} "
            "in all); every entry must be a finite number. Remove those rows or fill in the "
            "missing values first."
        )
    raise ValueError(
        f"The largest entry of {name} is {size:.3g} in size, outside the range from "
        f"{smallest:g} to {largest:g}. Choose another unit."
    )
