"""Isomap: classical scaling of the lengths of shortest paths in a neighbour graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import dijkstra

from kmds_lib._checks import (
    FloatArray,
    Metric,
    as_coordinates,
    check_enough_landmarks,
    check_n_components,
)
from kmds_lib._eigen import all_eigenvalues, centre, leading_eigenpairs
from kmds_lib._embedding import Embedding, Spectrum, centred_columns, keep_positive
from kmds_lib._fast.nearest_neighbors import TIE, Graph
from kmds_lib._labels import carry_labels
from kmds_lib._landmarks import farthest_first, given_rows
from kmds_lib._neighbor_graph import Neighborhood, joined_graph, symmetric_graph

__all__ = ["IsomapResult", "isomap"]


@dataclass(frozen=True, eq=False)
class IsomapResult(Embedding):
    """What `isomap` returns; see `Embedding` for its other attributes.

    Attributes
    ----------
    graph : sparse array of shape (n, n)
        Length of the edge between two neighbours; symmetric. Two objects are joined where one is
        a neighbour of the other. An edge of length zero joins objects that coincide.
    landmarks : ndarray of int of shape (m,)
        The objects whose geodesic distances were scaled; all of them, in the order of the data,
        unless fewer were asked for.
    """

    graph: Graph = field(repr=False)
    landmarks: NDArray[np.intp] = field(repr=False)
    _neighborhood: Neighborhood = field(repr=False)
    _minus_half_squares: FloatArray = field(repr=False)

    @cached_property
    def points(self) -> FloatArray:
        r"""Coordinates, shape (n, k).

        Without landmarks :math:`V_k \Lambda_k^{1/2}`. With them, the landmarks have these
        coordinates and the other objects are placed by Gower's formula.
        """
        if len(self.landmarks) == len(self._neighborhood):
            return super().points
        return self._place(self._minus_half_squares.T)

    @property
    def geodesics(self) -> FloatArray:
        """Lengths of the shortest paths in the graph, shape (m, n): one row a landmark."""
        return np.sqrt(-2 * self._minus_half_squares)

    @cached_property
    def gram(self) -> FloatArray:
        r"""The centred Gram matrix of the landmarks, shape (m, m).

        :math:`B = -\tfrac12 H \Delta^{(2)} H` of the geodesic distances between them.
        """
        return centre(self._between_landmarks)

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects by their geodesic distances, which run through their neighbours.

        Parameters
        ----------
        new : array_like of shape (m, p), or (m, n) where ``metric="precomputed"``
            New points; or dissimilarities to all training objects.

        Returns
        -------
        ndarray of shape (m, k)
            Coordinates on the fitted axes. Training objects come back as ``points``.

        Raises
        ------
        ValueError
            If `new` has the wrong number of columns, or is not finite.

        Notes
        -----
        Derived in Chapter 11, A manifold method is a choice of Gram matrix. The neighbours of a
        new object are chosen as in the fit, and its geodesic distance to a landmark is the
        shortest path whose first edge leads to one of them. Gower's formula does the rest. The
        new object opens no short cut between training objects, so that a new fit may differ.
        Source: Gower (1968); Bengio et al. (2004).

        Examples
        --------
        >>> fit = isomap([[0.0], [1.0], [2.0], [3.0]], 1, n_neighbors=2)
        >>> fit.transform([[1.5]]).round(6) + 0.0
        array([[0.]])
        """
        near = self._neighborhood.of(self._neighborhood.objects.checked_new(new))
        counts = np.diff(near.indptr)
        shortest = np.full((len(counts), len(self.landmarks)), np.inf)
        lengths = self.geodesics.T
        for place in range(int(counts.max(initial=0))):
            rows = np.flatnonzero(counts > place)
            edge = near.indptr[rows] + place
            through = lengths[near.indices[edge]] + near.data[edge, None]
            shortest[rows] = np.minimum(shortest[rows], through)
        return as_coordinates(self._place(-0.5 * np.square(shortest)))

    @property
    def _between_landmarks(self) -> FloatArray:
        A = self._minus_half_squares
        return A if A.shape[0] == A.shape[1] else A[:, self.landmarks]

    def _place(self, minus_half_squares: FloatArray) -> FloatArray:
        """Gower's formula, from -1/2 times squared distances to the landmarks."""
        offsets = minus_half_squares - self._between_landmarks.mean(axis=0)
        return np.asarray(offsets @ self._coefficients)

    @cached_property
    def _coefficients(self) -> FloatArray:
        return centred_columns(self.pairs.vectors / np.sqrt(self.eigenvalues))

    def _full_spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self._between_landmarks, centred=True))


@carry_labels
def isomap(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int,
    landmarks: int | ArrayLike | None = None,
    metric: Metric = "euclidean",
) -> IsomapResult:
    """Scale the lengths of shortest paths through a neighbour graph: Isomap.

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Points, one in each row; or dissimilarities, not squared.
    n_components : int
        Number of coordinates, from 1 to the number of landmarks less one.
    n_neighbors : int
        Join each object to so many nearest others; from 1 to n - 1.
    landmarks : int or array_like of int, optional
        Scale the geodesic distances of so many objects only, or of these objects, and place the
        others by their distances to them. A number is spread out: each landmark is the object
        farthest, along the graph, from those before it.
    metric : {"euclidean", "precomputed"}
        What `X` holds.

    Returns
    -------
    IsomapResult
        Points, eigenvalues, ``gram``, ``graph``, ``geodesics``, and `transform` for new objects.

    Raises
    ------
    ValueError
        If `X` is not what `metric` says, a parameter is out of range, or the graph falls into
        components. The message says into how many, and how many neighbours would join them.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.

    Notes
    -----
    Derived in Chapter 11, A manifold method is a choice of Gram matrix. Geodesic distances are in
    general not Euclidean: see ``negative_mass``. Objects tied for the last place among the
    neighbours are taken in the order of the data. Source: Tenenbaum, de Silva & Langford (2000);
    de Silva & Tenenbaum (2003) for landmarks.

    Examples
    --------
    >>> fit = isomap([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 3.0]], 1, n_neighbors=1)
    >>> fit.points.round(6).ravel()
    array([-1.75, -0.75,  0.25,  2.25])
    """
    neighborhood = Neighborhood.checked(X, metric, n_neighbors)
    n = len(neighborhood)
    chosen = _check_landmarks(landmarks, n, n_components)
    count = chosen if isinstance(chosen, int) else len(chosen)
    k = check_n_components(n_components, count - 1)
    graph = symmetric_graph(joined_graph(neighborhood))
    if isinstance(chosen, int):
        rows, A = _spread_landmarks(graph, chosen)
    else:
        rows, A = chosen, dijkstra(graph, indices=chosen)
    np.square(A, out=A)
    A *= -0.5
    pairs = keep_positive(leading_eigenpairs(A if count == n else A[:, rows], k, centred=True))
    return IsomapResult(pairs, graph, rows, neighborhood.without_table(), A)


def _check_landmarks(landmarks: Any, n: int, n_components: int) -> int | NDArray[np.intp]:
    """Return how many landmarks, or which; all objects, in their order, unless fewer are asked."""
    if np.ndim(landmarks) > 0:
        rows = given_rows(landmarks, n, n_components)
        return rows if len(rows) < n else np.arange(n)
    if landmarks is None:
        return np.arange(n)
    m = check_n_components(landmarks, n, "landmarks")
    check_enough_landmarks(m, n_components)
    return m if m < n else np.arange(n)


def _spread_landmarks(graph: Graph, count: int) -> tuple[NDArray[np.intp], FloatArray]:
    """Landmarks, each farthest from those before it, and their geodesic distances to all."""
    lengths, places = np.empty((count, graph.shape[0])), iter(range(count))

    def gaps(row: int) -> FloatArray:
        place = next(places)
        lengths[place] = dijkstra(graph, indices=[row])[0]
        gap: FloatArray = lengths[place].copy()
        return gap

    reach = dijkstra(graph, indices=[0])[0]
    start = int(np.argmax(reach >= (1 - TIE) * reach.max()))
    landmarks = farthest_first([start], count, gaps)
    gaps(int(landmarks[-1]))
    return landmarks, lengths
