"""Laplacian eigenmaps: neighbours stay close, with weights that decrease with their distance."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, diags_array

from kmds_lib._graph_embedding import GraphCostEmbedding, smallest_cost_axes
from kmds_lib._labels import store_labels
from kmds_lib._metrics import MetricOrPrecomputed
from kmds_lib._nearest_neighbors import Graph
from kmds_lib._neighbor_graph import Neighborhood, coincident, connected_graph, symmetric_graph
from kmds_lib._parameters import check_dimensions, check_flag, check_number, check_option
from kmds_lib._types import FloatArray

EdgeWeighting = Literal["heat", "binary"]

_ZERO_RTOL = 1e-8
"""Relative difference of a cost and a degree up to which it counts as zero."""


@store_labels()
def laplacian_eigenmaps(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int | None = None,
    radius: float | None = None,
    weights: EdgeWeighting = "heat",
    t: float | None = None,
    normalized: bool = True,
    metric: MetricOrPrecomputed = "euclidean",
    metric_params: dict[str, Any] | None = None,
) -> GraphCostEmbedding:
    r"""Minimise the weighted squared distances between neighbours (Laplacian eigenmaps).

    Parameters
    ----------
    X, n_neighbors, radius, metric, metric_params
        As in `isomap`.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    weights : {"heat", "binary"}
        Weight of an edge of length d: :math:`\exp(-d^2 / t)`, or 1.
    t : float, optional
        Positive scale of the heat weights; by default the mean squared length of the edges.
    normalized : bool
        Solve :math:`L f = \nu T f` with :math:`F^\top T F = I` if True, and
        :math:`L f = \nu f` with :math:`F^\top F = I` if False.

    Returns
    -------
    GraphCostEmbedding
        Points, costs, ``weights``, ``cost_matrix`` (L), ``gram``, and `transform`.

    Raises
    ------
    ValueError
        As in `isomap`, or if the weights that connect the graph are zero to rounding.

    Warns
    -----
    FewerComponentsWarning
        If all objects coincide; then there is no axis, and `points` has shape (n, 0).

    Notes
    -----
    Derived in Chapter 11, Manifold methods, with T the diagonal matrix of the sums of weights, and
    :math:`L = T - (w_{ij})`. Over ordered pairs the sum of :math:`w_{ij} (y_i - y_j)^2` is
    :math:`2 y^\top L y`. This cost is minimised; the constant vector, whose cost is zero, is left
    out. Source: Belkin & Niyogi (2003); Ham, Lee, Mika & Schölkopf (2004) for the kernel.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> fit = laplacian_eigenmaps(X, 1, n_neighbors=1, weights="binary")
    >>> fit.points.round(3).ravel(), fit.costs.round(3)
    (array([ 0.577,  0.289, -0.289, -0.577]), array([0.5]))
    """
    normalized = check_flag(normalized, "normalized")
    neighborhood = Neighborhood.checked(X, metric, n_neighbors, radius, metric_params)
    n = len(neighborhood)
    k = check_dimensions(n_components, n - 1)
    graph = symmetric_graph(connected_graph(neighborhood))
    t = _heat_scale(graph, weights, t)
    W = _edge_weights(graph, t)
    degrees = _degrees(W, t)
    L = csr_array(diags_array(degrees) - W)
    scaling = degrees**-0.5 if normalized else np.ones(n)
    pairs = smallest_cost_axes(L, scaling, k, graph)
    F = scaling[:, None] * pairs.vectors
    kept = neighborhood.without_dissimilarities()
    place = partial(_place_by_equation, normalized)
    return GraphCostEmbedding(pairs, F, graph, W, L, t, scaling, kept, place)


def _place_by_equation(
    normalized: bool, fit: GraphCostEmbedding, edges: Graph, new: FloatArray
) -> FloatArray:
    """Place new objects by the eigenvector equation of the fit, solved for one coordinate."""
    W = _edge_weights(edges, fit.t)
    degrees = _row_sums(W)[:, None]
    _check_solvable(fit.costs, normalized, edges, degrees[:, 0])
    divisor = degrees * (1 - fit.costs) if normalized else degrees - fit.costs
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(W @ fit.points) / divisor


def _check_solvable(
    costs: FloatArray, normalized: bool, edges: Graph, degrees: FloatArray
) -> None:
    """Check that the equation of each new object has a solution.

    Objects that coincide with a training object take its coordinates and need no solution.
    """
    own = coincident(edges)[0]
    smallest = 0.0 if normalized else float(costs.max(initial=0.0)) * (1 + _ZERO_RTOL)
    if (weak := np.setdiff1d(np.flatnonzero(degrees <= smallest), own)).size:
        raise ValueError(
            f"Row {weak[0]} of new is too far from the training data: its weights sum to "
            f"{degrees[weak[0]]:.3g}, and must sum to more than {smallest:.3g}."
        )
    unsolvable = np.flatnonzero(np.abs(1 - costs) <= _ZERO_RTOL)
    if normalized and unsolvable.size and len(np.unique(own)) < len(degrees):
        raise ValueError(
            f"Coordinate {unsolvable[0]} has the cost 1, so that its equation does not determine "
            "new objects: fit fewer components, or use other weights or more neighbours."
        )


def _degrees(W: Graph, scale: float | None) -> FloatArray:
    """Return the sum of the weights of each object; raise if one is zero."""
    degrees = _row_sums(W)
    if not (degrees > 0).all():
        raise ValueError(
            f"The weights of object {np.argmin(degrees)} are all zero to rounding: choose a "
            f"larger t than {scale:.6g}."
        )
    return degrees


def _heat_scale(graph: Graph, weights: EdgeWeighting, t: float | None) -> float | None:
    """Return the given t, or the mean squared length of the edges; None for binary weights."""
    check_option(weights, EdgeWeighting, "weights")
    if weights == "heat":
        mean = float(np.square(graph.data).mean()) or 1.0
        return mean if t is None else check_number(t, "t", positive=True)
    if t is not None:
        raise ValueError("t is the scale of heat weights; binary weights have none. Omit t.")
    return None


def _edge_weights(edges: Graph, t: float | None) -> Graph:
    """Return the heat weights exp(-d^2 / t) of the edges, or ones if t is None."""
    data = np.ones_like(edges.data) if t is None else np.exp(-np.square(edges.data) / t)
    return csr_array((data, edges.indices, edges.indptr), shape=edges.shape)


def _row_sums(W: Graph) -> FloatArray:
    return np.asarray(W.sum(axis=1), dtype=np.float64)
