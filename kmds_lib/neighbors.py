"""Neighbour graphs: who is near whom, whether that joins all objects, and what would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kmds_lib._checks import FloatArray, Metric, check_n_components, check_number
from kmds_lib._fast.nearest import Graph, Objects

Groups = Callable[[Graph], list[NDArray[np.intp]]]


@dataclass(frozen=True, eq=False)
class Neighborhood:
    """Who counts as a neighbour among training objects: the nearest few, or all within a radius.

    Attributes
    ----------
    objects : Objects
        The training objects.
    n_neighbors : int or None
        How many.
    radius : float or None
        How far. One of the two is None.
    """

    objects: Objects
    n_neighbors: int | None
    radius: float | None

    @classmethod
    def checked(
        cls, X: ArrayLike, metric: Metric, n_neighbors: Any, radius: Any = None
    ) -> Neighborhood:
        """Return the neighbourhood asked for, from what a caller gave: one of the two numbers."""
        objects = Objects.checked(X, metric)
        if (n_neighbors is None) == (radius is None):
            given = "both" if radius is not None else "neither"
            raise ValueError(
                f"n_neighbors and radius: {given} given; give one of the two, since it decides "
                "who is joined to whom."
            )
        if radius is not None:
            return cls(objects, None, check_number(radius, "radius", positive=True))
        count = check_n_components(n_neighbors, len(objects) - 1, "n_neighbors")
        return cls(objects, count, None)

    def __len__(self) -> int:
        return len(self.objects)

    def without_table(self) -> Neighborhood:
        """Return what new objects need to find their neighbours: of dissimilarities no table."""
        return replace(self, objects=self.objects.without_table())

    def of(self, new: FloatArray | None = None) -> Graph:
        """Return the neighbours of each checked new object, or of each training object."""
        if self.n_neighbors is not None:
            return self.objects.nearest(self.n_neighbors, new)
        assert self.radius is not None
        near = self.objects.within(self.radius, new)
        if new is not None and (empty := np.flatnonzero(np.diff(near.indptr) == 0)).size:
            raise ValueError(
                f"Row {empty[0]} of new has no training object within the radius "
                f"{self.radius:.6g} of the fit: it cannot be placed through neighbours."
            )
        return near


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

    If not, an error says how many groups there are, how large, and which neighbourhood would
    join them.
    """
    near = neighborhood.of()
    found = groups(near)
    if len(found) > 1:
        raise ValueError(_apart(neighborhood, found, groups))
    return near


def _apart(neighborhood: Neighborhood, found: list[NDArray[np.intp]], groups: Groups) -> str:
    """Say which groups a graph falls into, and which neighbourhood would join them."""
    objects = neighborhood.objects
    if neighborhood.n_neighbors is not None:
        asked = f"n_neighbors = {neighborhood.n_neighbors}"
        joins = f"n_neighbors = {_joining_count(objects, neighborhood.n_neighbors, groups)}"
    else:
        asked = f"radius = {neighborhood.radius:.6g}"
        joins = f"radius = {_joining_radius(objects) * (1 + 1e-6):.7g}"
    found.sort(key=len, reverse=True)
    sizes = ", ".join(str(len(group)) for group in found[:5]) + (", ..." if found[5:] else "")
    kind = "components" if groups is components else "groups closed under taking neighbours"
    return (
        f"The neighbour graph with {asked} falls into {len(found)} {kind}, of sizes {sizes}; "
        f"object {found[0][0]} is in the first, object {found[1][0]} in the second. "
        f"{joins} is the smallest that joins them; or embed each on its own."
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


def _joining_radius(objects: Objects) -> float:
    """Longest edge of the minimum spanning tree, by Prim's algorithm."""
    outside = np.arange(1, len(objects))
    reach = objects.row(0)[1:]
    longest = 0.0
    while len(outside):
        next_one = int(np.argmin(reach))
        longest = max(longest, float(reach[next_one]))
        row = objects.row(int(outside[next_one]))
        outside, reach = np.delete(outside, next_one), np.delete(reach, next_one)
        reach = np.minimum(reach, row[outside])
    return longest
