"""Permutation tests: equality of two laws, or independence, by what may be permuted under it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import unwrap
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import FloatArray, check_count
from kmds_lib._dependence import distance_correlation, distance_covariance, hsic
from kmds_lib._mmd import energy_distance, mmd

__all__ = ["PermutationTestResult", "permutation_test"]

_TIED = 1e-10
"""Permuted values this close to the observed one, relative to the largest, count as equal."""

_STATISTICS = (distance_correlation, distance_covariance, energy_distance, hsic, mmd)


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
    of the q + 1, so that under the hypothesis ``P(p_value <= a) <= a`` for every a and every
    sample size. The smallest value possible is 1/(q + 1). Large statistics speak against the
    hypothesis. The kernel matrices are computed and centred once. Source: Phipson & Smyth (2010).

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> x = [[0.1], [0.5], [0.9], [1.4], [2.0], [2.2]]
    >>> permutation_test(mmd, x, [[5.0], [5.5], [6.0], [6.5]], RBF(0.1), seed=0).p_value
    0.007
    """
    if not any(statistic is known for known in _STATISTICS):
        names = ", ".join(known.__name__ for known in _STATISTICS)
        raise ValueError(f"statistic is {statistic!r}: give one of the functions {names}.")
    q = check_count(n_permutations, "n_permutations")
    arranged = unwrap(statistic)(X, Y, *arguments, **options)
    observed, permuted = arranged.observed, arranged.permuted(q, np.random.default_rng(seed))
    margin = _TIED * max(abs(observed), float(np.abs(permuted).max()))
    b = int(np.sum(permuted >= observed - margin))
    return PermutationTestResult(observed, (1 + b) / (1 + q), permuted)
