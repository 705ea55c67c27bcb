"""Neighbour graphs: who is near whom, whether that joins all objects, and what would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kmds_lib._checks import FloatArray, Metric, check_n_components
from kmds_lib._fast.nearest_neighbors import Graph, Objects

Groups = Callable[[Graph], list[NDArray[np.intp]]]


@dataclass(frozen=True, eq=False)
class Neighborhood:
    """Who counts as a neighbour among training objects: the nearest few.

    Attributes
    ----------
    objects : Objects
        The training objects.
    n_neighbors : int
        How many.
    """

    objects: Objects
    n_neighbors: int

    @classmethod
    def checked(cls, X: ArrayLike, metric: Metric, n_neighbors: Any) -> Neighborhood:
        """Return the neighbourhood asked for, from what a caller gave."""
        objects = Objects.checked(X, metric)
        return cls(objects, check_n_components(n_neighbors, len(objects) - 1, "n_neighbors"))

    def __len__(self) -> int:
        return len(self.objects)

    def without_table(self) -> Neighborhood:
        """Return what new objects need to find their neighbours: of dissimilarities no table."""
        return replace(self, objects=self.objects.without_table())

    def of(self, new: FloatArray | None = None) -> Graph:
        """Return the neighbours of each checked new object, or of each training object."""
        return self.objects.nearest(self.n_neighbors, new)


def symmetric_graph(near: Graph) -> Graph:
    """Return the graph that joins two objects where one is a neighbour of the other.

    It is exactly symmetric, and zero lengths stay entries.
    """
    n = near.shape[0]
    rows = np.repeat(np.arange(n), np.diff(near.indptr))
    low, high = np.minimum(rows, near.indices), np.maximum(rows, near.indices)
    edges, first = np.unique(low * n + high, return_index=True)
    low, high = (edges // n).astype(np.int32), (edges % n).astype(np.int32)
    where = (np.concatenate([low, high]), np.concatenate([high, low]))
    return csr_array((np.tile(near.data[first], 2), where), shape=(n, n))


def components(near: Graph) -> list[NDArray[np.intp]]:
    """Return the objects of each connected component."""
    count, labels = connected_components(near, directed=False)
    return [np.flatnonzero(labels == label) for label in range(count)]


def closed_groups(near: Graph) -> list[NDArray[np.intp]]:
    """Return the smallest groups whose members have all their neighbours in the group."""
    count, labels = connected_components(near, directed=True, connection="strong")
    rows = np.repeat(labels, np.diff(near.indptr))
    leaving = np.unique(rows[rows != labels[near.indices]])
    return [np.flatnonzero(labels == k) for k in np.setdiff1d(np.arange(count), leaving)]


def coincident(near: Graph) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return the rows at distance zero from a training object, and from which.

    Of several training objects the first comes last.
    """
    rows = np.repeat(np.arange(near.shape[0]), np.diff(near.indptr))
    zero = np.flatnonzero(near.data == 0)[::-1]
    return rows[zero], near.indices[zero]


def joined_graph(neighborhood: Neighborhood, groups: Groups = components) -> Graph:
    """Return the neighbours of each object, if they join all objects into one group.

    If not, an error says how many groups there are, how large, and how many neighbours would
    join them.
    """
    near = neighborhood.of()
    found = groups(near)
    if len(found) > 1:
        raise ValueError(_apart(neighborhood, found, groups))
    return near


def _apart(neighborhood: Neighborhood, found: list[NDArray[np.intp]], groups: Groups) -> str:
    """Say which groups a graph falls into, and how many neighbours would join them."""
    k = neighborhood.n_neighbors
    joins = _joining_count(neighborhood.objects, k, groups)
    found.sort(key=len, reverse=True)
    sizes = ", ".join(str(len(group)) for group in found[:5]) + (", ..." if found[5:] else "")
    kind = "components" if groups is components else "groups closed under taking neighbours"
    return (
        f"The neighbour graph with n_neighbors = {k} falls into {len(found)} {kind}, of sizes "
        f"{sizes}; object {found[0][0]} is in the first, object {found[1][0]} in the second. "
        f"n_neighbors = {joins} is the smallest that joins them; or embed each on its own."
    )


def _joining_count(objects: Objects, k: int, groups: Groups) -> int:
    """Smallest number of neighbours that joins all: more neighbours never divide."""
    low, high = k, k
    while len(groups(objects.nearest(high))) > 1:
        low, high = high, min(2 * high, len(objects) - 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if len(groups(objects.nearest(middle))) == 1 else (middle, high)
    return high
