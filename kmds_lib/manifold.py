"""Manifold methods: each chooses a Gram matrix from a neighbour graph.

Isomap squares and centres the lengths of shortest paths. Locally linear embedding and Laplacian
eigenmaps minimise a cost tr Y'MY, and the Gram matrix is the pseudo-inverse of M: what costs
least has the largest eigenvalue there. Maximum variance unfolding asks for the Gram matrix itself.
"""

from __future__ import annotations

import importlib
import warnings
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg
from scipy.sparse import csr_array, diags_array, eye_array
from scipy.sparse.csgraph import dijkstra
from scipy.sparse.linalg import splu

from kmds_lib._checks import (
    EPS,
    FloatArray,
    Metric,
    as_coordinates,
    check_enough_landmarks,
    check_n_components,
    check_number,
    check_option,
    check_rows,
)
from kmds_lib._eigen import (
    DENSE_UP_TO,
    KRYLOV_PART,
    Eigenpairs,
    all_eigenvalues,
    centre,
    solve,
    solve_operator,
)
from kmds_lib._neighbors import (
    TIE,
    Graph,
    Neighborhood,
    Objects,
    closed_groups,
    farthest_first,
    joined_graph,
    symmetric_graph,
)
from kmds_lib.embedding import Embedding, Spectrum, centred_columns, keep_positive
from kmds_lib.linalg import canonical_signs

__all__ = [
    "GraphCostEmbedding",
    "GraphEmbedding",
    "IsomapResult",
    "LaplacianEigenmapsResult",
    "LocallyLinearEmbeddingResult",
    "MaximumVarianceUnfoldingResult",
    "isomap",
    "laplacian_eigenmaps",
    "locally_linear_embedding",
    "maximum_variance_unfolding",
]

Weights = Literal["heat", "binary"]
Constraints = Literal["edges", "two_steps"]

_FULL_FROM = 0.1
"""Part of the entries of a cost matrix that are not zero from which it is treated as full."""

_SINGULAR = 16 * EPS**0.75
"""Smallest eigenvalue of a local Gram matrix of one neighbour that counts, and of its multiple for
more, relative to the largest."""

_NO_DIVISOR = 1e-8
"""Gap between a cost and the degree, relative to the degree, from which it is zero to rounding."""


@dataclass(frozen=True, eq=False)
class GraphEmbedding(Embedding):
    """What every method of this module returns: coordinates, and the graph they came from.

    Attributes
    ----------
    graph : sparse array of shape (n, n)
        Length of the edge between two neighbours; symmetric. Two objects are joined where one is
        a neighbour of the other. An edge of length zero joins objects that coincide.

    Notes
    -----
    Introduced in Chapter 11, Manifold methods as kernel MDS.
    """

    graph: Graph = field(repr=False)
    _neighborhood: Neighborhood = field(repr=False)

    @property
    @abstractmethod
    def gram(self) -> FloatArray:
        """The Gram matrix that the method chooses; computed at first access."""


@dataclass(frozen=True, eq=False)
class IsomapResult(GraphEmbedding):
    """What `isomap` returns; see `GraphEmbedding` and `Embedding` for its other attributes.

    Attributes
    ----------
    landmarks : ndarray of int of shape (m,)
        The objects whose geodesic distances were scaled; all of them, in the order of the data,
        unless fewer were asked for.
    """

    landmarks: NDArray[np.intp] = field(repr=False)
    _halved_squares: FloatArray = field(repr=False)
    _objects: Objects = field(repr=False)

    @cached_property
    def points(self) -> FloatArray:
        """Coordinates, shape (n, k).

        Without landmarks V_k Lambda_k^(1/2). With them, the landmarks have these coordinates and
        the other objects are placed by Gower's formula.
        """
        if len(self.landmarks) == len(self._objects):
            return super().points
        return self._place(self._halved_squares.T)

    @property
    def geodesics(self) -> FloatArray:
        """Lengths of the shortest paths in the graph, shape (m, n): one row a landmark."""
        return np.sqrt(-2 * self._halved_squares)

    @cached_property
    def gram(self) -> FloatArray:
        """B = -1/2 H G^(2) H of the geodesic distances G between the landmarks, shape (m, m)."""
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
            If `new` has the wrong number of columns, is not finite, or a new object has no
            training object within the radius of the fit.

        Notes
        -----
        Derived in Chapter 11, Manifold methods as kernel MDS. The neighbours of a new object are
        chosen as in the fit, and its geodesic distance to a landmark is the shortest path whose
        first edge leads to one of them. Gower's formula does the rest. The new object opens no
        short cut between training objects, so that a new fit may differ. Source: Gower (1968);
        Bengio et al. (2004).

        Examples
        --------
        >>> fit = isomap([[0.0], [1.0], [2.0], [3.0]], 1, radius=1.0)
        >>> fit.transform([[1.5]]).round(6) + 0.0
        array([[0.]])
        """
        near = self._neighborhood.of(self._objects, self._objects.checked_new(new))
        counts = np.diff(near.indptr)
        shortest = np.full((len(counts), len(self.landmarks)), np.inf)
        lengths = self.geodesics.T
        for place in range(int(counts.max(initial=0))):
            rows = np.flatnonzero(counts > place)
            edge = near.indptr[rows] + place
            through = lengths[near.indices[edge]] + near.data[edge, None]
            shortest[rows] = np.minimum(shortest[rows], through)
        return as_coordinates(self._place(-0.5 * np.square(shortest)), "new")

    @property
    def _between_landmarks(self) -> FloatArray:
        A = self._halved_squares
        return A if A.shape[0] == A.shape[1] else A[:, self.landmarks]

    def _place(self, halved_squares: FloatArray) -> FloatArray:
        """Gower's formula, from -1/2 times squared distances to the landmarks."""
        offsets = halved_squares - self._between_landmarks.mean(axis=0)
        return np.asarray(offsets @ self._coefficients)

    @cached_property
    def _coefficients(self) -> FloatArray:
        return centred_columns(self.pairs.vectors / np.sqrt(self.eigenvalues))

    def _full_spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self._between_landmarks, centred=True))


def isomap(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int | None = None,
    radius: float | None = None,
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
    n_neighbors : int, optional
        Join each object to so many nearest others; from 1 to n - 1.
    radius : float, optional
        Join all objects at most this far apart. Give this or `n_neighbors`.
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
        components. The message says into how many, and which neighbourhood would join them.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.

    Notes
    -----
    Derived in Chapter 11, Manifold methods as kernel MDS. Geodesic distances are in general not
    Euclidean: see ``negative_mass``. Objects tied for the last place among the neighbours are
    taken in the order of the data. Source: Tenenbaum, de Silva & Langford (2000); de Silva &
    Tenenbaum (2003) for landmarks.

    Examples
    --------
    >>> fit = isomap([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 3.0]], 1, n_neighbors=1)
    >>> fit.points.round(6).ravel()
    array([-1.75, -0.75,  0.25,  2.25])
    """
    objects = Objects.checked(X, metric)
    neighborhood = Neighborhood.checked(n_neighbors, radius, len(objects))
    chosen = _check_landmarks(landmarks, len(objects), n_components)
    count = chosen if isinstance(chosen, int) else len(chosen)
    k = check_n_components(n_components, count - 1)
    graph = symmetric_graph(joined_graph(objects, neighborhood))
    if isinstance(chosen, int):
        chosen, A = _spread_landmarks(graph, chosen)
    else:
        A = dijkstra(graph, indices=None if count == len(objects) else chosen)
    np.square(A, out=A)
    A *= -0.5
    pairs = keep_positive(solve(A if count == len(A.T) else A[:, chosen], k, centred=True))
    kept = Objects(np.empty((len(objects), 0)), True) if objects.precomputed else objects
    return IsomapResult(pairs, graph, neighborhood, chosen, A, kept)


@dataclass(frozen=True, eq=False)
class GraphCostEmbedding(GraphEmbedding):
    """What both methods return that minimise a cost tr Y'MY over the graph.

    The eigenvalues of M come in ascending order, from the second on; `eigenvalues` holds their
    inverses, which are eigenvalues of the Gram matrix, in descending order. ``residual`` is the
    largest norm of M v - cost v, relative to the largest column sum of moduli of M.

    Attributes
    ----------
    weights : sparse array of shape (n, n)
        The weights W of the method.
    cost_matrix : sparse array of shape (n, n)
        The matrix M of the cost: E = (I - W)'(I - W), or L = D - W.
    """

    weights: Graph = field(repr=False)
    cost_matrix: Graph = field(repr=False)
    _objects: Objects = field(repr=False)
    _balance: FloatArray = field(repr=False)

    @cached_property
    def costs(self) -> FloatArray:
        """The k smallest eigenvalues of the problem that are not zero, in ascending order."""
        return np.asarray(1 / self.eigenvalues)

    @cached_property
    def gram(self) -> FloatArray:
        """Pseudo-inverse of the cost matrix; centred, since the cost of a shift is zero."""
        n = len(self._balance)
        return _pseudo_inverse(self.cost_matrix, np.full(n, n**-0.5))

    def _at_training_objects(self, near: Graph, Y: FloatArray) -> FloatArray:
        """Give new objects at distance zero from a training object its coordinates."""
        rows, own = _coincident(near)
        Y[rows] = self.points[own]
        return as_coordinates(Y, "new")

    def _full_spectrum(self) -> Spectrum:
        balance = diags_array(self._balance)
        M = (balance @ self.cost_matrix @ balance).toarray()
        costs = all_eigenvalues(M, centred=False)[-2::-1]
        return Spectrum(np.append(1 / costs, 0.0))


@dataclass(frozen=True, eq=False)
class LocallyLinearEmbeddingResult(GraphCostEmbedding):
    """What `locally_linear_embedding` returns; see `GraphCostEmbedding` for the rest.

    ``weights`` has rows that sum to one, and ``cost_matrix`` is E = (I - W)'(I - W).

    Attributes
    ----------
    regularization : float
        Part of the trace that was added to the diagonal of each local Gram matrix.
    """

    regularization: float

    @cached_property
    def points(self) -> FloatArray:
        """Coordinates, shape (n, k): eigenvectors of E with mean square one, Y'Y = n I.

        The Gram matrix gives the same axes, each multiplied by (eigenvalue / n)^(1/2).
        """
        return np.asarray(self.pairs.vectors * np.sqrt(len(self.pairs.vectors)))

    @property
    def reconstruction_error(self) -> float:
        """Sum over objects of ``|y_i - sum_j w_ij y_j|^2``, for coordinates with Y'Y = I."""
        return float(self.costs.sum())

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects with the weights that write them by their neighbours.

        Parameters
        ----------
        new : array_like of shape (m, p), or (m, n) where ``metric="precomputed"``
            New points; or dissimilarities to all training objects.

        Returns
        -------
        ndarray of shape (m, k)
            Weighted means of the neighbours' coordinates. A new object at distance zero from a
            training object takes its coordinates; of several, those of the first.

        Raises
        ------
        ValueError
            If `new` has the wrong number of columns or is not finite.

        Notes
        -----
        Derived in Chapter 11, Manifold methods as kernel MDS. Source: Saul & Roweis (2003).

        Examples
        --------
        >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
        >>> fit = locally_linear_embedding(X, 1, n_neighbors=2)
        >>> bool(fit.transform([[4.0]]) == fit.points[4])
        True
        """
        checked = self._objects.checked_new(new)
        near = self._neighborhood.of(self._objects, checked)
        W = _local_weights(self._objects, near, self.regularization, checked)
        return self._at_training_objects(near, np.asarray(W @ self.points))


def locally_linear_embedding(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int,
    regularization: float = 1e-3,
    metric: Metric = "euclidean",
) -> LocallyLinearEmbeddingResult:
    """Keep the weights that write each point by its neighbours: locally linear embedding.

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Points, one in each row; or dissimilarities, not squared.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    n_neighbors : int
        Neighbours that each object is written by, from 1 to n - 1.
    regularization : float
        Part of its trace that is added to the diagonal of each local Gram matrix. With more
        neighbours than variables those matrices are singular, and it must be positive.
    metric : {"euclidean", "precomputed"}
        What `X` holds.

    Returns
    -------
    LocallyLinearEmbeddingResult
        Points, costs, ``weights``, ``cost_matrix``, ``gram``, and `transform`.

    Raises
    ------
    ValueError
        If `X` is not what `metric` says, a parameter is out of range, the weights are not
        determined, or several groups of objects have all their neighbours in the group, so that
        each could be moved at no cost.

    Notes
    -----
    Derived in Chapter 11, Manifold methods as kernel MDS. The cost ``|Y - W Y|^2`` = tr Y'EY is
    minimised over centred coordinates with Y'Y = n I: the solution holds the eigenvectors 2 to
    k + 1 of E from below. E 1 = 0, hence nothing is left to centre. As Gram matrix this library
    takes the pseudo-inverse of E. Ham, Lee, Mika & Schölkopf (2004) take lambda_max I - E, which
    has the same eigenvectors in the same order; but there all leading eigenvalues are about
    lambda_max, so that neither its spectrum nor its distances tell one axis from the next.
    Source: Roweis & Saul (2000); Saul & Roweis (2003).

    Examples
    --------
    >>> fit = locally_linear_embedding([[0.0], [1.0], [2.0], [3.0], [4.0]], 1, n_neighbors=2)
    >>> fit.weights.sum(axis=1).round(6)
    array([1., 1., 1., 1., 1.])
    """
    objects = Objects.checked(X, metric)
    neighborhood = Neighborhood.checked(n_neighbors, None, len(objects))
    k = check_n_components(n_components, len(objects) - 1)
    regularization = check_number(regularization, "regularization")
    near = joined_graph(objects, neighborhood, closed_groups)
    W = _local_weights(objects, near, regularization)
    rest = eye_array(len(objects), format="csr") - W
    E = csr_array(rest.T @ rest)
    balance = np.ones(len(objects))
    pairs = _bottom(E, balance, k)
    graph = symmetric_graph(near)
    return LocallyLinearEmbeddingResult(
        pairs, graph, neighborhood, W, E, objects, balance, regularization
    )


@dataclass(frozen=True, eq=False)
class LaplacianEigenmapsResult(GraphCostEmbedding):
    """What `laplacian_eigenmaps` returns; see `GraphCostEmbedding` for the rest.

    ``cost_matrix`` is the graph Laplacian L = D - W. Its pseudo-inverse ``gram`` is the
    commute-time kernel: distances in it are square roots of mean travel times of the random walk
    on the graph, there and back, divided by the sum of the degrees. With ``normalized`` the
    axes are those of the same points with masses d_i: ``eigenvalues`` and ``spectrum()`` are then
    of D^(1/2) K D^(1/2), where K is ``gram`` with its origin at the weighted mean.

    Attributes
    ----------
    normalized : bool
        Whether L f = lambda D f was solved, or L f = lambda f.
    t : float or None
        Scale of the heat weights; None for binary weights.
    """

    normalized: bool
    t: float | None

    @cached_property
    def degrees(self) -> FloatArray:
        """Sums of the weights of each object, the diagonal of D, shape (n,)."""
        return _row_sums(self.weights)

    @cached_property
    def points(self) -> FloatArray:
        """Coordinates F, shape (n, k): F'DF = I with ``normalized``, F'F = I without.

        Without ``normalized`` the Gram matrix gives the same axes, each multiplied by
        eigenvalue^(1/2); with it, so does weighted classical scaling of its distances.
        """
        return self.pairs.vectors * self._balance[:, None]

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects by the equation that each coordinate satisfies in the fit.

        Parameters
        ----------
        new : array_like of shape (m, p), or (m, n) where ``metric="precomputed"``
            New points; or dissimilarities to all training objects.

        Returns
        -------
        ndarray of shape (m, k)
            sum_j w_j f_j / (d (1 - lambda)), or divided by d - lambda without ``normalized``,
            where d is the sum of the weights w_j. A new object at distance zero from a training
            object takes its coordinates; of several, those of the first.

        Raises
        ------
        ValueError
            If `new` has the wrong number of columns or is not finite, or a new object is so far
            away that its weights vanish or, without ``normalized``, sum to no more than a cost;
            with it, if a cost is 1, where the divisor is zero.

        Notes
        -----
        Derived in Chapter 11, Manifold methods as kernel MDS. The neighbours of a new object are
        chosen as in the fit. Source: Bengio et al. (2004).

        Examples
        --------
        >>> X = [[0.0], [1.0], [2.0], [3.0]]
        >>> fit = laplacian_eigenmaps(X, 1, radius=1.0, weights="binary")
        >>> fit.transform([[1.5]]).round(6) + 0.0
        array([[0.]])
        """
        near = self._neighborhood.of(self._objects, self._objects.checked_new(new))
        W = _affinities(near, self.t)
        degrees = _row_sums(W)[:, None]
        self._refuse_without_place(near, degrees[:, 0])
        divisor = degrees * (1 - self.costs) if self.normalized else degrees - self.costs
        with np.errstate(divide="ignore", invalid="ignore"):
            Y = np.asarray(W @ self.points) / divisor
        return self._at_training_objects(near, Y)

    def _refuse_without_place(self, near: Graph, degrees: FloatArray) -> None:
        """Refuse new objects whose equation has no solution, unless a training object is there."""
        own = _coincident(near)[0]
        least = 0.0 if self.normalized else float(self.costs.max(initial=0.0)) * (1 + _NO_DIVISOR)
        if (weak := np.setdiff1d(np.flatnonzero(degrees <= least), own)).size:
            raise ValueError(
                f"Row {weak[0]} of new is too far from the training data: its weights sum to "
                f"{degrees[weak[0]]:.3g}, and must sum to more than {least:.3g}."
            )
        lost = np.flatnonzero(np.abs(1 - self.costs) <= _NO_DIVISOR)
        if self.normalized and lost.size and len(np.unique(own)) < len(degrees):
            raise ValueError(
                f"Coordinate {lost[0]} has the cost 1, so that its equation gives new objects no "
                "place: fit fewer components, or other weights, or another neighbourhood."
            )


def laplacian_eigenmaps(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int | None = None,
    radius: float | None = None,
    weights: Weights = "heat",
    t: float | None = None,
    normalized: bool = True,
    metric: Metric = "euclidean",
) -> LaplacianEigenmapsResult:
    """Keep neighbours together, weighted by how near they are: Laplacian eigenmaps.

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Points, one in each row; or dissimilarities, not squared.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    n_neighbors : int, optional
        Join each object to so many nearest others; from 1 to n - 1.
    radius : float, optional
        Join all objects at most this far apart. Give this or `n_neighbors`.
    weights : {"heat", "binary"}
        Weight of an edge of length d: exp(-d^2 / t), or 1.
    t : float, optional
        Scale of the heat weights; by default the mean squared length of the edges.
    normalized : bool
        Solve L f = lambda D f, with F'DF = I; without it, L f = lambda f, with F'F = I.
    metric : {"euclidean", "precomputed"}
        What `X` holds.

    Returns
    -------
    LaplacianEigenmapsResult
        Points, costs, ``weights``, ``cost_matrix`` (L), ``gram``, and `transform`.

    Raises
    ------
    ValueError
        If `X` is not what `metric` says, a parameter is out of range, the graph falls into
        components, or its weights are so small that it is joined in name only.

    Notes
    -----
    Derived in Chapter 11, Manifold methods as kernel MDS. Over ordered pairs the sum of
    w_ij (y_i - y_j)^2 is 2 y'Ly. It is minimised; the constant vector, which costs nothing, is
    left out. Source: Belkin & Niyogi (2003); Ham, Lee, Mika & Schölkopf (2004) for the kernel.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> fit = laplacian_eigenmaps(X, 1, n_neighbors=1, weights="binary")
    >>> fit.points.round(3).ravel(), fit.costs.round(3)
    (array([ 0.577,  0.289, -0.289, -0.577]), array([0.5]))
    """
    check_option(weights, Weights, "weights")
    if t is not None and weights == "binary":
        raise ValueError("t is the scale of heat weights; binary weights have none. Leave it out.")
    objects = Objects.checked(X, metric)
    neighborhood = Neighborhood.checked(n_neighbors, radius, len(objects))
    k = check_n_components(n_components, len(objects) - 1)
    graph = symmetric_graph(joined_graph(objects, neighborhood))
    scale = _heat_scale(graph, t) if weights == "heat" else None
    W = _affinities(graph, scale)
    degrees = _row_sums(W)
    if not (degrees > 0).all():
        raise ValueError(
            f"The weights of object {np.argmin(degrees)} are all zero to rounding: choose a "
            f"larger t than {scale:.6g}."
        )
    L = csr_array(diags_array(degrees) - W)
    balance = degrees**-0.5 if normalized else np.ones(len(objects))
    pairs = _bottom(L, balance, k)
    kept = Objects(np.empty((len(objects), 0)), True) if objects.precomputed else objects
    return LaplacianEigenmapsResult(
        pairs, graph, neighborhood, W, L, kept, balance, bool(normalized), scale
    )


@dataclass(frozen=True, eq=False)
class MaximumVarianceUnfoldingResult(GraphEmbedding):
    """What `maximum_variance_unfolding` returns; see `GraphEmbedding` for the rest.

    `spectrum` and `negative_mass` are those of the matrix that the solver returned: what is
    negative there is its error.

    Attributes
    ----------
    constraints : {"edges", "two_steps"}
        Which distances were kept.
    n_constraints : int
        How many.
    tolerance : float
        What the solver was asked for.
    n_iterations : int
        How many steps it took.
    violation : float
        Largest error of a squared distance that was to be kept, relative to their mean.
    """

    constraints: Constraints
    n_constraints: int
    tolerance: float
    n_iterations: int
    violation: float
    _gram: FloatArray = field(repr=False)

    @property
    def gram(self) -> FloatArray:
        """The centred Gram matrix that solves the semidefinite programme."""
        return self._gram

    def transform(self, new: ArrayLike) -> FloatArray:
        """Refuse: the programme gives coordinates to the objects it was solved for, no others.

        Parameters
        ----------
        new : array_like
            Anything.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError(
            "Maximum variance unfolding has no formula for new objects: solve it again with them, "
            "or take isomap, whose Gram matrix comes from distances."
        )

    def _full_spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self._gram, centred=False))


def maximum_variance_unfolding(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int | None = None,
    radius: float | None = None,
    constraints: Constraints = "two_steps",
    tolerance: float = 1e-3,
    metric: Metric = "euclidean",
) -> MaximumVarianceUnfoldingResult:
    """Pull points as far apart as distances to neighbours allow: maximum variance unfolding.

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Points, one in each row; or dissimilarities, not squared. A few hundred objects at most.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    n_neighbors : int, optional
        Join each object to so many nearest others; from 1 to n - 1.
    radius : float, optional
        Join all objects at most this far apart. Give this or `n_neighbors`.
    constraints : {"edges", "two_steps"}
        Keep the distances of neighbours only, or those of neighbours of a common neighbour too,
        which keeps angles as well and is solved in far fewer steps.
    tolerance : float
        Relative and absolute accuracy asked of the solver. At 1e-3 the programme of 150 points
        on a roll takes some seconds, and its trace is within one per cent of that at 1e-4, which
        takes several times as long.
    metric : {"euclidean", "precomputed"}
        What `X` holds.

    Returns
    -------
    MaximumVarianceUnfoldingResult
        Points, eigenvalues, ``gram``, ``graph``, and how well the programme was solved.

    Raises
    ------
    ImportError
        If cvxpy is not installed.
    ValueError
        If `X` is not what `metric` says, a parameter is out of range, the graph falls into
        components, no points have the distances to be kept, or the solver gives up.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive; the positive ones are returned.

    Notes
    -----
    Derived in Chapter 11, Manifold methods as kernel MDS. The trace of a centred Gram matrix
    K >= 0 is maximised under k_ii + k_jj - 2 k_ij = d_ij^2. The solver is SCS, a method of first
    order: its steps are cheap and many. The programme is written for the Gram matrix with its
    origin at the first object, because the centred one is singular, which costs SCS steps.
    Source: Weinberger, Sha & Saul (2004).

    Examples
    --------
    >>> fit = maximum_variance_unfolding(
    ...     [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]], 1, radius=2.0, constraints="edges"
    ... )
    >>> fit.points.round(2).ravel()
    array([-1.33, -0.33,  1.67])
    """
    check_option(constraints, Constraints, "constraints")
    objects = Objects.checked(X, metric)
    neighborhood = Neighborhood.checked(n_neighbors, radius, len(objects))
    k = check_n_components(n_components, len(objects) - 1)
    tolerance = check_number(tolerance, "tolerance", positive=True)
    graph = symmetric_graph(joined_graph(objects, neighborhood))
    i, j = _kept_pairs(graph, constraints)
    squares = np.square(objects.between(i, j))
    unit = float(squares.mean()) or 1.0
    Z, steps = _unfold(len(objects), i, j, squares / unit, tolerance)
    K = centre(unit * np.pad(0.5 * (Z + Z.T), ((1, 0), (1, 0))))
    errors = K[i, i] + K[j, j] - 2 * K[i, j] - squares
    pairs = keep_positive(solve(K, k, centred=False))
    pairs = replace(pairs, solver=f"SCS, then {pairs.solver}")
    violation = float(np.abs(errors).max()) / unit
    return MaximumVarianceUnfoldingResult(
        pairs, graph, neighborhood, constraints, len(i), tolerance, steps, violation, K
    )


def _kept_pairs(
    graph: Graph, constraints: Constraints
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs i < j whose distances are kept."""
    joined = csr_array((np.ones_like(graph.data), graph.indices, graph.indptr), graph.shape)
    if constraints == "two_steps":
        joined = csr_array(joined + joined @ joined)
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(joined.indptr))
    upper = rows < joined.indices
    return rows[upper], joined.indices[upper].astype(np.intp)


def _unfold(
    n: int, i: NDArray[np.intp], j: NDArray[np.intp], squares: FloatArray, tolerance: float
) -> tuple[FloatArray, int]:
    """Solve for the Gram matrix of the objects 1, ..., n - 1 as seen from object 0."""
    try:
        cvxpy: Any = importlib.import_module("cvxpy")
    except ImportError:
        raise ImportError(
            "Maximum variance unfolding needs cvxpy, which is not installed: "
            'pip install "kmds_lib[unfolding]".'
        ) from None
    Z = cvxpy.Variable((n - 1, n - 1), PSD=True)
    own, first = cvxpy.diag(Z), i == 0
    low, high = i[~first] - 1, j[~first] - 1
    kept = [own[j[first] - 1] == squares[first]]
    if len(low):
        kept.append(own[low] + own[high] - 2 * Z[low, high] == squares[~first])
    spread = cvxpy.Maximize(cvxpy.trace(Z) - cvxpy.sum(Z) / n)
    problem = cvxpy.Problem(spread, kept)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem.solve(solver="SCS", eps_abs=tolerance, eps_rel=tolerance, scale=1.0)
    if problem.status == "infeasible":
        raise ValueError(
            "No points have the distances to be kept: the dissimilarities between neighbours are "
            "not Euclidean. Take fewer neighbours, or constraints='edges'."
        )
    if problem.status != "optimal":
        raise ValueError(
            f"The solver stopped with the status {problem.status!r}: take a larger tolerance "
            f"than {tolerance:g}, or constraints='two_steps'."
        )
    return np.asarray(Z.value), int(problem.solver_stats.num_iters)


def _check_landmarks(landmarks: Any, n: int, n_components: int) -> int | NDArray[np.intp]:
    """Return how many landmarks, or which; all objects, in their order, unless fewer are asked."""
    if np.ndim(landmarks) > 0:
        rows = check_rows(landmarks, n, "landmarks")
        check_enough_landmarks(len(rows), n_components)
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


def _local_weights(
    objects: Objects, near: Graph, regularization: float, new: FloatArray | None = None
) -> Graph:
    """Weights that write each row by its neighbours, and sum to one."""
    m, n = near.shape
    index = near.indices.reshape(m, near.nnz // max(m, 1))
    C = _local_grams(objects, index, near.data.reshape(index.shape), new)
    traces = np.trace(C, axis1=1, axis2=2)
    diagonal = np.arange(index.shape[1])
    if m and regularization <= _SINGULAR * C.shape[1]:
        _refuse_singular(C)
    C[:, diagonal, diagonal] += np.where(traces > 0, regularization * traces, 1.0)[:, None]
    w = np.linalg.solve(C, np.ones((*index.shape, 1)))[:, :, 0]
    w /= w.sum(axis=1, keepdims=True)
    return csr_array((w.ravel(), near.indices, near.indptr), shape=(m, n))


def _local_grams(
    objects: Objects, index: NDArray[Any], lengths: FloatArray, new: FloatArray | None
) -> FloatArray:
    """Gram matrices of the differences between each object and its neighbours."""
    if not objects.precomputed:
        source = objects.data if new is None else new
        Z = objects.data[index] - source[:, None]
        return np.asarray(Z @ Z.transpose(0, 2, 1))
    squares = np.square(lengths)
    between = np.square(objects.data[index[:, :, None], index[:, None, :]])
    return np.asarray((squares[:, :, None] + squares[:, None, :] - between) / 2)


def _coincident(near: Graph) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Rows at distance zero from a training object, and which; of several the first comes last."""
    rows = np.repeat(np.arange(near.shape[0]), np.diff(near.indptr))
    zero = np.flatnonzero(near.data == 0)[::-1]
    return rows[zero], near.indices[zero]


def _refuse_singular(C: FloatArray) -> None:
    """Refuse local Gram matrices whose weights are not determined."""
    values = np.linalg.eigvalsh(C)
    bad = np.flatnonzero(values[:, 0] <= _SINGULAR * C.shape[1] * values[:, -1])
    if len(bad):
        raise ValueError(
            f"The local Gram matrix of object {bad[0]} is singular ({len(bad)} such objects), so "
            "that its weights are not determined: with more neighbours than variables they never "
            "are. Give a larger regularization, such as 1e-3."
        )


def _heat_scale(graph: Graph, t: float | None) -> float:
    """Return the scale given, or the mean squared length of the edges."""
    if t is not None:
        return check_number(t, "t", positive=True)
    return float(np.square(graph.data).mean()) or 1.0


def _affinities(near: Graph, t: float | None) -> Graph:
    """Heat weights exp(-d^2 / t) of the edges, or ones."""
    data = np.ones_like(near.data) if t is None else np.exp(-np.square(near.data) / t)
    return csr_array((data, near.indices, near.indptr), shape=near.shape)


def _row_sums(W: Graph) -> FloatArray:
    return np.asarray(W.sum(axis=1), dtype=np.float64)


def _pseudo_inverse(M: Graph, null: FloatArray) -> FloatArray:
    """Pseudo-inverse of a semidefinite matrix whose null space is spanned by one unit vector."""
    shift = float(M.diagonal().mean())
    try:
        factor = linalg.cho_factor(M.toarray() + shift * np.outer(null, null), lower=True)
    except linalg.LinAlgError:
        raise _several_zeros() from None
    inverse = linalg.cho_solve(factor, np.eye(len(null)))
    K = inverse - np.outer(null, null) / shift
    return np.asarray(0.5 * (K + K.T))


def _bottom(cost: Graph, balance: FloatArray, k: int) -> Eigenpairs:
    """Leading eigenpairs of the pseudo-inverse of S M S, where S = diag(balance) and M 1 = 0.

    Small or full matrices are inverted; for the others, one row and column is left out, which
    makes the matrix definite, and a sparse factor solves for each vector of a Krylov space.
    """
    n = len(balance)
    S = diags_array(balance)
    M = csr_array(S @ cost @ S)
    null = 1 / (balance * linalg.norm(1 / balance))
    pairs = None
    if n > DENSE_UP_TO and k * KRYLOV_PART <= n and M.nnz < _FULL_FROM * n * n:
        pairs = solve_operator(_Grounded(M, null), null[:, None], k)
    if pairs is None:
        pairs = solve(_pseudo_inverse(M, null), k, centred=False)
    size = float(abs(M).sum(axis=0).max())
    if not 0 < pairs.values[0] * size < 1 / (16 * n * EPS):
        raise _several_zeros()
    points = canonical_signs(balance[:, None] * pairs.vectors)
    vectors = points / balance[:, None]
    residual = float(linalg.norm(M @ vectors - vectors / pairs.values, axis=0).max()) / size
    return replace(pairs, vectors=vectors, residual=residual)


class _Grounded:
    """The pseudo-inverse of M, by a sparse factor of M without its last row and column."""

    def __init__(self, M: Graph, null: FloatArray) -> None:
        self.null = null
        options = {"SymmetricMode": True}
        try:
            self.factor = splu(
                M[:-1, :-1].tocsc(), "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options
            )
        except RuntimeError:
            raise _several_zeros() from None

    def __call__(self, v: FloatArray) -> FloatArray:
        b = v - self.null * (self.null @ v)
        x = np.append(self.factor.solve(b[:-1]), 0.0)
        return np.asarray(x - self.null * (self.null @ x))


def _several_zeros() -> ValueError:
    return ValueError(
        "More than one eigenvalue of the cost matrix is zero to rounding, so that the axes are "
        "not determined: the graph is joined by weights too small to count. Take more "
        "neighbours, or a larger t or regularization."
    )
