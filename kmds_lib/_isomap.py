"""Isomap: classical scaling of the shortest paths in a neighbour graph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import dijkstra

from kmds_lib._eigen import all_eigenvalues, double_centre
from kmds_lib._embedding import Embedding, Spectrum, check_components, positive_eigenpairs
from kmds_lib._labels import store_labels
from kmds_lib._landmarks import farthest_first, given_rows
from kmds_lib._metrics import MetricOrPrecomputed
from kmds_lib._nearest_neighbors import Graph
from kmds_lib._neighbor_graph import Neighborhood, connected_graph, symmetric_graph
from kmds_lib._parameters import check_count_up_to, check_enough_landmarks
from kmds_lib._rounding import TIE
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_coordinates


@dataclass(frozen=True, eq=False, repr=False)
class IsomapResult(Embedding):
    """Result of `isomap`; see `Embedding` for its other attributes.

    Attributes
    ----------
    graph : sparse array of shape (n, n)
        Lengths of the edges; symmetric. Two objects are joined if one of them is a neighbour of
        the other. An edge of length zero joins objects that coincide.
    landmarks : ndarray of int of shape (m,)
        Row numbers of the landmarks: by default all objects, in the order of the data.
    """

    graph: Graph
    landmarks: NDArray[np.intp]
    _neighborhood: Neighborhood
    _minus_half_squares: FloatArray

    @cached_property
    def points(self) -> FloatArray:
        r"""Return the coordinates, shape (n, k).

        Without landmarks :math:`V_k \Lambda_k^{1/2}`. Otherwise the landmarks have these
        coordinates, and the other objects are placed by Gower's formula.
        """
        if len(self.landmarks) == len(self._neighborhood):
            return super().points
        return self._gower_coordinates(self._minus_half_squares.T)

    @property
    def geodesics(self) -> FloatArray:
        """Return the lengths of the shortest paths, shape (m, n), one row for each landmark."""
        return np.sqrt(-2 * self._minus_half_squares)

    @cached_property
    def gram(self) -> FloatArray:
        r"""Return the centred Gram matrix of the landmarks, shape (m, m).

        :math:`B = -\tfrac12 H \Delta^{(2)} H` with the geodesic distances between them.
        """
        return double_centre(self._between_landmarks)

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects by their geodesic distances to the landmarks.

        Parameters
        ----------
        new : array_like of shape (m, p), or (m, n) where ``metric="precomputed"``
            New points; or dissimilarities to all training objects.

        Returns
        -------
        ndarray of shape (m, k)
            Coordinates on the fitted axes. Those of training objects are equal to ``points``.

        Raises
        ------
        ValueError
            If `new` has the wrong number of columns, is not finite or contains negative
            dissimilarities, or if a new object has no neighbour.

        Notes
        -----
        Derived in Chapter 11, Manifold methods. The neighbours of a new object are found as in the
        fit. Its geodesic distance to a landmark is the length of the shortest path whose first
        edge leads to one of these neighbours. From these distances, Gower's formula gives the
        coordinates. Paths between training objects do not change, and therefore a new fit with the
        new object may differ. Source: Gower (1968); Bengio et al. (2004).

        Examples
        --------
        >>> fit = isomap([[0.0], [1.0], [2.0], [3.0]], 1, n_neighbors=2)
        >>> fit.transform([[1.5]]).round(6) + 0.0
        array([[0.]])
        """
        self._check_columns(new)
        graph = self._neighborhood.graph(self._neighborhood.objects.checked_new(new))
        counts, geodesics = np.diff(graph.indptr), self.geodesics.T
        shortest = np.full((len(counts), len(self.landmarks)), np.inf)
        for j in range(counts.max(initial=0)):
            with_edge = counts > j
            rows = slice(None) if with_edge.all() else np.flatnonzero(with_edge)
            edges = graph.indptr[:-1][rows] + j
            paths = geodesics[graph.indices[edges]] + graph.data[edges, None]
            shortest[rows] = np.minimum(shortest[rows], paths, out=paths)
        return as_coordinates(self._gower_coordinates(-0.5 * np.square(shortest)))

    @property
    def _between_landmarks(self) -> FloatArray:
        A = self._minus_half_squares
        return A if A.shape[0] == A.shape[1] else A[:, self.landmarks]

    def _gower_coordinates(self, minus_half_squares: FloatArray) -> FloatArray:
        """Return the coordinates of objects from -1/2 times squared geodesics to landmarks."""
        offsets = minus_half_squares - self._between_landmarks.mean(axis=0)
        return np.asarray(offsets @ self._coefficients)

    @cached_property
    def _spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self._between_landmarks, centring=True))


@store_labels()
def isomap(
    X: ArrayLike,
    n_components: int | float = 2,
    *,
    n_neighbors: int | None = None,
    radius: float | None = None,
    landmarks: int | ArrayLike | None = None,
    metric: MetricOrPrecomputed = "euclidean",
    metric_params: dict[str, Any] | None = None,
) -> IsomapResult:
    """Apply classical scaling to shortest paths in a neighbour graph (Isomap).

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Points, one in each row; or dissimilarities, not squared.
    n_components : int or float
        Number of coordinates, from 1 to the number of landmarks minus 1; or a share, as in
        `classical_scaling`.
    n_neighbors : int, optional
        Number of nearest objects that each object is joined to, from 1 to n - 1.
    radius : float, optional
        Alternative to `n_neighbors`: the largest distance between neighbours.
    landmarks : int or array_like of int, optional
        Number of landmarks, or their row numbers. Only the geodesic distances from the landmarks
        are computed and scaled; the other objects are placed by them. If a number is given, each
        landmark is the object farthest, along the graph, from those before it.
    metric : str or callable
        For points, a metric of `distances`, such as "euclidean" or "cityblock". With
        "precomputed", `X` contains dissimilarities.
    metric_params : dict, optional
        Options of the metric. Options that it would estimate from the data must be given.

    Returns
    -------
    IsomapResult
        Points, eigenvalues, ``gram``, ``graph``, ``geodesics``, and `transform` for new objects.

    Raises
    ------
    ValueError
        If `X` does not match `metric`, a parameter is out of range, both or neither of
        `n_neighbors` and `radius` are given, or the graph is not connected. The message gives the
        number of components, and the number of neighbours or the radius that joins them.

    Warns
    -----
    FewerComponentsWarning
        As in `classical_scaling`.

    Notes
    -----
    Derived in Chapter 11, Manifold methods. Geodesic distances are in general not Euclidean: see
    ``negative_mass``. If objects are tied for the last place among the neighbours, the first in
    the data are taken. Source: Tenenbaum, de Silva & Langford (2000); de Silva & Tenenbaum (2003)
    for landmarks.

    Examples
    --------
    >>> fit = isomap([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 3.0]], 1, n_neighbors=1)
    >>> fit.points.round(6).ravel()
    array([-1.75, -0.75,  0.25,  2.25])
    """
    neighborhood = Neighborhood.checked(X, metric, n_neighbors, radius, metric_params)
    n = len(neighborhood)
    chosen = _check_landmarks(landmarks, n, n_components)
    m = chosen if isinstance(chosen, int) else len(chosen)
    check_components(n_components, m - 1)
    graph = symmetric_graph(connected_graph(neighborhood))
    if isinstance(chosen, int):
        rows, geodesics = _farthest_landmarks(graph, chosen)
    else:
        rows, geodesics = chosen, dijkstra(graph, indices=chosen)
    A = np.square(geodesics, out=geodesics)
    A *= -0.5
    pairs = positive_eigenpairs(A if m == n else A[:, rows], n_components)
    return IsomapResult(pairs, graph, rows, neighborhood.without_dissimilarities(), A)


def _check_landmarks(landmarks: Any, n: int, n_components: Any) -> int | NDArray[np.intp]:
    """Return the number of landmarks, or their rows if these are given or are all n rows."""
    if np.ndim(landmarks) > 0:
        rows = given_rows(landmarks, n, n_components)
        return rows if len(rows) < n else np.arange(n)
    if landmarks is None:
        return np.arange(n)
    m = check_count_up_to(landmarks, n, "landmarks")
    check_enough_landmarks(m, n_components)
    return m if m < n else np.arange(n)


def _farthest_landmarks(graph: Graph, count: int) -> tuple[NDArray[np.intp], FloatArray]:
    """Return landmarks, each farthest from the previous ones, and their geodesic distances."""
    geodesics = np.empty((count, graph.shape[0]))
    rows = iter(geodesics)

    def geodesics_from(landmark: int) -> FloatArray:
        row = next(rows)
        row[:] = dijkstra(graph, indices=[landmark])[0]
        return row.copy()

    from_first = dijkstra(graph, indices=[0])[0]
    start = int(np.argmax(from_first >= (1 - TIE) * from_first.max()))
    landmarks = farthest_first(start, count, geodesics_from)
    geodesics_from(int(landmarks[-1]))
    return landmarks, geodesics
