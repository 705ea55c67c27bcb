"""Locally linear embedding: the weights that write each point by its neighbours are kept."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, eye_array

from kmds_lib._checks import EPS, FloatArray, Metric, check_n_components, check_number
from kmds_lib._fast.nearest_neighbors import Graph, Objects
from kmds_lib._graph_embedding import GraphCostEmbedding, axes_of_least_cost
from kmds_lib._labels import carry_labels
from kmds_lib._neighbor_graph import Neighborhood, closed_groups, joined_graph, symmetric_graph

__all__ = ["locally_linear_embedding"]

_SINGULAR = 16 * EPS**0.75
"""Smallest eigenvalue of a local Gram matrix of one neighbour that counts, and of its multiple for
more, relative to the trace."""


@carry_labels
def locally_linear_embedding(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int,
    regularization: float = 1e-3,
    metric: Metric = "euclidean",
) -> GraphCostEmbedding:
    r"""Keep the weights that write each point by its neighbours: locally linear embedding.

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
    GraphCostEmbedding
        Points, costs, ``weights``, ``cost_matrix``, ``gram``, and `transform`.

    Raises
    ------
    ValueError
        If `X` is not what `metric` says, a parameter is out of range, the weights are not
        determined, dissimilarities between neighbours are less Euclidean than `regularization`
        makes good, or several groups of objects have all their neighbours in the group, so that
        each could be moved at no cost.

    Warns
    -----
    FewerComponentsWarning
        If all objects coincide; there is no axis then, and `points` has shape (n, 0).

    Notes
    -----
    Derived in Chapter 11, A manifold method is a choice of Gram matrix. The cost
    :math:`\|Y - \Omega Y\|^2 = \operatorname{tr} Y^\top E Y` is minimised over centred coordinates
    with :math:`Y^\top Y = n I`: the solution holds the eigenvectors 2 to k + 1 of E from below.
    :math:`E \mathbf 1 = 0`, hence nothing is left to centre. As Gram matrix this library takes the
    pseudo-inverse of E. Ham, Lee, Mika & Schölkopf (2004) take :math:`\lambda_{\max} I - E`, which
    has the same eigenvectors in the same order; but there all leading eigenvalues are about
    :math:`\lambda_{\max}`, so that neither its spectrum nor its distances tell one axis from the
    next. Source: Roweis & Saul (2000); Saul & Roweis (2003).

    Examples
    --------
    >>> fit = locally_linear_embedding([[0.0], [1.0], [2.0], [3.0], [4.0]], 1, n_neighbors=2)
    >>> fit.weights.sum(axis=1).round(6)
    array([1., 1., 1., 1., 1.])
    """
    neighborhood = Neighborhood.checked(X, metric, n_neighbors)
    n = len(neighborhood)
    k = check_n_components(n_components, n - 1)
    regularization = check_number(regularization, "regularization")
    near = joined_graph(neighborhood, closed_groups)
    Omega = _local_weights(neighborhood.objects, near, regularization)
    rest = eye_array(n, format="csr") - Omega
    E = csr_array(rest.T @ rest)
    graph, balance = symmetric_graph(near), np.ones(n)
    pairs = axes_of_least_cost(E, balance, k, graph)
    Y = np.sqrt(n) * pairs.vectors
    place = partial(_by_neighbours, regularization)
    return GraphCostEmbedding(pairs, Y, graph, Omega, E, None, balance, neighborhood, place)


def _by_neighbours(
    regularization: float, fit: GraphCostEmbedding, near: Graph, new: FloatArray
) -> FloatArray:
    """Place new objects with the weights that write them by their neighbours."""
    Omega = _local_weights(fit._neighborhood.objects, near, regularization, new)
    return np.asarray(Omega @ fit.points)


def _local_weights(
    objects: Objects, near: Graph, regularization: float, new: FloatArray | None = None
) -> Graph:
    """Weights that write each row by its neighbours, and sum to one."""
    m, n = near.shape
    index = near.indices.reshape(m, near.nnz // max(m, 1))
    C = _local_grams(objects, index, near.data.reshape(index.shape), new)
    traces = np.trace(C, axis1=1, axis2=2)
    diagonal = np.arange(index.shape[1])
    added = np.where(traces > 0, regularization * traces, 1.0)
    C[:, diagonal, diagonal] += added[:, None]
    _refuse_saddles(C, added, "object {}" if new is None else "row {} of new")
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


def _refuse_saddles(C: FloatArray, added: FloatArray, name: str) -> None:
    """Refuse local Gram matrices that are not definite, with what was added to their diagonals.

    A saddle has no weights of least error, and a singular matrix does not determine them.
    """
    rounding = _SINGULAR * C.shape[1] * np.trace(C, axis1=1, axis2=2)
    shifted = C - rounding[:, None, None] * np.eye(C.shape[1])
    if _is_definite(shifted):
        return
    bad = [i for i, local in enumerate(shifted) if not _is_definite(local)]
    first, whose = bad[0], name.format(bad[0])
    if np.linalg.eigvalsh(C[first])[0] < added[first] - rounding[first]:
        raise ValueError(
            f"The dissimilarities of {whose} and its neighbours are not Euclidean ({len(bad)} "
            "such objects): no points have them, and no weights write it with the least error. "
            "Add additive_constant(D) to all but the diagonal, or take fewer neighbours or a "
            "larger regularization."
        )
    raise ValueError(
        f"The local Gram matrix of {whose} is singular ({len(bad)} such objects), so that its "
        "weights are not determined: with more neighbours than variables they never are. Give a "
        "larger regularization, such as 1e-3."
    )


def _is_definite(C: FloatArray) -> bool:
    """Tell whether one matrix, or every one of several, has a Cholesky factor."""
    try:
        np.linalg.cholesky(C)
    except np.linalg.LinAlgError:
        return False
    return True
