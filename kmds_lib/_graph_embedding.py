"""Embeddings that minimise a cost tr Y'MY over a neighbour graph.

Their Gram matrix is the pseudo-inverse of M, so that the axis of smallest cost has the largest
eigenvalue.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.sparse import csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from kmds_lib._coincident import coincident_groups, warn_coincident
from kmds_lib._eigen import (
    KRYLOV_PAIRS_DIVISOR,
    LARGEST_DENSE_ORDER,
    Eigenpairs,
    all_eigenvalues,
    leading_eigenpairs,
    leading_eigenpairs_of_operator,
    with_canonical_signs,
)
from kmds_lib._embedding import Embedding, Spectrum, keep_positive
from kmds_lib._nearest_neighbors import Graph
from kmds_lib._neighbor_graph import Neighborhood, coincident
from kmds_lib._rounding import EPS
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_coordinates

MIN_DENSE_FRACTION = 0.1
"""Fraction of non-zero entries from which on a cost matrix is treated as dense."""


@dataclass(frozen=True, eq=False, repr=False)
class GraphCostEmbedding(Embedding):
    r"""Result of `locally_linear_embedding` and `laplacian_eigenmaps`; see also `Embedding`.

    The ``costs`` are the eigenvalues of M in ascending order, from the second on. ``eigenvalues``
    are their inverses, which are eigenvalues of the Gram matrix, in descending order; the shares
    in ``explained_variance_ratio`` refer to them and not to a variance of the data.
    ``residual`` is the largest norm of M v - cost v, relative to the 1-norm of M.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Coordinates, in the scale of the method: :math:`Y^\top Y = n I` for locally linear
        embedding; :math:`F^\top T F = I` for Laplacian eigenmaps, or :math:`F^\top F = I` if
        they are not normalized.
    graph : sparse array of shape (n, n)
        Lengths of the edges between neighbours, as in `IsomapResult`.
    weights : sparse array of shape (n, n)
        Weights of the method, :math:`\Gamma` or :math:`w_{ij}`.
    cost_matrix : sparse array of shape (n, n)
        Matrix M of the cost: :math:`E = (I - \Gamma)^\top (I - \Gamma)`, or
        :math:`L = T - (w_{ij})`.
    t : float or None
        Scale of the heat weights; None for other weights.

    Notes
    -----
    Introduced in Chapter 11, Manifold methods, with T the diagonal matrix of the ``degrees``. The
    pseudo-inverse ``gram`` of the Laplacian L is the commute-time kernel: its squared distances
    are the mean commute times of the random walk on the graph, divided by the sum of the degrees.
    With ``normalized`` the axes are those of the same points with masses :math:`T_{ii}`:
    ``eigenvalues`` and ``spectrum()`` are those of :math:`T^{1/2} K T^{1/2}`, where K is ``gram``
    with its origin at the weighted mean. In all other cases the Gram matrix gives the same axes,
    each multiplied by :math:`(\text{eigenvalue} / n)^{1/2}`, or :math:`\text{eigenvalue}^{1/2}`.
    """

    _printed = ("costs",)
    points: FloatArray = field()  # required: the inherited property is not its default
    graph: Graph
    weights: Graph
    cost_matrix: Graph
    t: float | None
    _scaling: FloatArray
    _neighborhood: Neighborhood
    _coordinates_of_new: Callable[[GraphCostEmbedding, Graph, FloatArray], FloatArray]

    @cached_property
    def costs(self) -> FloatArray:
        """Return the k smallest non-zero eigenvalues of the problem, in ascending order."""
        return 1 / self.eigenvalues

    @cached_property
    def degrees(self) -> FloatArray:
        """Return the sum of the weights of each object, the diagonal of T, shape (n,)."""
        return np.asarray(self.weights.sum(axis=1), dtype=np.float64)

    @cached_property
    def gram(self) -> FloatArray:
        """Return the pseudo-inverse of the cost matrix, which is centred."""
        n = len(self.points)
        return pseudo_inverse(self.cost_matrix, np.full(n, n**-0.5))

    def transform(self, new: ArrayLike) -> FloatArray:
        r"""Place new objects by their neighbours, which are found as in the fit.

        Parameters
        ----------
        new : array_like of shape (m, p), or (m, n) where ``metric="precomputed"``
            New points; or dissimilarities to all training objects.

        Returns
        -------
        ndarray of shape (m, k)
            For locally linear embedding the sum of :math:`\gamma_j y_j`, with the weights that
            reconstruct the new object from its neighbours. For Laplacian eigenmaps, with T the sum
            of the weights, :math:`\sum_j w_j f_j / (T\,(1 - \nu))`, or divided by
            :math:`T - \nu` without ``normalized``. A new object at distance zero from a training
            object has its coordinates; if there are several, the mean of theirs.

        Raises
        ------
        ValueError
            As in `IsomapResult.transform`. For Laplacian eigenmaps also if a new object is so far
            away that its weights vanish or, without ``normalized``, sum to no more than a cost;
            with ``normalized``, if a cost is 1, so that the divisor is zero.

        Warns
        -----
        UserWarning
            If a new object is at distance zero from training objects with different points.

        Notes
        -----
        Derived in Chapter 11, Manifold methods. Source: Saul & Roweis (2003); Bengio et al.
        (2004).

        Examples
        --------
        >>> from kmds_lib import laplacian_eigenmaps
        >>> X = [[0.0], [1.0], [2.0], [3.0]]
        >>> fit = laplacian_eigenmaps(X, 1, n_neighbors=2)
        >>> fit.transform([[1.5]]).round(6) + 0.0
        array([[0.]])
        """
        self._check_columns(new)
        training = self._neighborhood.objects
        checked = training.checked_new(new)
        graph = self._neighborhood.graph(checked)
        Y = self._coordinates_of_new(self, graph, checked)
        rows, first = coincident(graph)
        Y[rows] = self.points[first]
        points = None if training.precomputed else training.data
        groups = coincident_groups(rows, first, checked, points)
        for row, objects in groups.items():
            Y[row] = self.points[objects].mean(axis=0)
        warn_coincident(groups, self.points)
        return as_coordinates(Y)

    @cached_property
    def _spectrum(self) -> Spectrum:
        S = diags_array(self._scaling)
        costs = all_eigenvalues((S @ self.cost_matrix @ S).toarray(), centring=False)[-2::-1]
        return Spectrum(np.append(1 / costs, 0.0))


def pseudo_inverse(M: Graph, null: FloatArray) -> FloatArray:
    """Return the pseudo-inverse of a semidefinite matrix whose null space is spanned by `null`."""
    shift = float(M.diagonal().mean())
    shifted = M.toarray(order="F")
    shifted += shift * np.outer(null, null)
    try:
        factor = linalg.cho_factor(shifted, lower=True, overwrite_a=True)
    except linalg.LinAlgError:
        raise _disconnected_error() from None
    K = linalg.cho_solve(factor, np.eye(len(null), order="F"), overwrite_b=True)
    K -= np.outer(null, null) / shift
    return 0.5 * (K + K.T)


def smallest_cost_axes(cost: Graph, scaling: FloatArray, k: int, graph: Graph) -> Eigenpairs:
    """Return the k leading eigenpairs of the pseudo-inverse of S M S, S = diag(scaling), M 1 = 0.

    Small or dense matrices are inverted. For the others, a Krylov method applies the
    pseudo-inverse by a sparse factor. If all edges have length zero, all objects coincide and the
    costs depend only on the order of the data: there is no axis then, and a warning says so.
    """
    n = len(scaling)
    S = diags_array(scaling)
    M = cost if (scaling == 1).all() else csr_array(S @ cost @ S)
    null = 1 / (scaling * linalg.norm(1 / scaling))
    size = float(abs(M).sum(axis=0).max())
    _check_connected(M, size)
    pairs = None
    is_sparse = M.nnz < MIN_DENSE_FRACTION * n * n
    if n > LARGEST_DENSE_ORDER and k * KRYLOV_PAIRS_DIVISOR <= n and is_sparse:
        pairs = leading_eigenpairs_of_operator(_sparse_pseudo_inverse(M, null), null[:, None], k)
    if pairs is None:
        pairs = leading_eigenpairs(pseudo_inverse(M, null), k, centring=False)
    if not 0 < pairs.values[0] * size < 1 / (16 * n * EPS):
        raise _disconnected_error()
    vectors = with_canonical_signs(scaling[:, None] * pairs.vectors) / scaling[:, None]
    residual = float(linalg.norm(M @ vectors - vectors / pairs.values, axis=0).max()) / size
    pairs = replace(pairs, vectors=vectors, residual=residual)
    return pairs if graph.data.any() else keep_positive(replace(pairs, values=np.zeros(k)))


def _check_connected(M: Graph, size: float) -> None:
    """Check that the entries of M above the rounding errors of its norm connect all objects.

    If it does not, M has a second eigenvalue that is zero to rounding: that of a vector which is a
    multiple of the null vector on each of two components. Unlike the sparse factor, this check
    does not depend on rounding errors, which can hide such an eigenvalue.
    """
    data = np.where(np.abs(M.data) > EPS * size, M.data, 0.0)
    kept = csr_array((data, M.indices.copy(), M.indptr.copy()), shape=M.shape)
    kept.eliminate_zeros()
    if connected_components(kept, directed=False)[0] > 1:
        raise _disconnected_error()


def _sparse_pseudo_inverse(M: Graph, null: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return the function v -> M^+ v, by a sparse factor of M without its last row and column.

    Without them the matrix is positive definite. A pivot that is not positive is a rounding error
    of zero: then M has a second eigenvalue that is zero to rounding.
    """
    options = {"SymmetricMode": True}
    try:
        factor = splu(M[:-1, :-1].tocsc(), "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    except RuntimeError:
        raise _disconnected_error() from None
    if not (factor.U.diagonal() > 0).all():
        raise _disconnected_error()

    def apply(v: FloatArray) -> FloatArray:
        b = v - null * (null @ v)
        x = np.append(factor.solve(b[:-1]), 0.0)
        return np.asarray(x - null * (null @ x))

    return apply


def _disconnected_error() -> ValueError:
    return ValueError(
        "More than one eigenvalue of the cost matrix is zero to rounding, so that the axes are "
        "not determined: the weights that connect the graph are too small. Take more "
        "neighbours, or a larger t or regularization."
    )
