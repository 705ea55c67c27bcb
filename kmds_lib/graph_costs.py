"""Embeddings that minimise a cost tr Y'MY over a neighbour graph.

The Gram matrix is the pseudo-inverse of M: what costs least has the largest eigenvalue there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import diags_array

from kmds_lib._checks import FloatArray, as_coordinates
from kmds_lib._eigen import Eigenpairs, all_eigenvalues
from kmds_lib._fast.nearest import Graph
from kmds_lib._pseudo_inverse import cheapest_axes, pseudo_inverse
from kmds_lib.embedding import Embedding, Spectrum, keep_positive
from kmds_lib.neighbors import Neighborhood, coincident

__all__ = ["GraphCostEmbedding"]


@dataclass(frozen=True, eq=False)
class GraphCostEmbedding(Embedding):
    r"""What `locally_linear_embedding` and `laplacian_eigenmaps` return; see also `Embedding`.

    The eigenvalues of M come in ascending order, from the second on; `eigenvalues` holds their
    inverses, which are eigenvalues of the Gram matrix, in descending order. ``residual`` is the
    largest norm of M v - cost v, relative to the largest column sum of moduli of M.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Coordinates, in the scale of the method: :math:`Y^\top Y = n I` for locally linear
        embedding; :math:`F^\top T F = I` for Laplacian eigenmaps, or :math:`F^\top F = I` where
        they are not normalized.
    graph : sparse array of shape (n, n)
        Length of the edge between two neighbours; symmetric. Two objects are joined where one is
        a neighbour of the other. An edge of length zero joins objects that coincide.
    weights : sparse array of shape (n, n)
        The weights of the method, :math:`\Omega` or :math:`w_{ij}`.
    cost_matrix : sparse array of shape (n, n)
        The matrix M of the cost: :math:`E = (I - \Omega)^\top (I - \Omega)`, or
        :math:`L = T - (w_{ij})`.
    t : float or None
        Scale of heat weights; None for all others.

    Notes
    -----
    Introduced in Chapter 11, A manifold method is a choice of Gram matrix, with T the diagonal
    matrix of the ``degrees``. The pseudo-inverse ``gram`` of the Laplacian L is the commute-time
    kernel: distances in it are square roots of mean travel times of the random walk on the graph,
    there and back, divided by the sum of the degrees. With ``normalized`` the axes are those of
    the same points with masses :math:`T_{ii}`: ``eigenvalues`` and ``spectrum()`` are then of
    :math:`T^{1/2} K T^{1/2}`, where K is ``gram`` with its origin at the weighted mean. In all
    other cases the Gram matrix gives the same axes, each multiplied by
    :math:`(\text{eigenvalue} / n)^{1/2}`, or :math:`\text{eigenvalue}^{1/2}`.
    """

    points: FloatArray = field(repr=False)
    graph: Graph = field(repr=False)
    weights: Graph = field(repr=False)
    cost_matrix: Graph = field(repr=False)
    t: float | None
    _balance: FloatArray = field(repr=False)
    _neighborhood: Neighborhood = field(repr=False)
    _place: Callable[[GraphCostEmbedding, Graph, FloatArray], FloatArray] = field(repr=False)

    @cached_property
    def costs(self) -> FloatArray:
        """The k smallest eigenvalues of the problem that are not zero, in ascending order."""
        return np.asarray(1 / self.eigenvalues)

    @cached_property
    def degrees(self) -> FloatArray:
        """Sums of the weights of each object, the diagonal of T, shape (n,)."""
        return np.asarray(self.weights.sum(axis=1), dtype=np.float64)

    @cached_property
    def gram(self) -> FloatArray:
        """Pseudo-inverse of the cost matrix; centred, since the cost of a shift is zero."""
        n = len(self.points)
        return pseudo_inverse(self.cost_matrix, np.full(n, n**-0.5))

    def transform(self, new: ArrayLike) -> FloatArray:
        r"""Place new objects through their neighbours, which are chosen as in the fit.

        Parameters
        ----------
        new : array_like of shape (m, p), or (m, n) where ``metric="precomputed"``
            New points; or dissimilarities to all training objects.

        Returns
        -------
        ndarray of shape (m, k)
            For locally linear embedding the sum of :math:`\omega_j y_j`, with the weights that
            write the new object by its neighbours. For Laplacian eigenmaps, with T the sum of the
            weights, :math:`\sum_j w_j f_j / (T\,(1 - \nu))`, or divided by :math:`T - \nu`
            without ``normalized``. A new object at distance zero from a training object takes its
            coordinates; of several, those of the first.

        Raises
        ------
        ValueError
            If `new` has the wrong number of columns or is not finite. For Laplacian eigenmaps
            also where a new object is so far away that its weights vanish or, without
            ``normalized``, sum to no more than a cost; with it, if a cost is 1, where the divisor
            is zero.

        Notes
        -----
        Derived in Chapter 11, A manifold method is a choice of Gram matrix. Source: Saul & Roweis
        (2003); Bengio et al. (2004).

        Examples
        --------
        >>> from kmds_lib import laplacian_eigenmaps
        >>> X = [[0.0], [1.0], [2.0], [3.0]]
        >>> fit = laplacian_eigenmaps(X, 1, radius=1.0, weights="binary")
        >>> fit.transform([[1.5]]).round(6) + 0.0
        array([[0.]])
        """
        checked = self._neighborhood.objects.checked_new(new)
        near = self._neighborhood.of(checked)
        Y = self._place(self, near, checked)
        rows, own = coincident(near)
        Y[rows] = self.points[own]
        return as_coordinates(Y, "new")

    def _full_spectrum(self) -> Spectrum:
        S = diags_array(self._balance)
        costs = all_eigenvalues((S @ self.cost_matrix @ S).toarray(), centred=False)[-2::-1]
        return Spectrum(np.append(1 / costs, 0.0))


def axes_of_least_cost(cost: Graph, balance: FloatArray, k: int, graph: Graph) -> Eigenpairs:
    """Return the axes that cost least, or none, with a warning, where all objects coincide.

    Parameters
    ----------
    cost, balance, k
        As `cheapest_axes` takes them.
    graph : sparse array of shape (n, n)
        Lengths of the edges. All of them are zero where all objects coincide: then the costs
        tell of the order of the data alone.

    Returns
    -------
    Eigenpairs

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> L, edges = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([[0.0, 3.0], [3.0, 0.0]])
    >>> axes_of_least_cost(csr_array(L), np.ones(2), 1, csr_array(edges)).values.round(6)
    array([0.5])
    """
    pairs = cheapest_axes(cost, balance, k)
    return pairs if graph.data.any() else keep_positive(replace(pairs, values=np.zeros(k)))
