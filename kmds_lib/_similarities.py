"""From similarities to dissimilarities: large where objects are alike, to small."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import ROUNDING, FloatArray, as_gram, check_option
from kmds_lib._gram import distances_from_gram

__all__ = ["Conversion", "similarities_to_dissimilarities"]

Conversion = Literal["gram", "cosine", "one-minus", "max-minus", "minus-log"]
"""What becomes of a similarity; see `similarities_to_dissimilarities`."""


def similarities_to_dissimilarities(S: ArrayLike, how: Conversion = "gram") -> FloatArray:
    r"""Turn similarities, which are large where objects are alike, into dissimilarities.

    Parameters
    ----------
    S : array_like of shape (n, n)
        Similarities :math:`s_{ij}`: symmetric, and complete, since a missing one (NaN) is refused.
    how : {"gram", "cosine", "one-minus", "max-minus", "minus-log"}
        - "gram": :math:`\sqrt{s_{ii} + s_{jj} - 2 s_{ij}}`, the distances of the points with these
          inner products; :math:`\sqrt{2 - 2 s_{ij}}` where the diagonal is 1, as of correlations.
        - "cosine": the same after division by :math:`\sqrt{s_{ii} s_{jj}}`, so that it does not
          count how large an object is; for counts of shared words, for example.
        - "one-minus": :math:`1 - s_{ij}`, for shares between 0 and 1.
        - "max-minus": :math:`\max s - s_{ij}`, for ratings on any scale.
        - "minus-log": :math:`-\log s_{ij}`, for shares that fall off exponentially.

        The last three do not use the diagonal of S, but for the largest entry: objects are at
        distance 0 from themselves.

    Returns
    -------
    ndarray of shape (n, n)
        Dissimilarities, not squared, exactly symmetric with a zero diagonal.

    Raises
    ------
    ValueError
        If `S` is not a real, finite, symmetric matrix, `how` is unknown, or an entry has no
        dissimilarity: a negative square ("gram", "cosine"), a similarity above 1 ("one-minus"), or
        outside (0, 1] ("minus-log").

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices, section From similarities to distances. If S
    is positive semidefinite, "gram" and "cosine" are Euclidean; the others need not be, though
    with a diagonal of ones the root of "one-minus" is. Where the order of the dissimilarities
    alone counts, as in nonmetric scaling, the last three are one. Source: Gower (1966); Gower &
    Legendre (1986); for the logarithm, Shepard (1987).

    Examples
    --------
    >>> S = [[1.0, 0.5], [0.5, 1.0]]
    >>> similarities_to_dissimilarities(S)
    array([[0., 1.],
           [1., 0.]])
    >>> similarities_to_dissimilarities(S, "one-minus")
    array([[0. , 0.5],
           [0.5, 0. ]])
    """
    check_option(how, Conversion, "how")
    S = as_gram(S, "S")
    if how == "gram":
        return distances_from_gram(S)
    if how == "cosine":
        return distances_from_gram(_cosines(S))
    if how == "minus-log":
        return _without_diagonal(-np.log(_shares(S, how, positive=True)))
    if how == "one-minus":
        return _without_diagonal(1.0 - _shares(S, how, positive=False))
    return _without_diagonal(S.max() - S)


def _cosines(S: FloatArray) -> FloatArray:
    lengths = np.diagonal(S)
    worst = int(np.argmin(lengths))
    if lengths[worst] <= 0:
        raise ValueError(
            f"S[{worst}, {worst}] = {lengths[worst]:.6g}, but a cosine divides by the root of the "
            "diagonal, which has to be positive."
        )
    root = np.sqrt(lengths)
    return S / root / root[:, None]


def _shares(S: FloatArray, how: str, *, positive: bool) -> FloatArray:
    """Return similarities of at most 1, with ones on the diagonal, whatever stood there."""
    outside = S > 1 + ROUNDING
    if positive:
        outside |= S <= 0
    np.fill_diagonal(outside, False)
    bad = np.argwhere(outside)
    if len(bad):
        i, j = bad[0]
        span = "above 0 and at most 1" if positive else "at most 1"
        raise ValueError(
            f'S[{i}, {j}] = {S[i, j]:.6g}, but "{how}" takes similarities {span}. Divide S by its '
            'largest entry, or choose "max-minus".'
        )
    shares = np.minimum(S, 1.0)
    np.fill_diagonal(shares, 1.0)
    return shares


def _without_diagonal(D: FloatArray) -> FloatArray:
    """Return dissimilarities, exactly symmetric, with zeros on the diagonal."""
    D = 0.5 * D + 0.5 * D.T + 0.0  # no zero has a sign
    np.fill_diagonal(D, 0.0)
    return D
