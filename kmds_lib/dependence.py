"""Are two samples from one law, and does one variable know of another: traces of HKH.

Five statistics, one matrix. Each sees a kernel only through the centred matrix HKH, so that a
conditionally positive definite kernel, such as minus a distance, serves as well as a positive
definite one.

- Maximum mean discrepancy: ``MMD^2 = c' HKH c``, c = 1/m on one sample and -1/n on the other.
- Energy distance: the same with K = -D, the distances themselves.
- Hilbert-Schmidt independence criterion: ``HSIC = tr(HKH HLH) / n^2``.
- Distance covariance: the same with K = -D_x and L = -D_y. Distance correlation: its cosine.

All are returned as squares, without the root, because the unbiased estimators may be negative.

Derived in Chapter 12, One matrix, many statistics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._checks import (
    EPS,
    FloatArray,
    Metric,
    as_dissimilarities,
    as_gram,
    as_numbers,
    as_points,
    check_count,
    check_number,
    check_option,
)
from kmds_lib._eigen import centre
from kmds_lib.kernels import Kernel, Power

__all__ = [
    "PermutationTestResult",
    "distance_correlation",
    "distance_covariance",
    "energy_distance",
    "hsic",
    "mmd",
    "permutation_test",
]

Estimator = Literal["V", "U"]
KernelOrTable = Kernel | Literal["precomputed"]

_FEWEST = {"V": 2, "U": 4}
"""Objects that the independence statistics need."""

_BLOCK = 128
"""Permutations multiplied at once, and rows of a table permuted at once."""

_TIED = 1e-10
"""Permuted values this close to the observed one, relative to the largest, count as equal."""


@dataclass(frozen=True, eq=False)
class PermutationTestResult:
    """Outcome of `permutation_test`.

    Attributes
    ----------
    statistic : float
        The statistic of the data.
    p_value : float
        ``(1 + b) / (1 + q)``, with q permutations of which b gave a statistic no smaller.
    permuted : ndarray of shape (q,)
        The statistic of each permutation, in the order in which they were drawn.
    """

    statistic: float
    p_value: float
    permuted: FloatArray = field(repr=False)


def mmd(X: ArrayLike, Y: ArrayLike, kernel: KernelOrTable, *, estimator: Estimator = "V") -> float:
    """Return the squared maximum mean discrepancy MMD^2 between two samples.

    Parameters
    ----------
    X : array_like of shape (m, p)
        First sample, one point in each row. With ``kernel="precomputed"``, the kernel matrix
        of both samples together, shape (N, N).
    Y : array_like of shape (n, p)
        Second sample. With ``kernel="precomputed"``, N booleans: True for the objects of the
        second sample.
    kernel : Kernel or "precomputed"
        The kernel.
    estimator : {"V", "U"}
        "V": the V-statistic, the squared distance of the two means in feature space, never
        negative for a conditionally positive definite kernel. "U": the U-statistic, which leaves
        out the pairs of a point with itself; unbiased, and often negative where the two laws are
        equal.

    Returns
    -------
    float
        The square: no root is taken.

    Raises
    ------
    ValueError
        If an input is not as described, a sample has fewer than two points, or the samples differ
        in their variables.

    Warns
    -----
    DefinitenessWarning
        If the kernel is not known to be conditionally positive definite on R^p.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics. With c = 1/m on the first sample and
    -1/n on the second, the V-statistic is ``c' K c = tr(HKH c c')``. Source: Gretton et al.
    (2012), Lemma 6.

    Examples
    --------
    >>> from kmds_lib.kernels import RBF, Linear
    >>> mmd([[0.0], [2.0]], [[4.0], [4.0]], Linear())
    9.0
    >>> round(mmd([[0.0], [2.0]], [[4.0], [4.0]], RBF(0.1), estimator="U"), 4)
    0.7981
    """
    return _mmd(X, Y, kernel, estimator=estimator).observed


def energy_distance(
    X: ArrayLike,
    Y: ArrayLike,
    metric: Metric = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> float:
    """Return the energy distance between two samples: twice the mean distance across, less within.

    Parameters
    ----------
    X : array_like of shape (m, p)
        First sample, one point in each row. With ``metric="precomputed"``, the distances
        between all objects of both samples, not squared, shape (N, N).
    Y : array_like of shape (n, p)
        Second sample. With ``metric="precomputed"``, N booleans: True for the objects of the
        second sample.
    metric : {"euclidean", "precomputed"}
        What X and Y hold.
    exponent : float
        Distances are raised to this power, in (0, 2]. At 2 only the means are compared.
    estimator : {"V", "U"}
        V-statistic, or unbiased U-statistic; see `mmd`.

    Returns
    -------
    float
        The square of what `scipy.stats.energy_distance` returns.

    Raises
    ------
    ValueError
        If an input is not as described, a sample has fewer than two points, or the samples differ
        in their variables.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics: it is `mmd` with the kernel
    ``-||x - y||^exponent``, with factor 1. Source: Székely & Rizzo (2013).

    Examples
    --------
    >>> energy_distance([[0.0], [2.0]], [[4.0], [4.0]])
    5.0
    """
    return _energy(X, Y, metric, exponent=exponent, estimator=estimator).observed


def hsic(
    X: ArrayLike,
    Y: ArrayLike,
    kernel_x: KernelOrTable,
    kernel_y: KernelOrTable,
    *,
    estimator: Estimator = "V",
) -> float:
    """Return the Hilbert-Schmidt independence criterion between paired observations.

    Parameters
    ----------
    X : array_like of shape (n, p)
        One observation in each row. With ``kernel_x="precomputed"``, a kernel matrix, (n, n).
    Y : array_like of shape (n, q)
        The other variables of the same objects, in the same order. With
        ``kernel_y="precomputed"``, a kernel matrix, (n, n).
    kernel_x, kernel_y : Kernel or "precomputed"
        Kernel of each side.
    estimator : {"V", "U"}
        "V": the V-statistic, biased upwards. "U": the unbiased U-statistic, at least 4 objects.

    Returns
    -------
    float
        The squared Hilbert-Schmidt norm of the cross-covariance: no root is taken.

    Raises
    ------
    ValueError
        If an input is not as described, or the numbers of objects differ or are too small.

    Warns
    -----
    DefinitenessWarning
        If a kernel is not known to be conditionally positive definite.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics. The V-statistic is
    ``tr(HKH HLH) / n^2``; Gretton et al. (2005) divide by ``(n - 1)^2``. The U-statistic is that
    of Song et al. (2012), computed by U-centring (Székely & Rizzo 2014).

    Examples
    --------
    >>> from kmds_lib.kernels import Linear
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], [[0.0], [1.0], [1.0], [2.0]]
    >>> hsic(x, y, Linear(), Linear())
    0.5625
    >>> round(hsic(x, y, Linear(), Linear(), estimator="U"), 4)
    0.4167
    """
    return _hsic(X, Y, kernel_x, kernel_y, estimator=estimator).observed


def distance_covariance(
    X: ArrayLike,
    Y: ArrayLike,
    metric: Metric = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> float:
    """Return the squared distance covariance dCov^2 between paired observations.

    Parameters
    ----------
    X : array_like of shape (n, p)
        One observation in each row. With ``metric="precomputed"``, distances, not squared, (n, n).
    Y : array_like of shape (n, q)
        The other variables of the same objects, in the same order; distances, (n, n), with
        ``metric="precomputed"``.
    metric : {"euclidean", "precomputed"}
        What X and Y hold.
    exponent : float
        Distances are raised to this power, in (0, 2]. At 2 only linear dependence is seen.
    estimator : {"V", "U"}
        V-statistic, or unbiased U-statistic; see `hsic`.

    Returns
    -------
    float
        The square: R's ``energy::dcov`` returns the root of the V-statistic.

    Raises
    ------
    ValueError
        If an input is not as described, or the numbers of objects differ or are too small.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics: ``tr(HDH HEH) / n^2`` for the distances D
    and E, which is `hsic` with the kernels ``-||x - y||^exponent``. With the Gram matrices
    ``-1/2 HDH`` it is 4 times HSIC. Source: Székely, Rizzo & Bakirov (2007); Sejdinovic et al.
    (2013).

    Examples
    --------
    >>> distance_covariance([[0.0], [1.0]], [[0.0], [2.0]])
    0.5
    """
    return _dcov(X, Y, metric, exponent=exponent, estimator=estimator).observed


def distance_correlation(
    X: ArrayLike,
    Y: ArrayLike,
    metric: Metric = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> float:
    """Return the squared distance correlation dCor^2 between paired observations.

    Parameters
    ----------
    X : array_like of shape (n, p)
        One observation in each row. With ``metric="precomputed"``, distances, not squared, (n, n).
    Y : array_like of shape (n, q)
        The other variables of the same objects, in the same order; distances, (n, n), with
        ``metric="precomputed"``.
    metric : {"euclidean", "precomputed"}
        What X and Y hold.
    exponent : float
        Distances are raised to this power, in (0, 2].
    estimator : {"V", "U"}
        "V": between 0 and 1. "U": the bias-corrected distance correlation, which may be negative.

    Returns
    -------
    float
        dCov^2(X, Y) over the root of dCov^2(X, X) dCov^2(Y, Y); 0 where one side is constant.
        R's ``energy::dcor`` returns the root of the V form, ``energy::bcdcor`` the U form.

    Raises
    ------
    ValueError
        If an input is not as described, or the numbers of objects differ or are too small.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics: the cosine of the angle between HDH and
    HEH, as vectors of n^2 entries. Source: Székely, Rizzo & Bakirov (2007); Székely & Rizzo
    (2014).

    Examples
    --------
    >>> x = [[0.0], [1.0], [3.0], [4.0]]
    >>> round(distance_correlation(x, x), 6)
    1.0
    """
    return _dcor(X, Y, metric, exponent=exponent, estimator=estimator).observed


def permutation_test(
    statistic: Callable[..., float],
    X: ArrayLike,
    Y: ArrayLike,
    *arguments: Any,
    n_permutations: int = 999,
    seed: int | np.random.Generator | None = None,
    **options: Any,
) -> PermutationTestResult:
    """Test equality of two laws, or independence, by permuting what the hypothesis lets permute.

    Parameters
    ----------
    statistic : function
        `mmd` or `energy_distance`: the labels of the two samples are permuted. `hsic`,
        `distance_covariance` or `distance_correlation`: the pairing is permuted.
    X, Y : array_like
        Data, as the statistic takes them.
    *arguments, **options
        Further arguments of the statistic: kernels or metric, ``estimator``, ``exponent``.
    n_permutations : int
        How many random permutations q.
    seed : int or numpy.random.Generator, optional
        Seed of the permutations; without it every call draws anew.

    Returns
    -------
    PermutationTestResult
        ``statistic``, ``p_value``, ``permuted``.

    Raises
    ------
    ValueError
        If the statistic is none of the five, `n_permutations` is not a positive integer, or the
        statistic refuses the data.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics. The data's own arrangement counts as one
    of the r + 1, so that under the hypothesis ``P(p_value <= a) <= a`` for every a and every
    sample size. The smallest value possible is 1/(r + 1). Large statistics speak against the
    hypothesis. The kernel matrices are computed and centred once. Source: Phipson & Smyth (2010).

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> x = [[0.1], [0.5], [0.9], [1.4], [2.0], [2.2]]
    >>> permutation_test(mmd, x, [[5.0], [5.5], [6.0], [6.5]], RBF(0.1), seed=0).p_value
    0.007
    """
    problem = _PROBLEMS.get(statistic)
    if problem is None:
        names = ", ".join(sorted(function.__name__ for function in _PROBLEMS))
        raise ValueError(f"statistic is {statistic!r}: give one of the functions {names}.")
    q = check_count(n_permutations, "n_permutations")
    arranged = problem(X, Y, *arguments, **options)
    observed, permuted = arranged.observed, arranged.permuted(q, np.random.default_rng(seed))
    margin = _TIED * max(abs(observed), float(np.abs(permuted).max()))
    b = int(np.sum(permuted >= observed - margin))
    return PermutationTestResult(observed, (1 + b) / (1 + q), permuted)


class _Problem(Protocol):
    """A statistic with its tables computed: its value, and its values under permutation."""

    @property
    def observed(self) -> float:
        """The statistic of the data."""

    def permuted(self, q: int, rng: np.random.Generator) -> FloatArray:
        """Return the statistic of q random arrangements."""


@dataclass(frozen=True, eq=False)
class _TwoSamples:
    """Two samples in one table: M is HKH, without its diagonal for the U-statistic."""

    M: FloatArray
    second: NDArray[np.bool_]
    estimator: Estimator

    @property
    def observed(self) -> float:
        return float(self._values(self.second[:, None])[0])

    def permuted(self, q: int, rng: np.random.Generator) -> FloatArray:
        blocks = []
        for start in range(0, q, _BLOCK):
            labels = np.tile(self.second, (min(_BLOCK, q - start), 1))
            blocks.append(self._values(rng.permuted(labels, axis=1).T))
        return np.concatenate(blocks)

    def _values(self, second: NDArray[np.bool_]) -> FloatArray:
        """Return the statistic for each column of labels, from the sums over three blocks of M."""
        v: FloatArray = second.astype(np.float64)
        n, rows = int(self.second.sum()), self.M.sum(axis=1)
        m = len(self.M) - n
        yy: FloatArray = np.einsum("ij,ij->j", v, self.M @ v)
        xy = rows @ v - yy
        xx = rows.sum() - 2 * xy - yy
        drop = 1 if self.estimator == "U" else 0
        within = xx / (m * (m - drop)) + yy / (n * (n - drop))
        return np.asarray(within - 2 * xy / (m * n))


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Two tables of the same objects: the statistic is the sum of A times L, entry by entry."""

    A: FloatArray
    L: FloatArray

    @property
    def observed(self) -> float:
        return float(np.vdot(self.A, self.L))

    def permuted(self, q: int, rng: np.random.Generator) -> FloatArray:
        n = len(self.A)
        return np.array([self._value(rng.permutation(n)) for _ in range(q)])

    def _value(self, order: NDArray[np.intp]) -> float:
        """Sum over the upper triangle of blocks; both tables are symmetric."""
        total = 0.0
        for top in range(0, len(order), _BLOCK):
            rows = slice(top, top + _BLOCK)
            panel = self.L[order[rows]].take(order[top:], axis=1)
            weights = self.A[rows, top:]
            corner = np.vdot(weights[:, :_BLOCK], panel[:, :_BLOCK])
            total += 2 * float(np.vdot(weights, panel)) - float(corner)
        return total


def _mmd(
    X: ArrayLike, Y: ArrayLike, kernel: KernelOrTable, *, estimator: Estimator = "V"
) -> _TwoSamples:
    check_option(estimator, Estimator, "estimator")
    if kernel == "precomputed":
        K = as_gram(X, "X", min_objects=4)
        second = _as_labels(Y, len(K))
    else:
        x, y = as_points(X, min_points=2), as_points(Y, "Y", min_points=2)
        if x.shape[1] != y.shape[1]:
            raise ValueError(
                f"X has {x.shape[1]} columns and Y has {y.shape[1]}: give both samples in the "
                "same variables."
            )
        K = _kernel_matrix(np.vstack([x, y]), kernel, "kernel")
        second = np.arange(len(K)) >= len(x)
    M = centre(K)
    if estimator == "U":
        np.fill_diagonal(M, 0.0)
    return _TwoSamples(M, second, estimator)


def _energy(
    X: ArrayLike,
    Y: ArrayLike,
    metric: Metric = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> _TwoSamples:
    X, kernel = _minus_distances(X, metric, exponent, "X")
    return _mmd(X, Y, kernel, estimator=estimator)


def _hsic(
    X: ArrayLike,
    Y: ArrayLike,
    kernel_x: KernelOrTable,
    kernel_y: KernelOrTable,
    *,
    estimator: Estimator = "V",
) -> _Pairs:
    M, L = _two_tables(X, Y, kernel_x, kernel_y, estimator)
    return _Pairs(M / _pairs(len(M), estimator), L)


def _dcov(
    X: ArrayLike,
    Y: ArrayLike,
    metric: Metric = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> _Pairs:
    X, kernel = _minus_distances(X, metric, exponent, "X")
    Y, _ = _minus_distances(Y, metric, exponent, "Y")
    return _hsic(X, Y, kernel, kernel, estimator=estimator)


def _dcor(
    X: ArrayLike,
    Y: ArrayLike,
    metric: Metric = "euclidean",
    *,
    exponent: float = 1.0,
    estimator: Estimator = "V",
) -> _Pairs:
    X, kernel = _minus_distances(X, metric, exponent, "X")
    Y, _ = _minus_distances(Y, metric, exponent, "Y")
    M, L = _two_tables(X, Y, kernel, kernel, estimator)
    lengths = float(np.linalg.norm(M) * np.linalg.norm(L))
    return _Pairs(M / (lengths or 1.0), L)


def _two_tables(
    X: ArrayLike,
    Y: ArrayLike,
    kernel_x: KernelOrTable,
    kernel_y: KernelOrTable,
    estimator: Estimator,
) -> tuple[FloatArray, FloatArray]:
    """Return HKH and HLH, or both U-centred, for the same number of objects."""
    check_option(estimator, Estimator, "estimator")
    center = centre if estimator == "V" else _u_centred
    K = _table(X, kernel_x, "x", _FEWEST[estimator])
    L = _table(Y, kernel_y, "y", _FEWEST[estimator])
    if len(K) != len(L):
        raise ValueError(
            f"X holds {len(K)} objects and Y holds {len(L)}: give both for the same objects, in "
            "the same order."
        )
    return center(K), center(L)


def _table(values: ArrayLike, kernel: KernelOrTable, name: str, fewest: int) -> FloatArray:
    """Return the kernel matrix of one side."""
    if kernel == "precomputed":
        return as_gram(values, name.upper(), min_objects=fewest)
    points = as_points(values, name.upper(), min_points=fewest)
    return _kernel_matrix(points, kernel, f"kernel_{name}")


def _u_centred(K: FloatArray) -> FloatArray:
    """Return K with a zero diagonal, centred so that the other entries of each row sum to 0.

    What is zero to rounding is set to zero, since correlations divide by its length.
    """
    n = len(K)
    M = centre(K)
    np.fill_diagonal(M, 0.0)
    rows = M.sum(axis=1) / (n - 2)
    M -= rows
    M -= rows[:, None]
    M += rows.sum() / (n - 1)
    np.fill_diagonal(M, 0.0)
    if np.abs(M).max() <= n * EPS * np.abs(K).max():
        M[:] = 0.0
    return M


def _pairs(n: int, estimator: Estimator) -> int:
    return n * n if estimator == "V" else n * (n - 3)


def _minus_distances(
    values: ArrayLike, metric: Metric, exponent: float, name: str
) -> tuple[ArrayLike, KernelOrTable]:
    """Return data and kernel of an energy statistic: points, or a table of minus distances."""
    exponent = check_number(exponent, "exponent", positive=True)
    if exponent > 2:
        raise ValueError(
            f"exponent is {exponent:g}: give a number in (0, 2], where -||x - y||^exponent is "
            "conditionally positive definite."
        )
    check_option(metric, Metric, "metric")
    if metric == "euclidean":
        return values, Power(exponent)
    return -(as_dissimilarities(values, name) ** exponent), "precomputed"


def _kernel_matrix(points: FloatArray, kernel: KernelOrTable, name: str) -> FloatArray:
    """Return the kernel matrix of points; refuse what is no kernel, or overflows."""
    if not isinstance(kernel, Kernel):
        raise ValueError(
            f"{name} is {kernel!r}: give a kernel object, such as RBF(1.0), or 'precomputed' for "
            "a kernel matrix."
        )
    with np.errstate(over="ignore"):
        K = kernel(points)
    return as_gram(K, f"the matrix of {name}")


def _as_labels(labels: ArrayLike, n: int) -> NDArray[np.bool_]:
    """Return which objects of a table belong to the second sample."""
    if np.ma.isMaskedArray(labels):
        as_numbers(labels, "Y")
    second = np.asarray(labels)
    if second.dtype != np.bool_ or second.shape != (n,):
        raise ValueError(
            f"Y has dtype {second.dtype} and shape {second.shape}: with a precomputed table of "
            f"{n} objects, give {n} booleans, True for the objects of the second sample."
        )
    size = int(second.sum())
    if min(size, n - size) < 2:
        raise ValueError(
            f"Y puts {size} of {n} objects into the second sample: each sample needs at least 2."
        )
    return second


_PROBLEMS: dict[Callable[..., float], Callable[..., _Problem]] = {
    mmd: _mmd,
    energy_distance: _energy,
    hsic: _hsic,
    distance_covariance: _dcov,
    distance_correlation: _dcor,
}
