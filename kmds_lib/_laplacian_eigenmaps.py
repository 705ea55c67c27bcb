"""Laplacian eigenmaps: neighbours are kept together, weighted by how near they are."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, diags_array

from kmds_lib._checks import (
    FloatArray,
    Metric,
    check_flag,
    check_n_components,
    check_number,
    check_option,
)
from kmds_lib._fast.nearest_neighbors import Graph
from kmds_lib._graph_embedding import GraphCostEmbedding, axes_of_least_cost
from kmds_lib._labels import carry_labels
from kmds_lib._neighbor_graph import Neighborhood, coincident, joined_graph, symmetric_graph

__all__ = ["laplacian_eigenmaps"]

Weights = Literal["heat", "binary"]

_NO_DIVISOR = 1e-8
"""Gap between a cost and the degree, relative to the degree, from which it is zero to rounding."""


@carry_labels
def laplacian_eigenmaps(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int,
    weights: Weights = "heat",
    t: float | None = None,
    normalized: bool = True,
    metric: Metric = "euclidean",
) -> GraphCostEmbedding:
    r"""Keep neighbours together, weighted by how near they are: Laplacian eigenmaps.

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Points, one in each row; or dissimilarities, not squared.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    n_neighbors : int
        Join each object to so many nearest others; from 1 to n - 1.
    weights : {"heat", "binary"}
        Weight of an edge of length d: :math:`\exp(-d^2 / t)`, or 1.
    t : float, optional
        Scale of the heat weights; by default the mean squared length of the edges.
    normalized : bool
        Solve :math:`L f = \nu T f`, with :math:`F^\top T F = I`; without it,
        :math:`L f = \nu f`, with :math:`F^\top F = I`.
    metric : {"euclidean", "precomputed"}
        What `X` holds.

    Returns
    -------
    GraphCostEmbedding
        Points, costs, ``weights``, ``cost_matrix`` (L), ``gram``, and `transform`.

    Raises
    ------
    ValueError
        If `X` is not what `metric` says, a parameter is out of range, the graph falls into
        components, or its weights are so small that it is joined in name only.

    Warns
    -----
    FewerComponentsWarning
        If all objects coincide; there is no axis then, and `points` has shape (n, 0).

    Notes
    -----
    Derived in Chapter 11, A manifold method is a choice of Gram matrix, with T the diagonal
    matrix of the sums of weights, and :math:`L = T - (w_{ij})`. Over ordered pairs the sum of
    :math:`w_{ij} (y_i - y_j)^2` is :math:`2 y^\top L y`. It is minimised; the constant vector,
    which costs nothing, is left out. Source: Belkin & Niyogi (2003); Ham, Lee, Mika & Schölkopf
    (2004) for the kernel.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> fit = laplacian_eigenmaps(X, 1, n_neighbors=1, weights="binary")
    >>> fit.points.round(3).ravel(), fit.costs.round(3)
    (array([ 0.577,  0.289, -0.289, -0.577]), array([0.5]))
    """
    normalized = check_flag(normalized, "normalized")
    neighborhood = Neighborhood.checked(X, metric, n_neighbors)
    n = len(neighborhood)
    k = check_n_components(n_components, n - 1)
    graph = symmetric_graph(joined_graph(neighborhood))
    t = _heat_scale(graph, weights, t)
    W = _affinities(graph, t)
    degrees = _degrees(W, t)
    L = csr_array(diags_array(degrees) - W)
    balance = degrees**-0.5 if normalized else np.ones(n)
    pairs = axes_of_least_cost(L, balance, k, graph)
    F = balance[:, None] * pairs.vectors
    kept, place = neighborhood.without_table(), partial(_by_equation, normalized)
    return GraphCostEmbedding(pairs, F, graph, W, L, t, balance, kept, place)


def _by_equation(
    normalized: bool, fit: GraphCostEmbedding, near: Graph, new: FloatArray
) -> FloatArray:
    """Place new objects by the equation that each coordinate satisfies in the fit."""
    W = _affinities(near, fit.t)
    degrees = _row_sums(W)[:, None]
    _refuse_without_place(fit.costs, normalized, near, degrees[:, 0])
    divisor = degrees * (1 - fit.costs) if normalized else degrees - fit.costs
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(W @ fit.points) / divisor


def _refuse_without_place(
    costs: FloatArray, normalized: bool, near: Graph, degrees: FloatArray
) -> None:
    """Refuse new objects whose equation has no solution, unless a training object is there."""
    own = coincident(near)[0]
    least = 0.0 if normalized else float(costs.max(initial=0.0)) * (1 + _NO_DIVISOR)
    if (weak := np.setdiff1d(np.flatnonzero(degrees <= least), own)).size:
        raise ValueError(
            f"Row {weak[0]} of new is too far from the training data: its weights sum to "
            f"{degrees[weak[0]]:.3g}, and must sum to more than {least:.3g}."
        )
    lost = np.flatnonzero(np.abs(1 - costs) <= _NO_DIVISOR)
    if normalized and lost.size and len(np.unique(own)) < len(degrees):
        raise ValueError(
            f"Coordinate {lost[0]} has the cost 1, so that its equation gives new objects no "
            "place: fit fewer components, or other weights, or more neighbours."
        )


def _degrees(W: Graph, scale: float | None) -> FloatArray:
    """Return the sums of the weights of each object; refuse an object that has none."""
    degrees = _row_sums(W)
    if not (degrees > 0).all():
        raise ValueError(
            f"The weights of object {np.argmin(degrees)} are all zero to rounding: choose a "
            f"larger t than {scale:.6g}."
        )
    return degrees


def _heat_scale(graph: Graph, weights: Weights, t: float | None) -> float | None:
    """Return the scale given, or the mean squared length of the edges; None for binary weights."""
    check_option(weights, Weights, "weights")
    if weights == "heat":
        mean = float(np.square(graph.data).mean()) or 1.0
        return mean if t is None else check_number(t, "t", positive=True)
    if t is not None:
        raise ValueError("t is the scale of heat weights; binary weights have none. Leave it out.")
    return None


def _affinities(near: Graph, t: float | None) -> Graph:
    """Heat weights exp(-d^2 / t) of the edges, or ones."""
    data = np.ones_like(near.data) if t is None else np.exp(-np.square(near.data) / t)
    return csr_array((data, near.indices, near.indptr), shape=near.shape)


def _row_sums(W: Graph) -> FloatArray:
    return np.asarray(W.sum(axis=1), dtype=np.float64)
