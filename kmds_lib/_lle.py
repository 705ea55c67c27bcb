"""Locally linear embedding: weights that reconstruct each point are preserved."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, eye_array

from kmds_lib._checks import EPS, FloatArray, Metric, check_count_up_to, check_number
from kmds_lib._fast.nearest_neighbors import Graph, Objects
from kmds_lib._graph_embedding import GraphCostEmbedding, smallest_cost_axes
from kmds_lib._labels import carry_labels
from kmds_lib._neighbor_graph import Neighborhood, closed_groups, connected_graph, symmetric_graph

__all__ = ["locally_linear_embedding"]

_SINGULAR_RTOL = 16 * EPS**0.75
"""Smallest eigenvalue per neighbour of a regular local Gram matrix, relative to its trace."""


@carry_labels
def locally_linear_embedding(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int,
    regularization: float = 1e-3,
    metric: Metric = "euclidean",
) -> GraphCostEmbedding:
    r"""Preserve the weights that reconstruct each point from its neighbours (LLE).

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Points, one in each row; or dissimilarities, not squared.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    n_neighbors : int
        Number of neighbours from which each object is reconstructed, from 1 to n - 1.
    regularization : float
        Multiple of the trace that is added to the diagonal of each local Gram matrix. With more
        neighbours than variables these matrices are singular, and it must be positive.
    metric : {"euclidean", "precomputed"}
        Contents of `X`: points, or dissimilarities.

    Returns
    -------
    GraphCostEmbedding
        Points, costs, ``weights``, ``cost_matrix``, ``gram``, and `transform`.

    Raises
    ------
    ValueError
        If `X` does not match `metric`, a parameter is out of range, the weights are not
        determined, dissimilarities between neighbours are too far from Euclidean for this
        `regularization`, or several groups of objects have all their neighbours in the group, so
        that each group could be moved at no cost.

    Warns
    -----
    FewerComponentsWarning
        If all objects coincide; then there is no axis, and `points` has shape (n, 0).

    Notes
    -----
    Derived in Chapter 11, Manifold methods. The cost :math:`\|Y - \Omega Y\|^2 = \operatorname{tr}
    Y^\top E Y` is minimised over centred coordinates with :math:`Y^\top Y = n I`. The columns of
    the solution are the eigenvectors of E for its k smallest eigenvalues after the first, which is
    zero because :math:`E \mathbf 1 = 0`. The Gram matrix of this library is the pseudo-inverse of
    E. Ham, Lee, Mika & Schölkopf (2004) take :math:`\lambda_{\max} I - E`, which has the same
    eigenvectors in the same order. However, all its leading eigenvalues are about
    :math:`\lambda_{\max}`, so that its spectrum and its distances do not distinguish the axes.
    Source: Roweis & Saul (2000); Saul & Roweis (2003).

    Examples
    --------
    >>> fit = locally_linear_embedding([[0.0], [1.0], [2.0], [3.0], [4.0]], 1, n_neighbors=2)
    >>> fit.weights.sum(axis=1).round(6)
    array([1., 1., 1., 1., 1.])
    """
    neighborhood = Neighborhood.checked(X, metric, n_neighbors)
    n = len(neighborhood)
    k = check_count_up_to(n_components, n - 1)
    regularization = check_number(regularization, "regularization")
    near = connected_graph(neighborhood, closed_groups)
    Omega = _local_weights(neighborhood.objects, near, regularization)
    errors = eye_array(n, format="csr") - Omega
    E = csr_array(errors.T @ errors)
    graph, scaling = symmetric_graph(near), np.ones(n)
    pairs = smallest_cost_axes(E, scaling, k, graph)
    Y = np.sqrt(n) * pairs.vectors
    place = partial(_place_by_weights, regularization)
    return GraphCostEmbedding(pairs, Y, graph, Omega, E, None, scaling, neighborhood, place)


def _place_by_weights(
    regularization: float, fit: GraphCostEmbedding, near: Graph, new: FloatArray
) -> FloatArray:
    """Place new objects with the weights that reconstruct them from their neighbours."""
    Omega = _local_weights(fit._neighborhood.objects, near, regularization, new)
    return np.asarray(Omega @ fit.points)


def _local_weights(
    objects: Objects, near: Graph, regularization: float, new: FloatArray | None = None
) -> Graph:
    """Return the weights that reconstruct each row from its neighbours; they sum to 1."""
    m, n = near.shape
    index = near.indices.reshape(m, near.nnz // max(m, 1))
    C = _local_grams(objects, index, near.data.reshape(index.shape), new)
    traces = np.trace(C, axis1=1, axis2=2)
    diagonal = np.arange(index.shape[1])
    added = np.where(traces > 0, regularization * traces, 1.0)
    C[:, diagonal, diagonal] += added[:, None]
    _check_definite(C, added, "object {}" if new is None else "row {} of new")
    w = np.linalg.solve(C, np.ones((*index.shape, 1)))[:, :, 0]
    w /= w.sum(axis=1, keepdims=True)
    return csr_array((w.ravel(), near.indices, near.indptr), shape=(m, n))


def _local_grams(
    objects: Objects, index: NDArray[Any], lengths: FloatArray, new: FloatArray | None
) -> FloatArray:
    """Return the Gram matrices of the differences between each object and its neighbours."""
    if not objects.precomputed:
        source = objects.data if new is None else new
        Z = objects.data[index] - source[:, None]
        return np.asarray(Z @ Z.transpose(0, 2, 1))
    squares = np.square(lengths)
    between = np.square(objects.data[index[:, :, None], index[:, None, :]])
    return np.asarray((squares[:, :, None] + squares[:, None, :] - between) / 2)


def _check_definite(C: FloatArray, added: FloatArray, name: str) -> None:
    """Check that the local Gram matrices are positive definite; `added` is on their diagonals.

    Otherwise no weights minimise the error, or a singular matrix does not determine them.
    """
    rounding = _SINGULAR_RTOL * C.shape[1] * np.trace(C, axis1=1, axis2=2)
    shifted = C - rounding[:, None, None] * np.eye(C.shape[1])
    if _is_definite(shifted):
        return
    bad = [i for i, local in enumerate(shifted) if not _is_definite(local)]
    first, which = bad[0], name.format(bad[0])
    if np.linalg.eigvalsh(C[first])[0] < added[first] - rounding[first]:
        raise ValueError(
            f"The dissimilarities of {which} and its neighbours are not Euclidean ({len(bad)} "
            "such objects), so that no weights minimise the error of its reconstruction. "
            "Add additive_constant(D) to all but the diagonal, or take fewer neighbours or a "
            "larger regularization."
        )
    raise ValueError(
        f"The local Gram matrix of {which} is singular ({len(bad)} such objects), so that its "
        "weights are not determined. This is always so with more neighbours than variables. Give "
        "a larger regularization, such as 1e-3."
    )


def _is_definite(C: FloatArray) -> bool:
    """Return True if the matrix, or every matrix of a stack, is positive definite."""
    try:
        np.linalg.cholesky(C)
    except np.linalg.LinAlgError:
        return False
    return True
