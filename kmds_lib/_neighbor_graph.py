"""Neighbour graphs, and the number of neighbours that makes them connected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kmds_lib._messages import plural, warn_caller
from kmds_lib._metrics import MetricOrPrecomputed
from kmds_lib._nearest_neighbors import Graph, TrainingObjects
from kmds_lib._numbers import NEIGHBOR_GRAPHS
from kmds_lib._parameters import check_count_up_to, check_number
from kmds_lib._types import FloatArray

FindGroups = Callable[[Graph], list[NDArray[np.intp]]]


@dataclass(frozen=True, eq=False)
class Neighborhood:
    """The training objects, and the rule that makes some of them neighbours.

    Attributes
    ----------
    objects : TrainingObjects
        The training objects.
    n_neighbors : int or None
        Number of neighbours of each object.
    radius : float or None
        Largest distance of a neighbour, if `n_neighbors` is None.
    """

    objects: TrainingObjects
    n_neighbors: int | None
    radius: float | None

    @classmethod
    def checked(
        cls,
        X: Any,
        metric: MetricOrPrecomputed,
        n_neighbors: Any,
        radius: Any,
        metric_params: dict[str, Any] | None,
    ) -> Neighborhood:
        """Check the parameters of a public function and return the neighbourhood."""
        if n_neighbors is not None and radius is not None:
            raise ValueError(
                f"n_neighbors = {n_neighbors!r} and radius = {radius!r}: give one of the two."
            )
        if n_neighbors is None and radius is None:
            raise ValueError(
                "n_neighbors and radius are both missing: give the number of neighbours, or the "
                "largest distance of a neighbour."
            )
        objects = TrainingObjects.checked(X, metric, metric_params)
        if metric == "precomputed":
            _warn_dense_graph(objects.data)
        if n_neighbors is not None:
            n_neighbors = check_count_up_to(n_neighbors, len(objects) - 1, "n_neighbors")
        if radius is not None:
            radius = check_number(radius, "radius", positive=True)
        return cls(objects, n_neighbors, radius)

    def __len__(self) -> int:
        return len(self.objects)

    def without_dissimilarities(self) -> Neighborhood:
        """Return the neighbourhood without training dissimilarities, for placing new objects."""
        return replace(self, objects=self.objects.without_dissimilarities())

    def graph(self, new: FloatArray | None = None) -> Graph:
        """Return the neighbours of each checked new object, or else of each training object."""
        if self.n_neighbors is not None:
            return self.objects.nearest(self.n_neighbors, new)
        assert self.radius is not None
        graph = self.objects.within(self.radius, new)
        alone = np.flatnonzero(np.diff(graph.indptr) == 0)
        if new is not None and len(alone):
            raise ValueError(
                f"Row {alone[0]} of new has no neighbour among the training objects in the graph "
                f"with radius = {self.radius:g}, so that it cannot be placed "
                f"({plural(len(alone), 'such row')}). Remove such rows, or fit a graph with more "
                "neighbours."
            )
        return graph


def _warn_dense_graph(D: FloatArray) -> None:
    """Warn about dissimilarities that look like a neighbour graph with 0 for absent edges.

    Most of them are 0, and objects that a chain of zeros connects are not all at distance 0.
    """
    zeros = D == 0
    if 2 * np.count_nonzero(zeros) > D.size + len(D):
        labels = connected_components(csr_array(zeros), directed=False)[1]
        apart = np.argwhere((labels[:, None] == labels) & ~zeros)
        if len(apart):
            i, j = apart[0]
            warn_caller(
                f"Most entries of X are 0, but X[{i}, {j}] = {D[i, j]:.6g} for objects that are "
                f"connected by zeros. If 0 means no edge: {NEIGHBOR_GRAPHS}",
                UserWarning,
            )


def symmetric_graph(graph: Graph) -> Graph:
    """Return the graph that joins two objects if one of them is a neighbour of the other.

    It is exactly symmetric. Edges of length zero are stored entries.
    """
    n = graph.shape[0]
    rows = np.repeat(np.arange(n), np.diff(graph.indptr))
    low, high = np.minimum(rows, graph.indices), np.maximum(rows, graph.indices)
    edges, first = np.unique(low * n + high, return_index=True)
    low, high = (edges // n).astype(np.int32), (edges % n).astype(np.int32)
    ends = (np.concatenate([low, high]), np.concatenate([high, low]))
    return csr_array((np.tile(graph.data[first], 2), ends), shape=(n, n))


def components(graph: Graph) -> list[NDArray[np.intp]]:
    """Return the objects of each connected component."""
    count, labels = connected_components(graph, directed=False)
    return [np.flatnonzero(labels == label) for label in range(count)]


def closed_groups(graph: Graph) -> list[NDArray[np.intp]]:
    """Return the smallest groups of objects whose neighbours are all in the same group."""
    count, labels = connected_components(graph, directed=True, connection="strong")
    rows = np.repeat(labels, np.diff(graph.indptr))
    leaving = np.unique(rows[rows != labels[graph.indices]])
    return [np.flatnonzero(labels == k) for k in np.setdiff1d(np.arange(count), leaving)]


def coincident(graph: Graph) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return the rows at distance zero from a training object, and the first such object of each.

    The rows are in ascending order.
    """
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    zero = np.flatnonzero(graph.data == 0)
    coincident_rows, first = np.unique(rows[zero], return_index=True)
    return coincident_rows, graph.indices[zero[first]]


def connected_graph(neighborhood: Neighborhood, find_groups: FindGroups = components) -> Graph:
    """Return the neighbours of each object; raise if they do not form one group."""
    graph = neighborhood.graph()
    groups = find_groups(graph)
    if len(groups) > 1:
        raise ValueError(_disconnected_message(neighborhood, groups, find_groups))
    return graph


def _disconnected_message(
    neighborhood: Neighborhood, groups: list[NDArray[np.intp]], find_groups: FindGroups
) -> str:
    """Return the error message: the groups, and the number or radius that joins them."""
    objects = neighborhood.objects
    if (k := neighborhood.n_neighbors) is not None:
        rule = f"n_neighbors = {k}"
        remedy = f"n_neighbors = {_smallest_connecting_k(objects, k, find_groups)}"
    else:
        rule = f"radius = {neighborhood.radius:g}"
        remedy = f"radius = {_smallest_connecting_radius(objects):.11g}"
    groups.sort(key=len, reverse=True)
    sizes = ", ".join(str(len(group)) for group in groups[:5]) + (", ..." if groups[5:] else "")
    kind = "components" if find_groups is components else "groups closed under taking neighbours"
    return (
        f"The neighbour graph with {rule} falls into {len(groups)} {kind}, of sizes {sizes}; "
        f"object {groups[0][0]} is in the first, object {groups[1][0]} in the second. {remedy} is "
        "the smallest that joins them; or embed each on its own."
    )


def _smallest_connecting_k(objects: TrainingObjects, k: int, find_groups: FindGroups) -> int:
    """Return the smallest number of neighbours that connects the graph, by bisection.

    More neighbours never disconnect a graph.
    """
    low, high = k, k
    while len(find_groups(objects.nearest(high))) > 1:
        low, high = high, min(2 * high, len(objects) - 1)
    while high - low > 1:
        middle = (low + high) // 2
        connected = len(find_groups(objects.nearest(middle))) == 1
        low, high = (low, middle) if connected else (middle, high)
    return high


def _smallest_connecting_radius(objects: TrainingObjects) -> float:
    """Return the smallest radius that connects the graph.

    It is the longest edge of the minimum spanning tree, which Prim's algorithm finds.
    """
    outside = np.ones(len(objects), dtype=bool)
    nearest, longest, last = np.full(len(objects), np.inf), 0.0, 0
    for _ in range(len(objects) - 1):
        outside[last] = False
        nearest = np.minimum(nearest, objects.distances_from(last))
        last = int(np.argmin(np.where(outside, nearest, np.inf)))
        longest = max(longest, float(nearest[last]))
    return longest
