"""Neighbour graphs, and the number of neighbours that makes them connected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kmds_lib._checks import FloatArray, Metric, check_count_up_to
from kmds_lib._fast.nearest_neighbors import Graph, Objects

FindGroups = Callable[[Graph], list[NDArray[np.intp]]]


@dataclass(frozen=True, eq=False)
class Neighborhood:
    """The training objects, and the number of nearest ones that are neighbours.

    Attributes
    ----------
    objects : Objects
        The training objects.
    n_neighbors : int
        Number of neighbours of each object.
    """

    objects: Objects
    n_neighbors: int

    @classmethod
    def checked(cls, X: ArrayLike, metric: Metric, n_neighbors: Any) -> Neighborhood:
        """Check the parameters of a public function and return the neighbourhood."""
        objects = Objects.checked(X, metric)
        return cls(objects, check_count_up_to(n_neighbors, len(objects) - 1, "n_neighbors"))

    def __len__(self) -> int:
        return len(self.objects)

    def without_dissimilarities(self) -> Neighborhood:
        """Return the neighbourhood without training dissimilarities, for placing new objects."""
        return replace(self, objects=self.objects.without_dissimilarities())

    def graph(self, new: FloatArray | None = None) -> Graph:
        """Return the neighbours of each checked new object, or else of each training object."""
        return self.objects.nearest(self.n_neighbors, new)


def symmetric_graph(near: Graph) -> Graph:
    """Return the graph that joins two objects if one of them is a neighbour of the other.

    It is exactly symmetric. Edges of length zero are stored entries.
    """
    n = near.shape[0]
    rows = np.repeat(np.arange(n), np.diff(near.indptr))
    low, high = np.minimum(rows, near.indices), np.maximum(rows, near.indices)
    edges, first = np.unique(low * n + high, return_index=True)
    low, high = (edges // n).astype(np.int32), (edges % n).astype(np.int32)
    ends = (np.concatenate([low, high]), np.concatenate([high, low]))
    return csr_array((np.tile(near.data[first], 2), ends), shape=(n, n))


def components(near: Graph) -> list[NDArray[np.intp]]:
    """Return the objects of each connected component."""
    count, labels = connected_components(near, directed=False)
    return [np.flatnonzero(labels == label) for label in range(count)]


def closed_groups(near: Graph) -> list[NDArray[np.intp]]:
    """Return the smallest groups of objects whose neighbours are all in the same group."""
    count, labels = connected_components(near, directed=True, connection="strong")
    rows = np.repeat(labels, np.diff(near.indptr))
    leaving = np.unique(rows[rows != labels[near.indices]])
    return [np.flatnonzero(labels == k) for k in np.setdiff1d(np.arange(count), leaving)]


def coincident(near: Graph) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return the rows at distance zero from a training object, and the first such object of each.

    The rows are in ascending order.
    """
    rows = np.repeat(np.arange(near.shape[0]), np.diff(near.indptr))
    zero = np.flatnonzero(near.data == 0)
    found, first = np.unique(rows[zero], return_index=True)
    return found, near.indices[zero[first]]


def connected_graph(neighborhood: Neighborhood, find_groups: FindGroups = components) -> Graph:
    """Return the neighbours of each object; raise if they do not form one group."""
    near = neighborhood.graph()
    groups = find_groups(near)
    if len(groups) > 1:
        raise ValueError(_disconnected_message(neighborhood, groups, find_groups))
    return near


def _disconnected_message(
    neighborhood: Neighborhood, groups: list[NDArray[np.intp]], find_groups: FindGroups
) -> str:
    """Return the error message: the groups, and the number of neighbours that joins them."""
    k = neighborhood.n_neighbors
    enough = _smallest_connecting_k(neighborhood.objects, k, find_groups)
    groups.sort(key=len, reverse=True)
    sizes = ", ".join(str(len(group)) for group in groups[:5]) + (", ..." if groups[5:] else "")
    kind = "components" if find_groups is components else "groups closed under taking neighbours"
    return (
        f"The neighbour graph with n_neighbors = {k} falls into {len(groups)} {kind}, of sizes "
        f"{sizes}; object {groups[0][0]} is in the first, object {groups[1][0]} in the second. "
        f"n_neighbors = {enough} is the smallest that joins them; or embed each on its own."
    )


def _smallest_connecting_k(objects: Objects, k: int, find_groups: FindGroups) -> int:
    """Find the number of neighbours by bisection; more neighbours never disconnect a graph."""
    low, high = k, k
    while len(find_groups(objects.nearest(high))) > 1:
        low, high = high, min(2 * high, len(objects) - 1)
    while high - low > 1:
        middle = (low + high) // 2
        connected = len(find_groups(objects.nearest(middle))) == 1
        low, high = (low, middle) if connected else (middle, high)
    return high
