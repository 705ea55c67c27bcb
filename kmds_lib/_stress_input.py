"""Checks of dissimilarities with weights or missing entries, for methods that use the stress."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from kmds_lib._coincident import zero_rounding_errors
from kmds_lib._labels import as_labelled, check_columns, column_labels
from kmds_lib._numbers import as_numbers
from kmds_lib._rounding import EPS, rounding_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import (
    as_dissimilarities,
    as_gram,
    as_new_rows,
    refuse_one_sided_gaps,
    without_negative,
)


def as_weights(weights: ArrayLike, *, min_objects: int = 1) -> FloatArray:
    """Return symmetric, non-negative weights of pairs; their diagonal has no meaning."""
    W = as_gram(weights, "weights", min_objects=min_objects, nan_diagonal=True)
    return without_negative(W, "weights", "weights are at least 0.", rounding_tolerance(weights))


def check_observed(
    D: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, FloatArray | None, NDArray[np.bool_] | None]:
    """Check D and its weights.

    Return D, with 0 for missing entries; the weights; and the mask of the missing entries. Weights
    and mask are None if all weights are equal, or if no entry is missing.
    """
    D = as_labelled(D, "D", square=True)
    numbers, tolerance = as_numbers(D, "D"), rounding_tolerance(D)
    W, missing = None, None
    if weights is None:
        weights = _weights_of_missing(numbers)
    if weights is not None:
        W = _check_weights(weights, numbers)
        names = column_labels(D)
        check_columns(weights, "weights", names, "D", "weights.loc[D.columns, D.columns]")
        if numbers.shape != W.shape:
            raise ValueError(
                f"D has shape {numbers.shape}, but weights has {W.shape}: give one for each pair."
            )
        unobserved = W == 0
        np.fill_diagonal(unobserved, False)
        if unobserved.any():
            numbers, missing = np.where(unobserved, 0.0, numbers), unobserved
    try:
        D = as_dissimilarities(numbers, min_objects=2, tolerance=tolerance)
    except ValueError:
        _check_no_missing(numbers)
        raise
    return D, W, missing


def _weights_of_missing(D: FloatArray) -> FloatArray | None:
    """Return weights of 0 for missing pairs and 1 for others; None if all or none are missing."""
    if D.ndim != 2 or D.shape[0] != D.shape[1] or not np.isnan(D.min(initial=np.inf)):
        return None
    refuse_one_sided_gaps(D, "D")
    observed = ~np.isnan(D)
    np.fill_diagonal(observed, False)
    pairs = np.count_nonzero(observed)
    return observed.astype(np.float64) if 0 < pairs < D.size - len(D) else None


def _check_weights(weights: ArrayLike, D: FloatArray) -> FloatArray:
    """Return checked weights; report entries of D that are missing on one side first."""
    try:
        return as_weights(weights, min_objects=2)
    except ValueError:
        if D.ndim == 2 and D.shape[0] == D.shape[1]:
            refuse_one_sided_gaps(D, "D")
        raise


def check_new_rows(new: ArrayLike, D: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return the dissimilarities of new objects, with 0 where they are missing, and a mask.

    The mask is True where an entry is observed. Rounding errors of 0 are replaced by 0.
    """
    rows, tolerance = as_numbers(new, "new"), rounding_tolerance(new)
    observed = ~np.isnan(rows)
    delta = np.where(observed, rows, 0.0)
    scale = float(np.nanmax(D))
    delta = as_new_rows(
        delta, len(D), "new", nonnegative=True, tolerance=tolerance, fit_scale=lambda: scale
    )
    empty = np.flatnonzero(~observed.any(axis=1))
    if len(empty):
        raise ValueError(
            f"Row {empty[0]} of new has no observed entry, so that the object cannot be placed. "
            "Remove the row."
        )
    # A rounding error is at most half the smallest positive dissimilarity of the fit.
    scale = min(scale, 0.5 * float(np.min(D, where=D > 0, initial=scale)) / tolerance)
    delta[~observed] = np.inf
    delta = zero_rounding_errors(delta, np.arange(len(D)), scale, tolerance)
    return np.where(observed, delta, 0.0), observed


def check_connected(
    D: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, FloatArray | None, NDArray[np.bool_] | None]:
    """Check as `check_observed` does, and that positive weights connect all objects."""
    D, W, missing = check_observed(D, weights)
    if W is not None:
        _check_weights_connected(W)
    if not D.any():
        raise ValueError(
            "All observed dissimilarities are 0: the best map is a single point. Check the data."
        )
    return D, W, missing


def _check_no_missing(D: FloatArray) -> None:
    missing = np.argwhere(np.isnan(D)).tolist()
    pair = next((pair for pair in missing if len(set(pair)) > 1), None)
    if pair is not None:
        raise ValueError(
            f"D{pair} is missing (NaN): give weights, with 0 where D is missing and 1 elsewhere."
        )


def _check_weights_connected(W: FloatArray) -> None:
    if not _is_connected(W):
        parts, labels = connected_components(coo_array(W), directed=False)
        sizes = ", ".join(str(size) for size in np.bincount(labels))
        raise ValueError(
            f"The observed pairs, those of positive weight, split the objects into {parts} parts "
            f"of sizes {sizes}: their positions relative to each other are not determined. "
            "Observe a pair across, or scale each part separately."
        )


def check_no_duplicates(D: FloatArray) -> None:
    """Check that Sammon's stress can divide by the dissimilarities of different objects."""
    largest = D.max()
    zeros = np.less_equal(D, EPS * largest)
    np.fill_diagonal(zeros, False)
    if zeros.any():
        i, j = np.argwhere(zeros)[0]
        reason = f", too small beside the largest, {largest:.6g}" if D[i, j] > 0 else ""
        raise ValueError(
            f"D[{i}, {j}] = {D[i, j]:.6g}{reason}: Sammon's stress divides by every "
            "dissimilarity. Keep one of each set of equal objects, or use smacof."
        )


def _is_connected(W: FloatArray) -> bool:
    """Return True if the pairs of positive weight connect all objects.

    This search reads one row at a time, because a sparse copy of W would need much memory.
    """
    reached = np.zeros(len(W), dtype=bool)
    reached[0] = True
    to_visit = [0]
    while to_visit and not reached.all():
        new = (W[to_visit.pop()] > 0) & ~reached
        reached |= new
        to_visit.extend(np.flatnonzero(new))
    return bool(reached.all())
