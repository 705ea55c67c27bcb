"""Input checks, made once at the door of every public function.

Each check returns a float64 array that the library only reads, copies no more than it must,
and raises a ``ValueError`` that says what was found, where it is and what to do about it.
"""

from __future__ import annotations

import inspect
import operator
import os
import warnings
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]

EPS = float(np.finfo(np.float64).eps)
SYMMETRY_TOLERANCE = EPS**0.5
"""Largest asymmetry accepted, relative to the largest entry; beyond it the input is refused."""

_PACKAGE = os.path.dirname(__file__) + os.sep
_TILE = 192
_SAFE_EXPONENT = 300
_ROUNDING = 16 * EPS
_LARGEST = 2.0**1000


def as_points(
    X: ArrayLike, name: str = "X", *, min_points: int = 1, min_columns: int = 1
) -> FloatArray:
    """Return points as a finite float64 matrix, one row a point.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row.
    name : str
        What the error messages call the argument.
    min_points, min_columns : int
        Fewest rows and columns accepted.

    Returns
    -------
    ndarray of shape (n, p)

    Raises
    ------
    ValueError
        If the input is not a finite real matrix, or has too few rows or columns.

    Examples
    --------
    >>> as_points([[0, 1], [2, 3]]).dtype
    dtype('float64')
    """
    X = _as_real_matrix(X, name)
    if X.shape[0] < min_points or X.shape[1] < min_columns:
        raise ValueError(
            f"{name} has shape {X.shape}: at least {min_points} row(s) and {min_columns} "
            "column(s) are needed."
        )
    with np.errstate(invalid="ignore"):
        largest = max(float(X.max(initial=0.0)), -float(X.min(initial=0.0)))
    if not largest <= _LARGEST:
        _refuse_size(X, name)
    return X


def as_dissimilarities(D: ArrayLike, name: str = "D", *, min_objects: int = 1) -> FloatArray:
    """Return dissimilarities as a symmetric, non-negative float64 matrix with a zero diagonal.

    Asymmetry, diagonal entries and negative entries up to about 1.5e-8 of the largest entry
    count as rounding: the matrix is then symmetrised and those entries set to zero, in a copy.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared.
    name : str
        What the error messages call the argument.
    min_objects : int
        Smallest n accepted.

    Returns
    -------
    ndarray of shape (n, n)
        The input itself where it needs no change, otherwise a new array. Asymmetry of a few
        units in the last place is left in place.

    Raises
    ------
    ValueError
        If the input is not a real, finite, square, symmetric, non-negative matrix with a zero
        diagonal.

    Examples
    --------
    >>> as_dissimilarities([[0, 3], [3, 0]])
    array([[0., 3.],
           [3., 0.]])
    """
    return measured_dissimilarities(D, name, min_objects=min_objects)[0]


def measured_dissimilarities(
    D: ArrayLike, name: str = "D", *, min_objects: int = 1
) -> tuple[FloatArray, float]:
    """Return what `as_dissimilarities` returns, and the largest entry, in one pass.

    Parameters
    ----------
    D, name, min_objects
        As in `as_dissimilarities`.

    Returns
    -------
    tuple of ndarray of shape (n, n) and float

    Examples
    --------
    >>> measured_dissimilarities([[0, 3], [3, 0]])[1]
    3.0
    """
    D = _as_square(D, name, min_objects)
    lowest, highest, asymmetry = _scan(D)
    if not (highest <= _LARGEST and np.isfinite(asymmetry)):
        _refuse_size(D, name)
    if lowest < -SYMMETRY_TOLERANCE * highest:
        i, j = np.unravel_index(np.argmin(D), D.shape)
        raise ValueError(
            f"{name}[{i}, {j}] = {D[i, j]:.6g} is negative; dissimilarities are at least 0. "
            "If these are similarities, convert them first: d_ij^2 = c_ii + c_jj - 2 c_ij."
        )
    diagonal = np.diagonal(D)
    worst = int(np.argmax(diagonal))
    if diagonal[worst] > SYMMETRY_TOLERANCE * highest:
        raise ValueError(
            f"{name}[{worst}, {worst}] = {diagonal[worst]:.6g}, but an object is at distance 0 "
            f"from itself. Set the diagonal to 0, or check that {name} holds dissimilarities."
        )
    symmetric = _symmetrised(D, name, highest, asymmetry)
    if lowest < 0 or diagonal[worst] > 0 or not np.may_share_memory(symmetric, D):
        symmetric = np.maximum(symmetric, 0.0)
        np.fill_diagonal(symmetric, 0.0)
    return symmetric, highest


def as_gram(K: ArrayLike, name: str = "K", *, min_objects: int = 1) -> FloatArray:
    """Return a Gram or kernel matrix as a finite symmetric float64 matrix.

    Positive semidefiniteness is not required: it is a result, not a condition.

    Parameters
    ----------
    K : array_like of shape (n, n)
        Symmetric matrix.
    name : str
        What the error messages call the argument.
    min_objects : int
        Smallest n accepted.

    Returns
    -------
    ndarray of shape (n, n)
        The input itself where it needs no change, otherwise a new array.

    Raises
    ------
    ValueError
        If the input is not a real, finite, square, symmetric matrix.

    Examples
    --------
    >>> as_gram([[2, 1], [1, 2]])
    array([[2., 1.],
           [1., 2.]])
    """
    K = _as_square(K, name, min_objects)
    lowest, highest, asymmetry = _scan(K)
    if not (max(highest, -lowest) <= _LARGEST and np.isfinite(asymmetry)):
        _refuse_size(K, name)
    return _symmetrised(K, name, max(highest, -lowest), asymmetry)


def as_cross(
    C: ArrayLike, n_train: int, name: str = "D_new", *, nonnegative: bool = False
) -> FloatArray:
    """Return a matrix between new objects (rows) and training objects (columns).

    Parameters
    ----------
    C : array_like of shape (m, n_train)
        Distances or kernel values from each new object to every training object.
    n_train : int
        Number of training objects.
    name : str
        What the error messages call the argument.
    nonnegative : bool
        Refuse negative entries.

    Returns
    -------
    ndarray of shape (m, n_train)

    Raises
    ------
    ValueError
        If the shape is wrong, an entry is not finite, or is negative where it must not be.

    Examples
    --------
    >>> as_cross([[1, 2, 3]], n_train=3)
    array([[1., 2., 3.]])
    """
    C = as_points(C, name, min_points=0, min_columns=0)
    if C.shape[1] != n_train:
        raise ValueError(
            f"{name} has shape {C.shape}, but the fit has {n_train} training objects: give one "
            f"row for each new object and {n_train} columns, in the order of the training data."
        )
    if nonnegative and C.size and C.min() < 0:
        i, j = np.unravel_index(np.argmin(C), C.shape)
        raise ValueError(
            f"{name}[{i}, {j}] = {C[i, j]:.6g} is negative; dissimilarities are at least 0."
        )
    return C


def as_coordinates(Y: FloatArray, name: str) -> FloatArray:
    """Return the coordinates of new objects, or say which object is too far away for float64.

    Parameters
    ----------
    Y : ndarray of shape (m, k)
        Coordinates.
    name : str
        What the new objects came in.

    Returns
    -------
    ndarray of shape (m, k)

    Raises
    ------
    ValueError
        If a coordinate overflowed.

    Examples
    --------
    >>> as_coordinates(np.ones((1, 1)), "D_new")
    array([[1.]])
    """
    bad = np.flatnonzero(~np.isfinite(Y).all(axis=1))
    if len(bad):
        raise ValueError(
            f"Row {bad[0]} of {name} is so far from the training data that its coordinates "
            "overflow. Check its unit."
        )
    return Y


def check_n_components(n_components: Any, upper: int, name: str = "n_components") -> int:
    """Return the number of components as an int between 1 and `upper`.

    Parameters
    ----------
    n_components : int
        Number asked for.
    upper : int
        Largest number the data allow.
    name : str
        What the error messages call the argument.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If it is not an integer, or is out of range.

    Examples
    --------
    >>> check_n_components(2, upper=5)
    2
    """
    try:
        if isinstance(n_components, (bool, np.bool_)):
            raise TypeError
        k = operator.index(n_components)
    except TypeError:
        raise ValueError(
            f"{name} = {n_components!r} is not an integer; give a whole number from 1 to {upper}."
        ) from None
    if not 1 <= k <= upper:
        raise ValueError(
            f"{name} = {k} is out of range for this input; give a number from 1 to {upper}."
        )
    return k


def check_number(value: Any, name: str, *, positive: bool = False) -> float:
    """Return a finite real number that is not negative.

    Parameters
    ----------
    value : float
        The number.
    name : str
        What the error messages call it.
    positive : bool
        Refuse zero as well.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If it is not such a number.

    Examples
    --------
    >>> check_number(2, "noise")
    2.0
    """
    real = isinstance(value, Real) and np.isfinite(value)
    if not real or value < 0 or (positive and value == 0):
        raise ValueError(
            f"{name} is {value!r}: give a finite number {'> 0' if positive else '>= 0'}."
        )
    return float(value)


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn, naming the line that called into this package, however deep the call went.

    Parameters
    ----------
    message : str
        Text of the warning.
    category : type
        Its class.
    """
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def scale_exponent(largest: float) -> int:
    """Return e such that 2**-e times data of this size can be squared and summed safely.

    Parameters
    ----------
    largest : float
        Largest modulus in the data.

    Returns
    -------
    int
        Zero for data of ordinary size, so that ordinary data are never rescaled. Scaling by a
        power of two is exact.

    Examples
    --------
    >>> scale_exponent(3.0), scale_exponent(1e-170)
    (0, -564)
    """
    exponent = int(np.frexp(largest)[1])
    return exponent if largest > 0 and abs(exponent) > _SAFE_EXPONENT else 0


def _as_real_matrix(X: ArrayLike, name: str) -> FloatArray:
    rows = X if isinstance(X, (list, tuple)) else ()
    if np.ma.isMaskedArray(X) or any(np.ma.isMaskedArray(row) for row in rows):
        raise ValueError(
            f"{name} is a masked array and the mask would be lost. Fill or drop the masked "
            "entries first, for example with .filled() or .compressed()."
        )
    if hasattr(X, "toarray"):
        raise ValueError(f"{name} is a sparse matrix; pass {name}.toarray().")
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError(
            f"{name} is ragged: its rows have different lengths. Give rows of equal length."
        ) from error
    if array.ndim != 2:
        raise ValueError(
            f"{name} has {array.ndim} dimension(s) and shape {array.shape}; a matrix with two "
            "dimensions is needed. A single row can be passed as x.reshape(1, -1)."
        )
    return _as_float64(array, name)


def _as_float64(array: NDArray[Any], name: str) -> FloatArray:
    if array.dtype.kind == "O" and any(isinstance(value, complex) for value in array.flat):
        array = array.astype(complex)
    if array.dtype.kind == "c":
        raise ValueError(
            f"{name} is complex ({array.dtype}); real numbers are needed. If the imaginary part "
            f"is only rounding, pass {name}.real."
        )
    if array.dtype.kind not in "biufO":
        raise ValueError(f"{name} has dtype {array.dtype}; real numbers are needed.")
    try:
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} holds entries that are not real numbers ({error}).") from error


def _as_square(M: ArrayLike, name: str, min_objects: int) -> FloatArray:
    M = _as_real_matrix(M, name)
    n, columns = M.shape
    if n != columns:
        raise ValueError(
            f"{name} has shape {M.shape}; a square matrix with one row and one column for each "
            "object is needed."
        )
    if n < min_objects:
        raise ValueError(f"{name} holds {n} object(s); at least {min_objects} are needed.")
    return M


def _scan(M: FloatArray) -> tuple[float, float, float]:
    """Lowest entry, highest entry and largest |M - M^T|, in one pass over tiles in cache.

    Lowest and highest are those of one triangle; the other differs by the asymmetry at most.
    A NaN or an infinity anywhere makes at least one of the three figures non-finite.
    """
    n = len(M)
    lows, highs, gaps = [0.0], [0.0], [0.0]
    buffers = np.empty((2, _TILE * _TILE))
    with np.errstate(invalid="ignore", over="ignore"):
        for i in range(0, n, _TILE):
            for j in range(i, n, _TILE):
                tile = M[i : i + _TILE, j : j + _TILE]
                upper, gap = (b[: tile.size].reshape(tile.shape) for b in buffers)
                upper[...] = tile
                gap[...] = M[j : j + _TILE, i : i + _TILE].T
                gap -= upper
                lows.append(upper.min())
                highs.append(upper.max())
                gaps += [gap.max(), -gap.min()]
    return float(np.min(lows)), float(np.max(highs)), float(np.max(gaps))


def _symmetrised(M: FloatArray, name: str, largest: float, asymmetry: float) -> FloatArray:
    if asymmetry > SYMMETRY_TOLERANCE * largest:
        gap = np.abs(M - M.T)
        i, j = np.unravel_index(np.argmax(gap), gap.shape)
        raise ValueError(
            f"{name} is not symmetric: {name}[{i}, {j}] = {M[i, j]:.6g} but "
            f"{name}[{j}, {i}] = {M[j, i]:.6g}. If both directions were measured, average them: "
            f"({name} + {name}.T) / 2."
        )
    if asymmetry > _ROUNDING * largest:
        return 0.5 * M + 0.5 * M.T
    return M.T if M.flags.f_contiguous and not M.flags.c_contiguous else M


def _refuse_size(M: FloatArray, name: str) -> None:
    bad = np.argwhere(~np.isfinite(M))
    if len(bad):
        i, j = bad[0]
        raise ValueError(
            f"{name}[{i}, {j}] is {M[i, j]} ({len(bad)} such entries in all); every entry must "
            "be a finite number. Remove those rows or fill in the missing values first."
        )
    raise ValueError(
        f"{name} has an entry of {np.abs(M).max():.3g}, and sums of entries beyond {_LARGEST:.3g} "
        "overflow. Choose another unit."
    )
