"""Neighbour graphs, and the number of neighbours that makes them connected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from kmds_lib._checks import LARGEST, as_numbers, as_points, warn_caller
from kmds_lib._fast.nearest_neighbors import Graph, NeighborMetric, Objects
from kmds_lib._parameters import check_count_up_to, check_number
from kmds_lib._rounding import accepted_rounding
from kmds_lib._types import FloatArray

FindGroups = Callable[[Graph], list[NDArray[np.intp]]]


@dataclass(frozen=True, eq=False)
class StoredGraph(Objects):
    """Objects of which only a sparse graph is known: lengths of edges, or affinities.

    Attributes
    ----------
    stored : sparse array of shape (n, n)
        The graph, without entries on the diagonal.
    affinities : bool
        True if the entries are affinities, so that absent entries are zeros.
    """

    stored: Graph = field(kw_only=True)
    affinities: bool = field(kw_only=True)

    @classmethod
    def of_matrix(cls, X: Any, *, affinities: bool) -> StoredGraph:
        """Check a square matrix and return its graph; an edge may be stored in one direction."""
        rounding = accepted_rounding(X)
        if not hasattr(X, "tocsr"):
            X = as_numbers(X, "X")
        if X.ndim != 2 or X.shape[0] != X.shape[1] or X.shape[0] < 2:
            raise ValueError(
                f"X has shape {X.shape}; a square matrix of at least 2 objects is needed."
            )
        X, n = coo_array(X), X.shape[0]
        off = X.row != X.col
        X = csr_array((X.data[off], (X.row[off], X.col[off])), shape=(n, n))
        stored = _as_graph(X, "X", affinities, rounding)
        check_symmetric_graph(stored, rounding, one_direction=not affinities)
        return cls(
            np.empty((n, 0)),
            precomputed=True,
            rounding=rounding,
            unit=float(stored.data.max(initial=0.0)),
            first_coincident=np.arange(n),
            stored=stored,
            affinities=affinities,
        )

    def checked_new(self, new: ArrayLike) -> FloatArray:
        """Return checked entries of new objects, with inf for distances that are not stored.

        A row of the training graph, in one direction or in both, is that training object.
        """
        if not (self.affinities or hasattr(new, "toarray")):
            raise ValueError(
                "new is not sparse, but the fit is to a sparse graph: give a sparse matrix whose "
                "stored entries are the distances between each new object and its neighbours."
            )
        rounding = accepted_rounding(new)
        graph = _as_graph(new, "new", self.affinities, rounding, self.unit)
        found = np.full(graph.shape, 0.0 if self.affinities else np.inf)
        found[np.repeat(np.arange(len(found)), np.diff(graph.indptr)), graph.indices] = graph.data
        if found.shape[1] != len(self):
            raise ValueError(
                f"new has shape {found.shape}, but the fit has {len(self)} training objects: give "
                f"one row for each new object and {len(self)} columns."
            )
        if self.affinities:
            return found
        known = self._rows_of_training_objects
        for i, key in enumerate(_keys_of_rows(graph)):
            if len(known.get(key, ())) == 1:
                found[i, [*known[key]]] = 0.0
        return self.zero_rounding_errors(found, rounding, np.median(self.stored.data))

    @cached_property
    def _rows_of_training_objects(self) -> dict[bytes, set[int]]:
        """Return the training objects that have the same row of the graph, by its key."""
        known: dict[bytes, set[int]] = {}
        for graph in (self.stored, symmetric_graph(self.stored)):
            for i, key in enumerate(_keys_of_rows(graph)):
                known.setdefault(key, set()).add(i)
        return known

    def edges(self, new: FloatArray | None = None) -> Graph:
        """Return the stored entries of the training objects or of checked new objects."""
        if new is None:
            return self.stored
        rows, columns = np.nonzero(new > 0 if self.affinities else np.isfinite(new))
        return csr_array((new[rows, columns], (rows, columns)), shape=new.shape)

    def nearest(self, k: int, new: FloatArray | None = None) -> Graph:
        """Return the k shortest edges of each row; see `Objects.nearest`."""
        edges = self.edges(new)
        counts = np.diff(edges.indptr)
        if counts.min(initial=k) < k:
            name = "X" if new is None else "new"
            raise ValueError(
                f"Row {np.argmin(counts)} of {name} stores {counts.min()} edge(s), but "
                f"n_neighbors is {k}: omit n_neighbors to use all edges, or store more."
            )
        rows = np.repeat(np.arange(len(counts)), counts)
        order = np.lexsort((edges.indices, edges.data, rows))
        rank = np.arange(edges.nnz) - edges.indptr[rows]
        return _part(edges, np.sort(order[rank < k]))

    def within(self, radius: float, new: FloatArray | None = None) -> Graph:
        """Return the edges of at most this length; see `Objects.within`."""
        edges = self.edges(new)
        return _part(edges, np.flatnonzero(edges.data <= (1 + self.tie) * radius))


@dataclass(frozen=True, eq=False)
class Neighborhood:
    """The training objects, and the rule that makes some of them neighbours.

    Attributes
    ----------
    objects : Objects
        The training objects.
    n_neighbors : int or None
        Number of neighbours of each object.
    radius : float or None
        Largest distance of a neighbour. If both are None, the objects are a `StoredGraph`, and all
        its edges join neighbours.
    """

    objects: Objects
    n_neighbors: int | None
    radius: float | None = None

    @classmethod
    def checked(
        cls,
        X: Any,
        metric: NeighborMetric,
        n_neighbors: Any,
        radius: Any = None,
        metric_params: dict[str, Any] | None = None,
        *,
        needs_all_distances: bool = False,
    ) -> Neighborhood:
        """Check the parameters of a public function and return the neighbourhood."""
        objects: Objects
        is_graph = _is_graph(X, metric, needs_all_distances=needs_all_distances)
        if n_neighbors is not None and radius is not None:
            raise ValueError(
                f"n_neighbors = {n_neighbors!r} and radius = {radius!r}: give one of the two."
            )
        if n_neighbors is None and radius is None and not is_graph:
            raise ValueError(
                "n_neighbors and radius are both missing: give the number of neighbours, or the "
                "largest distance of a neighbour."
            )
        if is_graph:
            objects = StoredGraph.of_matrix(X, affinities=False)
        else:
            objects = Objects.checked(X, metric, metric_params)
            if metric == "precomputed":
                _warn_dense_graph(objects.data)
        if n_neighbors is not None:
            n_neighbors = check_count_up_to(n_neighbors, len(objects) - 1, "n_neighbors")
        if radius is not None:
            radius = check_number(radius, "radius", positive=True)
        return cls(objects, n_neighbors, radius)

    def __len__(self) -> int:
        return len(self.objects)

    def __str__(self) -> str:
        if self.n_neighbors is not None:
            return f"with n_neighbors = {self.n_neighbors}"
        return "that was given" if self.radius is None else f"with radius = {self.radius:g}"

    def without_dissimilarities(self) -> Neighborhood:
        """Return the neighbourhood without training dissimilarities, for placing new objects."""
        return replace(self, objects=self.objects.without_dissimilarities())

    def graph(self, new: FloatArray | None = None) -> Graph:
        """Return the neighbours of each checked new object, or else of each training object."""
        if self.n_neighbors is not None:
            return self.objects.nearest(self.n_neighbors, new)
        if self.radius is not None:
            near = self.objects.within(self.radius, new)
        else:
            assert isinstance(self.objects, StoredGraph)
            near = self.objects.edges(new)
        alone = np.flatnonzero(np.diff(near.indptr) == 0)
        if new is not None and len(alone):
            raise ValueError(
                f"Row {alone[0]} of new has no neighbour among the training objects in the graph "
                f"{self}, so that it cannot be placed ({len(alone)} such rows). Remove such rows, "
                "or fit a graph with more neighbours."
            )
        return near


def _is_graph(X: Any, metric: NeighborMetric, *, needs_all_distances: bool) -> bool:
    """Return True for a sparse neighbour graph; refuse other sparse matrices."""
    if not hasattr(X, "toarray"):
        return False
    if metric != "precomputed":
        raise ValueError(
            "X is a sparse matrix: if it is a neighbour graph, give metric='precomputed'; if it "
            "contains points, pass X.toarray()."
        )
    if needs_all_distances:
        raise ValueError(
            "X is a sparse matrix, but this method needs the distances between the neighbours of "
            "each object too: give points or all dissimilarities. With X.toarray(), the entries "
            "that are not stored would become distances of 0."
        )
    return True


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
                "connected by zeros. If X is a neighbour graph, in which 0 means no edge, pass "
                "scipy.sparse.csr_array(X).",
                UserWarning,
            )


def _as_graph(X: Any, name: str, affinities: bool, rounding: float, unit: float = 0.0) -> Graph:
    """Return a sparse or dense matrix as a checked sparse array in canonical format.

    Rounding errors below zero, relative to the largest entry or a unit, are 0.
    """
    if not hasattr(X, "tocsr"):
        X = as_points(X, name, min_points=0, min_columns=0, smallest=0.0)
    X = csr_array(X, copy=True)
    X.sum_duplicates()
    data = as_numbers(X.data, name)
    lowest = -rounding * max(unit, np.fmax.reduce(data, initial=0.0))
    bad = np.flatnonzero(~((data >= lowest) & (data <= LARGEST)))
    if len(bad):
        i, j = np.searchsorted(X.indptr, bad[0], "right") - 1, X.indices[bad[0]]
        kind = "affinities" if affinities else "distances"
        raise ValueError(
            f"{name}[{i}, {j}] is {data[bad[0]]:.6g}; {kind} are finite numbers >= 0. Correct "
            "or remove this entry."
        )
    graph = csr_array((np.maximum(data, 0.0), X.indices, X.indptr), shape=X.shape)
    if affinities:
        graph.eliminate_zeros()
    return graph


def _keys_of_rows(graph: Graph) -> Iterator[bytes]:
    """Yield the neighbours and lengths of each row of a graph in canonical format, as bytes."""
    for start, end in pairwise(graph.indptr.tolist()):
        yield graph.indices[start:end].astype(np.int64).tobytes() + graph.data[start:end].tobytes()


def _part(graph: Graph, entries: NDArray[np.intp]) -> Graph:
    """Return the graph with these entries only, which are in ascending order."""
    ends = np.searchsorted(entries, graph.indptr)
    return csr_array((graph.data[entries], graph.indices[entries], ends), shape=graph.shape)


def check_symmetric_graph(graph: Graph, rounding: float, *, one_direction: bool) -> None:
    """Refuse edges with different entries in both directions, or stored in one direction only."""
    n = graph.shape[0]
    rows = np.repeat(np.arange(n), np.diff(graph.indptr))
    forth, back = rows * n + graph.indices, graph.indices.astype(np.intp) * n + rows
    place = np.searchsorted(forth, back).clip(max=len(forth) - 1)
    both = forth[place] == back
    gap = np.where(both, np.abs(graph.data - graph.data[place]), 0 if one_direction else np.inf)
    worst = int(np.argmax(gap)) if len(gap) else 0
    if len(gap) and gap[worst] > rounding * graph.data.max():
        i, j = rows[worst], graph.indices[worst]
        other = graph.data[place[worst]] if both[worst] else 0.0
        remedy = "Average both directions, or check the graph."
        remedy = remedy if both.any() else "Each pair is given once: pass X + X.T."
        raise ValueError(
            f"X is not symmetric: X[{i}, {j}] = {graph.data[worst]:.6g}, but X[{j}, {i}] = "
            f"{other:.6g}, a difference of {abs(graph.data[worst] - other):.3g}. {remedy}"
        )


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
    """Return the error message: the groups, and the number or radius that joins them."""
    objects = neighborhood.objects
    if isinstance(objects, StoredGraph):
        remedy = "Store edges that join them"
    elif neighborhood.n_neighbors is not None:
        enough = _smallest_connecting_k(objects, neighborhood.n_neighbors, find_groups)
        remedy = f"n_neighbors = {enough} is the smallest that joins them"
    else:
        remedy = f"radius = {_smallest_connecting_radius(objects):.11g} is the smallest that "
        remedy += "joins them"
    groups.sort(key=len, reverse=True)
    sizes = ", ".join(str(len(group)) for group in groups[:5]) + (", ..." if groups[5:] else "")
    kind = "components" if find_groups is components else "groups closed under taking neighbours"
    return (
        f"The neighbour graph {neighborhood} falls into {len(groups)} {kind}, of sizes "
        f"{sizes}; object {groups[0][0]} is in the first, object {groups[1][0]} in the second. "
        f"{remedy}; or embed each on its own."
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


def _smallest_connecting_radius(objects: Objects) -> float:
    """Return the longest edge of the minimum spanning tree, by Prim's algorithm."""
    outside = np.ones(len(objects), dtype=bool)
    nearest, longest, last = np.full(len(objects), np.inf), 0.0, 0
    for _ in range(len(objects) - 1):
        outside[last] = False
        nearest = np.minimum(nearest, objects.distances_from(last))
        last = int(np.argmin(np.where(outside, nearest, np.inf)))
        longest = max(longest, float(nearest[last]))
    return longest
