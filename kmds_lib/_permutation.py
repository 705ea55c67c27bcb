"""Permutation tests of two hypotheses: equal distributions, and independence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._fast.permutations import CentredMatrices
from kmds_lib._hsic import (
    correlation_matrices,
    covariance_matrices,
    distance_correlation,
    distance_covariance,
    hsic,
    hsic_matrices,
)
from kmds_lib._mmd import energy_distance, energy_matrices, mmd, mmd_matrices
from kmds_lib._parameters import check_count, random_generator
from kmds_lib._rounding import rounding_tolerance, tie_tolerance
from kmds_lib._types import FloatArray

_STATISTICS: dict[str, tuple[Callable[..., float], Callable[..., CentredMatrices]]] = {
    "distance_correlation": (distance_correlation, correlation_matrices),
    "distance_covariance": (distance_covariance, covariance_matrices),
    "energy_distance": (energy_distance, energy_matrices),
    "hsic": (hsic, hsic_matrices),
    "mmd": (mmd, mmd_matrices),
}
"""Each public function, and the private one that returns the matrices to be permuted."""

Statistic = Literal[
    "distance_correlation", "distance_covariance", "energy_distance", "hsic", "mmd"
]


@dataclass(frozen=True, eq=False)
class PermutationTestResult:
    """Result of `permutation_test`.

    Attributes
    ----------
    statistic : float
        The statistic of the data.
    p_value : float
        ``(1 + b) / (1 + q)`` if b of q permutations give at least the statistic of the data.
    permuted : ndarray of shape (q,)
        The statistic of each permutation, in the order of drawing.
    """

    statistic: float
    p_value: float
    permuted: FloatArray = field(repr=False)


def permutation_test(
    statistic: Callable[..., float] | Statistic,
    X: ArrayLike,
    Y: ArrayLike,
    *arguments: Any,
    n_permutations: int = 999,
    seed: int | np.random.Generator | None = None,
    **options: Any,
) -> PermutationTestResult:
    """Test by random permutations if two distributions are equal, or two variables independent.

    Parameters
    ----------
    statistic : function or str
        `mmd` or `energy_distance`, to permute the labels of two samples; or `hsic`,
        `distance_covariance` or `distance_correlation`, to permute the pairing. It can be given
        by its name, such as "hsic".
    X, Y : array_like
        Data, as for the statistic.
    *arguments, **options
        Further arguments of the statistic: kernels or metric, ``estimator``, ``exponent``. For
        example, "hsic" needs the kernels of X and of Y, such as ``RBF(choose_theta(X))`` and
        ``RBF(choose_theta(Y))``.
    n_permutations : int
        Number q of random permutations.
    seed : int or numpy.random.Generator, optional
        Seed of the permutations; without it every call draws anew.

    Returns
    -------
    PermutationTestResult
        ``statistic``, ``p_value``, ``permuted``.

    Raises
    ------
    ValueError
        If the statistic is not one of the five, `n_permutations` is not a positive integer, or
        another argument is invalid for the statistic.

    Notes
    -----
    Derived in Chapter 12, Kernel tests. Large statistics are evidence against the hypothesis. The
    observed arrangement is counted as one of q + 1, so that under the hypothesis ``P(p_value <= a)
    <= a`` for every a and every sample size. The smallest possible p-value is 1/(q + 1). The
    kernel matrices are computed and centred once. Source: Phipson & Smyth (2010).

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> x = [[0.1], [0.5], [0.9], [1.4], [2.0], [2.2]]
    >>> permutation_test(mmd, x, [[5.0], [5.5], [6.0], [6.5]], RBF(0.1), seed=0).p_value
    0.007
    >>> y = [[0.2], [0.9], [1.9], [2.7], [4.1], [4.4]]
    >>> permutation_test("hsic", x, y, RBF(0.1), RBF(0.1), seed=0).p_value
    0.002
    """
    name = statistic if isinstance(statistic, str) else getattr(statistic, "__name__", "")
    function, compute = _STATISTICS.get(name, (None, None))
    if function is None or compute is None or statistic not in (name, function):
        raise ValueError(
            f"statistic is {statistic!r}: give one of the functions {', '.join(_STATISTICS)}, or "
            "its name."
        )
    q = check_count(n_permutations, "n_permutations")
    bound = signature(function).bind(X, Y, *arguments, **options)
    bound.apply_defaults()
    matrices = compute(*bound.args, **bound.kwargs)
    observed, permuted = matrices.observed, matrices.permuted(q, random_generator(seed))
    tie = tie_tolerance(rounding_tolerance(X, Y))
    margin = tie * max(abs(observed), float(np.abs(permuted).max()))
    b = int(np.sum(permuted >= observed - margin))
    return PermutationTestResult(observed, (1 + b) / (1 + q), permuted)
