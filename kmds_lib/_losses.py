"""Four losses of a configuration: strain, SSTRESS, the raw stress and Kruskal's stress-1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._embedding import centred_columns
from kmds_lib._gram import distances, gram_from_distances, squared_distances
from kmds_lib._labels import check_same_objects
from kmds_lib._messages import plural
from kmds_lib._stress_input import check_observed
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_dissimilarities, as_points


def strain(Y: ArrayLike, D: ArrayLike) -> float:
    r"""Return the strain of a configuration, the loss that classical scaling minimises.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Points, one in each row.
    D : array_like of shape (n, n)
        Dissimilarities, not squared.

    Returns
    -------
    float
        Squared Frobenius norm of :math:`B - H Y Y^\top H` with :math:`B = -\tfrac12 H D^{(2)} H`,
        in the unit of D to the fourth power.

    Raises
    ------
    ValueError
        If `D` is not a finite, symmetric, non-negative matrix with a zero diagonal, or `Y` is not
        a finite matrix with one row for each object in the same order.

    Notes
    -----
    Compared in Chapter 9, Stress. Source: Mardia (1978).

    Examples
    --------
    >>> strain([[0.0], [3.0]], [[0.0, 3.0], [3.0, 0.0]])
    0.0
    """
    points, D = _check_pair(Y, D)
    points = centred_columns(points)
    return float(np.sum((gram_from_distances(D) - points @ points.T) ** 2))


def sstress(Y: ArrayLike, D: ArrayLike) -> float:
    r"""Return SSTRESS, the sum of squared differences of the squared distances.

    Parameters
    ----------
    Y, D
        As in `strain`, with the same errors.

    Returns
    -------
    float
        Sum of :math:`(d_{ij}^2 - \delta_{ij}^2)^2` over ordered pairs.

    Notes
    -----
    Compared in Chapter 9, Stress. Source: Takane, Young & de Leeuw (1977).

    Examples
    --------
    >>> sstress([[0.0], [2.0]], [[0.0, 3.0], [3.0, 0.0]])
    50.0
    """
    Y, D = _check_pair(Y, D)
    return float(np.sum((squared_distances(Y) - D**2) ** 2))


def raw_stress(Y: ArrayLike, D: ArrayLike, weights: ArrayLike | None = None) -> float:
    r"""Return the raw stress, the weighted sum of squared differences of the distances.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Points, one in each row.
    D : array_like of shape (n, n)
        Dissimilarities or disparities. An entry of weight zero is ignored, NaN included.
    weights : array_like of shape (n, n), optional
        Symmetric, non-negative, positive for some pair; all 1 by default.

    Returns
    -------
    float
        Sum of :math:`w_{ij} (d_{ij} - \delta_{ij})^2` over ordered pairs. It is twice the raw
        stress of scikit-learn and of Borg & Groenen, who count each pair once.

    Raises
    ------
    ValueError
        As in `strain`, but without a check of the entries of `D` of weight zero; also if `weights`
        is not as described.

    Notes
    -----
    Compared in Chapter 9, Stress. Source: Kruskal (1964).

    Examples
    --------
    >>> raw_stress([[0.0], [2.0]], [[0.0, 3.0], [3.0, 0.0]])
    2.0
    """
    d, D = _observed_pair(Y, D, weights)
    return float(np.sum((d - D) ** 2))


def kruskal_stress(Y: ArrayLike, D: ArrayLike, weights: ArrayLike | None = None) -> float:
    r"""Return Kruskal's stress-1, the root of raw stress relative to the squared distances.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Points, not all equal.
    D, weights
        As in `raw_stress`, with the same errors.

    Returns
    -------
    float
        Root of the sum of :math:`w_{ij} (d_{ij} - \delta_{ij})^2` divided by the sum of
        :math:`w_{ij} d_{ij}^2`.

    Notes
    -----
    Compared in Chapter 9, Stress. Source: Kruskal (1964), formula 1.

    Examples
    --------
    >>> kruskal_stress([[0.0], [2.0]], [[0.0, 3.0], [3.0, 0.0]])
    0.5
    """
    d, D = _observed_pair(Y, D, weights)
    if not d.any():
        raise ValueError(
            "All points of Y coincide, and stress-1 divides by their distances. Use raw_stress."
        )
    return float(np.linalg.norm(d - D) / np.linalg.norm(d))


def _observed_pair(
    Y: ArrayLike, D: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Return distances and dissimilarities, both multiplied by the root of the weights."""
    if weights is None:
        points, D = _check_pair(Y, D)
        return distances(points), D
    check_same_objects(D, Y, ("D", "Y"), square=(True, False))
    D, W, _ = check_observed(D, weights)
    assert W is not None
    if np.count_nonzero(W) == np.count_nonzero(np.diagonal(W)):
        raise ValueError(
            "All weights between different objects are 0. Give a positive weight to some pair."
        )
    points, D = _check_pair(Y, D)
    root = np.sqrt(W)
    return root * distances(points), root * D


def _check_pair(Y: ArrayLike, D: ArrayLike) -> tuple[FloatArray, FloatArray]:
    check_same_objects(D, Y, ("D", "Y"), square=(True, False))
    D = as_dissimilarities(D)
    Y = as_points(Y, "Y")
    if len(Y) != len(D):
        raise ValueError(
            f"Y has {plural(len(Y), 'row')}, but D has {plural(len(D), 'object')}: give one row "
            "for each."
        )
    return Y, D
