"""Neighbour graphs: who is near whom, whether that joins all objects, and what would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from kmds_lib._checks import (
    FloatArray,
    Metric,
    as_cross,
    as_dissimilarities,
    as_points,
    check_n_components,
    check_number,
    check_option,
)
from kmds_lib._progress import progress
from kmds_lib.gram import distances

__all__ = [
    "Graph",
    "Neighborhood",
    "Objects",
    "closed_groups",
    "components",
    "farthest_first",
    "joined_graph",
    "symmetric_graph",
]

if TYPE_CHECKING:
    Graph = csr_array[np.float64, tuple[int, int]]
else:
    Graph = csr_array
Groups = Callable[[Graph], list[NDArray[np.intp]]]

TREE_UP_TO = 15
"""Variables up to which a k-d tree is asked; beyond it, all distances are computed."""

TIE = 1e-10
"""Distances that agree to this relative gap count as equal, so that rounding chooses no one."""

_CHUNK_ENTRIES = 2**22


@dataclass(frozen=True, eq=False)
class Objects:
    """Training objects: points, or the dissimilarities between them.

    Attributes
    ----------
    data : ndarray
        Points of shape (n, p), or dissimilarities of shape (n, n).
    precomputed : bool
        Which of the two.
    """

    data: FloatArray
    precomputed: bool

    @classmethod
    def checked(cls, X: ArrayLike, metric: Metric) -> Objects:
        """Return a copy of the input, checked as what `metric` says it is.

        Parameters
        ----------
        X : array_like
            Points or dissimilarities.
        metric : {"euclidean", "precomputed"}
            Which of the two.

        Returns
        -------
        Objects
        """
        check_option(metric, Metric, "metric")
        if metric == "precomputed":
            return cls(as_dissimilarities(X, min_objects=2).copy(), True)
        return cls(as_points(X, min_points=2).copy(), False)

    def __len__(self) -> int:
        return len(self.data)

    def checked_new(self, new: ArrayLike) -> FloatArray:
        """Return new objects, checked: points, or dissimilarities to the training objects.

        Parameters
        ----------
        new : array_like
            One row for each new object.

        Returns
        -------
        ndarray
        """
        if self.precomputed:
            return as_cross(new, len(self), "new", nonnegative=True)
        new = as_points(new, "new", min_points=0, smallest=0.0)
        if new.shape[1] != self.data.shape[1]:
            raise ValueError(
                f"new has {new.shape[1]} column(s), but the fit has {self.data.shape[1]} "
                "variable(s)."
            )
        return new

    def between(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> FloatArray:
        """Return the distances of pairs of training objects.

        Parameters
        ----------
        i, j : ndarray of int of shape (m,)
            The pairs.

        Returns
        -------
        ndarray of shape (m,)
        """
        if self.precomputed:
            return self.data[i, j]
        return np.asarray(np.linalg.norm(self.data[i] - self.data[j], axis=1))

    def nearest(self, k: int, new: FloatArray | None = None) -> Graph:
        """Return the k nearest training objects of each row, with their distances.

        No training object counts as its own neighbour. Of objects tied for the last place those
        that come first in the data are taken.

        Parameters
        ----------
        k : int
            How many, already checked.
        new : ndarray, optional
            Checked new objects; without it, the training objects themselves.

        Returns
        -------
        sparse array of shape (m, n)
            One row an object, k entries each; a distance of zero is stored as an entry.
        """
        if self.precomputed or self.data.shape[1] > TREE_UP_TO:
            found = [_smallest(block, k) for _, block in self._blocks(new)]
            pairs = [np.concatenate(part) for part in zip(*found, strict=True)]
            index, length = pairs if found else (np.empty((0, k), np.intp), np.empty((0, k)))
        else:
            index, length = self._ask_tree(k, new)
        order = np.argsort(index, axis=1)
        index, length = (np.take_along_axis(part, order, 1) for part in (index, length))
        ends = np.arange(0, index.size + 1, k, dtype=np.int32)
        parts = (length.ravel(), index.ravel().astype(np.int32), ends)
        return csr_array(parts, shape=(len(index), len(self)))

    def within(self, radius: float, new: FloatArray | None = None) -> Graph:
        """Return the training objects within a radius of each row, with their distances.

        A distance that differs from the radius by rounding alone counts as within.

        Parameters
        ----------
        radius : float
            Largest distance.
        new : ndarray, optional
            As in `nearest`.

        Returns
        -------
        sparse array of shape (m, n)
        """
        rows, columns, lengths = [], [], []
        for start, block in self._blocks(new):
            i, j = np.nonzero(block <= (1 + TIE) * radius)
            rows.append(i + start)
            columns.append(j)
            lengths.append(block[i, j])
        m = len(self) if new is None else len(new)
        if not rows:
            return csr_array((m, len(self)), dtype=np.float64)
        where = (np.concatenate(rows).astype(np.int32), np.concatenate(columns).astype(np.int32))
        return csr_array((np.concatenate(lengths), where), shape=(m, len(self)))

    def _blocks(self, new: FloatArray | None) -> Iterator[tuple[int, FloatArray]]:
        """Yield the distances from a few rows to all; from an object to itself it is infinite."""
        m = len(self) if new is None else len(new)
        step = max(1, _CHUNK_ENTRIES // len(self))
        for start in range(0, m, step):
            yield start, self._block(np.arange(start, min(start + step, m)), new)

    def _block(self, rows: NDArray[np.intp], new: FloatArray | None) -> FloatArray:
        source = self.data if new is None else new
        block = source[rows] if self.precomputed else distances(source[rows], self.data)
        if new is None:
            block[np.arange(len(rows)), rows] = np.inf
        return block

    def _ask_tree(self, k: int, new: FloatArray | None) -> tuple[NDArray[np.intp], FloatArray]:
        """Nearest by k-d tree, with one more than wanted, which shows a tie for the last place."""
        count = min(k + 1 + (new is None), len(self))
        source = self.data if new is None else new
        found = cKDTree(self.data).query(source, np.arange(1, count + 1))
        length, index = np.asarray(found[0]), np.asarray(found[1])
        if new is None:
            own = index == np.arange(len(self))[:, None]
            own[~own.any(axis=1), -1] = True
            shape = (len(self), count - 1)
            index, length = index[~own].reshape(shape), length[~own].reshape(shape)
        last = length[:, k - 1 : k]
        tied = np.flatnonzero((length[:, k:] <= (1 + TIE) * last).any(axis=1))
        index, length = index[:, :k].copy(), length[:, :k].copy()
        step = max(1, _CHUNK_ENTRIES // len(self))
        for start in range(0, len(tied), step):
            rows = tied[start : start + step]
            index[rows], length[rows] = _smallest(self._block(rows, new), k)
        return index, length


@dataclass(frozen=True)
class Neighborhood:
    """Who counts as a neighbour: the nearest few, or all within a radius.

    Attributes
    ----------
    n_neighbors : int or None
        How many.
    radius : float or None
        How far. One of the two is None.
    """

    n_neighbors: int | None
    radius: float | None

    @classmethod
    def checked(cls, n_neighbors: Any, radius: Any, n: int) -> Neighborhood:
        """Return the neighbourhood asked for, if one of the two was given.

        Parameters
        ----------
        n_neighbors, radius
            As the caller gave them.
        n : int
            Number of objects.

        Returns
        -------
        Neighborhood
        """
        if (n_neighbors is None) == (radius is None):
            given = "both" if radius is not None else "neither"
            raise ValueError(
                f"n_neighbors and radius: {given} given; give one of the two, since it decides "
                "who is joined to whom."
            )
        if radius is not None:
            return cls(None, check_number(radius, "radius", positive=True))
        return cls(check_n_components(n_neighbors, n - 1, "n_neighbors"), None)

    def of(self, objects: Objects, new: FloatArray | None = None) -> Graph:
        """Return the neighbours of each object among the training objects.

        Parameters
        ----------
        objects : Objects
            The training objects.
        new : ndarray, optional
            Checked new objects.

        Returns
        -------
        sparse array of shape (m, n)
        """
        if self.n_neighbors is not None:
            return objects.nearest(self.n_neighbors, new)
        assert self.radius is not None
        near = objects.within(self.radius, new)
        if new is not None and (empty := np.flatnonzero(np.diff(near.indptr) == 0)).size:
            raise ValueError(
                f"Row {empty[0]} of new has no training object within the radius "
                f"{self.radius:.6g} of the fit: it cannot be placed through neighbours."
            )
        return near


def symmetric_graph(near: Graph) -> Graph:
    """Return the graph that joins two objects where one is a neighbour of the other.

    Parameters
    ----------
    near : sparse array of shape (n, n)
        Neighbours of each row.

    Returns
    -------
    sparse array of shape (n, n)
        Exactly symmetric; zero lengths stay entries.

    Examples
    --------
    >>> near = csr_array(([2.0], [1], [0, 1, 1]), shape=(2, 2))
    >>> symmetric_graph(near).toarray()
    array([[0., 2.],
           [2., 0.]])
    """
    n = near.shape[0]
    rows = np.repeat(np.arange(n), np.diff(near.indptr))
    low, high = np.minimum(rows, near.indices), np.maximum(rows, near.indices)
    edges, first = np.unique(low * n + high, return_index=True)
    low, high = (edges // n).astype(np.int32), (edges % n).astype(np.int32)
    where = (np.concatenate([low, high]), np.concatenate([high, low]))
    return csr_array((np.tile(near.data[first], 2), where), shape=(n, n))


def components(near: Graph) -> list[NDArray[np.intp]]:
    """Return the objects of each connected component.

    Parameters
    ----------
    near : sparse array of shape (n, n)
        Neighbours of each row.

    Returns
    -------
    list of ndarray
    """
    count, labels = connected_components(near, directed=False)
    return [np.flatnonzero(labels == label) for label in range(count)]


def closed_groups(near: Graph) -> list[NDArray[np.intp]]:
    """Return the smallest groups whose members have all their neighbours in the group.

    Parameters
    ----------
    near : sparse array of shape (n, n)
        Neighbours of each row.

    Returns
    -------
    list of ndarray
    """
    count, labels = connected_components(near, directed=True, connection="strong")
    rows = np.repeat(labels, np.diff(near.indptr))
    leaving = np.unique(rows[rows != labels[near.indices]])
    return [np.flatnonzero(labels == k) for k in np.setdiff1d(np.arange(count), leaving)]


def joined_graph(
    objects: Objects, neighborhood: Neighborhood, groups: Groups = components
) -> Graph:
    """Return the neighbours of each object, if they join all objects.

    Parameters
    ----------
    objects : Objects
        The training objects.
    neighborhood : Neighborhood
        Who counts as a neighbour.
    groups : callable
        What has to be one: `components`, or `closed_groups`.

    Returns
    -------
    sparse array of shape (n, n)

    Raises
    ------
    ValueError
        If there is more than one group. It says how many, how large, and which neighbourhood
        would join them.
    """
    near = neighborhood.of(objects)
    found = groups(near)
    if len(found) == 1:
        return near
    if neighborhood.n_neighbors is not None:
        asked = f"n_neighbors = {neighborhood.n_neighbors}"
        joins = f"n_neighbors = {_joining_count(objects, neighborhood.n_neighbors, groups)}"
    else:
        asked = f"radius = {neighborhood.radius:.6g}"
        joins = f"radius = {_joining_radius(objects) * (1 + 1e-6):.7g}"
    found.sort(key=len, reverse=True)
    sizes = ", ".join(str(len(group)) for group in found[:5]) + (", ..." if found[5:] else "")
    kind = "components" if groups is components else "groups closed under taking neighbours"
    raise ValueError(
        f"The neighbour graph with {asked} falls into {len(found)} {kind}, of sizes {sizes}; "
        f"object {found[0][0]} is in the first, object {found[1][0]} in the second. "
        f"{joins} is the smallest that joins them; or embed each on its own."
    )


def farthest_first(start: list[int], m: int, gaps: Callable[[int], Any]) -> NDArray[np.intp]:
    """Add to some objects, again and again, the one farthest from all that are there.

    No object is taken twice, not even where all others coincide with those that are there. Of
    objects tied for the largest distance the first in the data is taken.

    Parameters
    ----------
    start : list of int
        Objects to begin with, at least one.
    m : int
        How many there shall be.
    gaps : callable
        Gives the distances of all objects to one, as an array, or a Dask array, that may be
        written to. It is asked once for each object but the last, in their order.

    Returns
    -------
    ndarray of int of shape (m,)

    Examples
    --------
    >>> line = np.array([0.0, 1.0, 5.0, 9.0])
    >>> farthest_first([0], 3, lambda row: np.abs(line - line[row]))
    array([0, 3, 2])
    """

    def nearer(nearest: Any, row: int) -> Any:
        gap = gaps(row)
        gap[row] = -np.inf
        nearest = np.minimum(nearest, gap)
        return nearest.persist() if hasattr(nearest, "persist") else nearest

    rows = list(start)
    if len(rows) == m:
        return np.array(rows)
    nearest = reduce(nearer, rows[:-1], np.inf)
    for _ in progress(range(len(rows), m), m - len(rows), "landmarks, farthest first"):
        nearest = nearer(nearest, rows[-1])
        rows.append(int((nearest >= (1 - TIE) * nearest.max()).argmax()))
    return np.array(rows)


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
    reach = objects._block(np.array([0]), None)[0, 1:]
    longest = 0.0
    while len(outside):
        next_one = int(np.argmin(reach))
        longest = max(longest, float(reach[next_one]))
        row = objects._block(outside[next_one : next_one + 1], None)[0]
        outside, reach = np.delete(outside, next_one), np.delete(reach, next_one)
        reach = np.minimum(reach, row[outside])
    return longest


def _smallest(block: FloatArray, k: int) -> tuple[NDArray[np.intp], FloatArray]:
    """Columns and values of the k smallest entries of each row; ties go to the first columns."""
    index = np.argpartition(block, k - 1, axis=1)[:, :k]
    last = np.take_along_axis(block, index[:, -1:], axis=1)
    tied = np.flatnonzero((block <= (1 + TIE) * last).sum(axis=1) > k)
    part, last = block[tied], last[tied]
    rank = (part >= (1 - TIE) * last).view(np.int8) + (part > (1 + TIE) * last)
    index[tied] = np.argsort(rank, axis=1, kind="stable")[:, :k]
    return index, np.take_along_axis(block, index, axis=1)
