"""Conversion of similarities to dissimilarities."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._gram import distances_from_checked_gram
from kmds_lib._labels import as_labelled, as_square_frame
from kmds_lib._numbers import as_numbers
from kmds_lib._parameters import check_option
from kmds_lib._rounding import dtype_of_tolerance, rounding_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_gram, refuse_one_sided_gaps

SimilarityConversion = Literal["gram", "cosine", "one-minus", "max-minus", "minus-log"]
"""The conversions of `similarities_to_dissimilarities`."""


def similarities_to_dissimilarities(
    S: ArrayLike, how: SimilarityConversion = "gram"
) -> FloatArray:
    r"""Convert similarities, which are large for similar objects, to dissimilarities.

    Parameters
    ----------
    S : array_like of shape (n, n)
        Similarities :math:`s_{ij}`, symmetric. Both entries of a pair may be missing (NaN, None or
        pandas' NA). The counts of a confusion matrix are not symmetric: see the notes.
    how : {"gram", "cosine", "one-minus", "max-minus", "minus-log"}
        - "gram": :math:`\sqrt{s_{ii} + s_{jj} - 2 s_{ij}}`, the distances between the points with
          these inner products; for correlations, whose diagonal is 1, :math:`\sqrt{2 - 2 s_{ij}}`.
        - "cosine": the same after division by :math:`\sqrt{s_{ii} s_{jj}}`, which removes the
          sizes of the objects; for example, for numbers of shared words.
        - "one-minus": :math:`1 - s_{ij}`, for proportions between 0 and 1.
        - "max-minus": :math:`\max s - s_{ij}`, for ratings on any scale.
        - "minus-log": :math:`-\log s_{ij}`, for proportions that decrease exponentially. Zeros
          have no logarithm; raise them to a floor first, such as half of the smallest positive
          proportion.

        The last three replace the diagonal by 0. Of them, only "max-minus" uses the diagonal of S,
        because it may contain the largest entry; for the other two it may be NaN.

    Returns
    -------
    ndarray of shape (n, n)
        Dissimilarities, not squared, exactly symmetric with a zero diagonal; NaN for a missing
        pair, which `smacof` accepts. A data frame if `S` is one with an index; of the type
        of `S` if this is float32.

    Raises
    ------
    ValueError
        If `S` is not a real, symmetric matrix, has an infinite entry or a missing one that is not
        allowed, `how` is unknown, or an entry cannot be converted: a squared distance is negative
        ("gram", "cosine"), or a similarity is above 1 ("one-minus") or outside (0, 1]
        ("minus-log").

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices, section From similarities to distances. If S
    is positive semidefinite, "gram" and "cosine" give Euclidean distances. The others need not,
    but if the diagonal is also 1, the square roots of "one-minus" are Euclidean. For nonmetric
    scaling, which depends only on the order of the dissimilarities, the last three are equivalent.

    For a confusion matrix of counts, with one row for each true class or stimulus, divide each row
    by its sum, so that similarities do not depend on the sizes of the classes, and average both
    directions: ``P = counts / counts.sum(axis=1, keepdims=True)`` and ``S = (P + P.T) / 2``. The
    conversion "one-minus" then also accepts pairs that are never confused.

    Source: Gower (1966); Gower & Legendre (1986); for the logarithm, Shepard (1987).

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
    check_option(how, SimilarityConversion, "how")
    table, S = S, as_labelled(S, "S", square=True)
    tolerance = rounding_tolerance(S)
    S, missing = _fill_missing(as_numbers(S, "S"), how)
    is_diagonal_unused = how in ("one-minus", "minus-log")
    S = as_gram(S, "S", nan_diagonal=is_diagonal_unused, tolerance=tolerance)
    D = _dissimilarities(S, how, tolerance)
    D[missing] = np.nan
    # Fits judge ties by the type.
    return as_square_frame(D.astype(dtype_of_tolerance(tolerance), copy=False), table)


def _fill_missing(S: FloatArray, how: str) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return S with convertible values for missing pairs, and the mask of these pairs."""
    missing = np.isnan(S)
    if not missing.any() or S.ndim != 2 or S.shape[0] != S.shape[1]:
        return S, missing
    refuse_one_sided_gaps(S, "S")
    np.fill_diagonal(missing, False)
    convertible = 1.0 if how == "minus-log" else -float(np.nanmax(np.abs(S), initial=0.0))
    return np.where(missing, convertible, S), missing


def _dissimilarities(S: FloatArray, how: SimilarityConversion, tolerance: float) -> FloatArray:
    """Return the dissimilarities of checked similarities by one of the conversions."""
    if how == "gram":
        return distances_from_checked_gram(S, tolerance)
    if how == "cosine":
        return distances_from_checked_gram(_cosines(S), tolerance)
    if how == "minus-log":
        return _with_zero_diagonal(-np.log(_proportions(S, how, tolerance, positive=True)))
    if how == "one-minus":
        return _with_zero_diagonal(1.0 - _proportions(S, how, tolerance, positive=False))
    return _with_zero_diagonal(S.max() - S)


def _cosines(S: FloatArray) -> FloatArray:
    """Return the cosines s_ij / sqrt(s_ii s_jj)."""
    squares = np.diagonal(S)
    i = int(np.argmin(squares))
    if squares[i] <= 0:
        raise ValueError(
            f"S[{i}, {i}] = {squares[i]:.6g}, but a cosine divides by the root of the diagonal, "
            "which has to be positive. Remove the object, or choose another conversion."
        )
    lengths = np.sqrt(squares)
    return S / lengths / lengths[:, None]


def _proportions(S: FloatArray, how: str, tolerance: float, *, positive: bool) -> FloatArray:
    """Check that the similarities are at most 1, and set the diagonal to 1."""
    outside = 1 + tolerance < S
    if positive:
        outside |= S <= 0
    np.fill_diagonal(outside, False)
    bad = np.argwhere(outside)
    if len(bad):
        i, j = min(bad, key=lambda pair: S[*pair] >= -tolerance)  # a negative entry first
        interval = "above 0 and at most 1" if positive else "at most 1"
        remedy = 'Divide S by its largest entry, or choose "max-minus".'
        if -tolerance <= S[i, j] <= 0:
            floor = S.min(where=S > 0, initial=1.0) / 2
            remedy = (
                "A similarity of 0 would be at an infinite distance: raise small similarities to "
                f"a floor first, for example np.maximum(S, {floor:.3g}), half of the smallest "
                'positive one, or choose "one-minus".'
            )
        raise ValueError(
            f'S[{i}, {j}] = {S[i, j]:.9g}, but "{how}" takes similarities {interval}. {remedy}'
        )
    proportions = np.minimum(S, 1.0)
    np.fill_diagonal(proportions, 1.0)
    return proportions


def _with_zero_diagonal(D: FloatArray) -> FloatArray:
    """Return dissimilarities, exactly symmetric, with zeros on the diagonal."""
    D = 0.5 * D + 0.5 * D.T + 0.0  # + 0.0 turns -0.0 into 0.0
    np.fill_diagonal(D, 0.0)
    return D
