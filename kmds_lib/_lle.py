"""Locally linear embedding: weights that reconstruct each point are preserved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, eye_array

from kmds_lib._graph_embedding import GraphCostEmbedding, smallest_cost_axes
from kmds_lib._labels import store_labels
from kmds_lib._messages import plural
from kmds_lib._metrics import MetricOrPrecomputed
from kmds_lib._nearest_neighbors import Graph, TrainingObjects
from kmds_lib._neighbor_graph import (
    Neighborhood,
    closed_groups,
    coincident,
    connected_graph,
    symmetric_graph,
)
from kmds_lib._parameters import check_dimensions, check_number
from kmds_lib._rounding import EPS
from kmds_lib._types import FloatArray

_SINGULAR_RTOL = 16 * EPS**0.75
"""Smallest eigenvalue per neighbour of a regular local Gram matrix, relative to its trace."""

BLOCK_ENTRIES = 2**20
"""Number of entries of a block of local Gram matrices (8 MiB)."""


@store_labels()
def locally_linear_embedding(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int | None = None,
    radius: float | None = None,
    regularization: float = 1e-3,
    metric: MetricOrPrecomputed = "euclidean",
    metric_params: dict[str, Any] | None = None,
) -> GraphCostEmbedding:
    r"""Preserve the weights that reconstruct each point from its neighbours (LLE).

    Parameters
    ----------
    X, radius, metric, metric_params
        As in `isomap`.
    n_components : int
        As in `laplacian_eigenmaps`.
    n_neighbors : int, optional
        Number of neighbours from which each object is reconstructed, from 1 to n - 1.
    regularization : float
        Non-negative multiple of the trace that is added to the diagonal of each local Gram matrix.
        With more neighbours than variables these matrices are singular, and it must be positive.

    Returns
    -------
    GraphCostEmbedding
        Points, costs, ``weights``, ``cost_matrix``, ``gram``, and `transform`.

    Raises
    ------
    ValueError
        As in `isomap`, except that the graph need not be connected; also if the weights are not
        determined, dissimilarities between neighbours are too far from Euclidean for this
        `regularization`, or several groups of objects have all their neighbours in the group,
        so that each group could be moved at no cost.

    Warns
    -----
    FewerComponentsWarning
        As in `laplacian_eigenmaps`.

    Notes
    -----
    Derived in Chapter 11, Manifold methods. The cost :math:`\|Y - \Gamma Y\|^2 = \operatorname{tr}
    Y^\top E Y` is minimised over centred coordinates with :math:`Y^\top Y = n I`. The columns of
    the solution are the eigenvectors of E for its k smallest eigenvalues after the first, which is
    zero because :math:`E \mathbf 1 = 0`. The Gram matrix of this library is the pseudo-inverse of
    E. Ham, Lee, Mika & Schölkopf (2004) take :math:`\lambda_{\max} I - E`, which has the same
    eigenvectors in the same order. However, all its leading eigenvalues are about
    :math:`\lambda_{\max}`, so that its spectrum and its distances do not distinguish the axes.
    The weights of an object depend on the dissimilarities between its neighbours. For a metric
    that is not Euclidean they may need a large `regularization`. They are computed in blocks of
    objects, so that the memory does not grow with the square of the number of neighbours.
    Source: Roweis & Saul (2000); Saul & Roweis (2003).

    Examples
    --------
    >>> fit = locally_linear_embedding([[0.0], [1.0], [2.0], [3.0], [4.0]], 1, n_neighbors=2)
    >>> fit.weights.sum(axis=1).round(6)
    array([1., 1., 1., 1., 1.])
    """
    neighborhood = Neighborhood.checked(X, metric, n_neighbors, radius, metric_params)
    n = len(neighborhood)
    k = check_dimensions(n_components, n - 1)
    regularization = check_number(regularization, "regularization")
    edges = connected_graph(neighborhood, closed_groups)
    Gamma = _local_weights(neighborhood.objects, edges, regularization)
    I_minus_Gamma = eye_array(n, format="csr") - Gamma
    E = csr_array(I_minus_Gamma.T @ I_minus_Gamma)
    graph, scaling = symmetric_graph(edges), np.ones(n)
    pairs = smallest_cost_axes(E, scaling, k, graph)
    Y = np.sqrt(n) * pairs.vectors
    place = partial(_place_by_weights, regularization)
    return GraphCostEmbedding(pairs, Y, graph, Gamma, E, None, scaling, neighborhood, place)


def _place_by_weights(
    regularization: float, fit: GraphCostEmbedding, edges: Graph, new: FloatArray
) -> FloatArray:
    """Place new objects with the weights that reconstruct them from their neighbours."""
    Gamma = _local_weights(fit._neighborhood.objects, edges, regularization, new)
    return np.asarray(Gamma @ fit.points)


def _local_weights(
    objects: TrainingObjects, edges: Graph, regularization: float, new: FloatArray | None = None
) -> Graph:
    """Return the weights that reconstruct each row from its neighbours; they sum to 1."""
    weights, singular = np.empty(edges.nnz), [np.empty(0, dtype=np.intp)]
    for rows, entries in _blocks(edges, objects):
        local = _LocalProblems(objects, edges, rows, entries, regularization, new)
        weights[entries], bad = local.weights()
        singular.append(rows[bad])
    bad_rows = np.sort(np.concatenate(singular))
    if new is not None:  # a row at distance 0 from a training object takes its coordinates
        bad_rows = np.setdiff1d(bad_rows, coincident(edges)[0])
    if len(bad_rows):
        first = bad_rows[:1]
        entries = np.arange(*edges.indptr[first[0] : first[0] + 2])[None]
        local = _LocalProblems(objects, edges, first, entries, regularization, new)
        name = f"object {first[0]}" if new is None else f"row {first[0]} of new"
        raise local.error(name, len(bad_rows))
    return csr_array((weights, edges.indices, edges.indptr), shape=edges.shape)


def _blocks(
    edges: Graph, objects: TrainingObjects
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield blocks of rows that have the same number k of neighbours, and their graph entries.

    The entries have shape (rows, k). A block of Gram matrices or differences is at most 8 MiB.
    """
    counts, variables = np.diff(edges.indptr), 1 if objects.precomputed else objects.data.shape[1]
    for k in np.unique(counts):
        alike = np.flatnonzero(counts == k)
        height = max(1, BLOCK_ENTRIES // int(k * max(k, variables)))
        for start in range(0, len(alike), height):
            rows = alike[start : start + height]
            yield rows, edges.indptr[rows, None].astype(np.intp) + np.arange(k)


class _LocalProblems:
    """The least-squares problems of some rows with the same number of neighbours.

    Row i minimises ||sum_j w_j (x_j - x_i)||^2 + r ||w||^2 for weights that sum to 1, where r is
    the regularization times the trace of the local Gram matrix. The weights are proportional to
    the solution of C w = 1, where C is the Gram matrix with r added to its diagonal.
    """

    def __init__(
        self,
        objects: TrainingObjects,
        edges: Graph,
        rows: NDArray[np.intp],
        entries: NDArray[np.intp],
        regularization: float,
        new: FloatArray | None,
    ) -> None:
        self.index, self.lengths = edges.indices[entries], edges.data[entries]
        self.objects, self.regularization = objects, regularization
        self.origins = (objects.data if new is None else new)[rows]

    def weights(self) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return the weights, and True for each row whose weights are not determined."""
        k, bad = self.index.shape[1], np.zeros(len(self.index), dtype=bool)
        regular = self.regularization > 2 * _SINGULAR_RTOL * k
        if regular and not self.objects.precomputed and self.objects.data.shape[1] < k:
            w = self._weights_by_svd()
        else:
            C, _ = self.grams()
            bad = ~_are_definite(C - _rounding(C)[:, None, None] * np.eye(k))
            C[bad] = np.eye(k)
            w = np.asarray(np.linalg.solve(C, np.ones((len(C), k, 1)))[:, :, 0], dtype=np.float64)
        return w / w.sum(axis=1, keepdims=True), bad

    def grams(self) -> tuple[FloatArray, FloatArray]:
        """Return the regularised Gram matrices, and the numbers added to their diagonals."""
        if self.objects.precomputed:
            squares, index = np.square(self.lengths), self.index
            C = -np.square(self.objects.data[index[:, :, None], index[:, None, :]])
            C += squares[:, :, None] + squares[:, None, :]
            C /= 2
        else:
            Z = self._differences()
            C = np.asarray(Z @ Z.transpose(0, 2, 1))
        added = self._added(np.trace(C, axis1=1, axis2=2))
        diagonal = np.arange(C.shape[1])
        C[:, diagonal, diagonal] += added[:, None]
        return C, added

    def error(self, name: str, count: int) -> ValueError:
        """Return the error for the first of `count` rows whose weights are not determined."""
        C, added = self.grams()
        if np.linalg.eigvalsh(C[0])[0] < added[0] - _rounding(C)[0]:
            return ValueError(
                f"The dissimilarities of {name} and its neighbours are not Euclidean "
                f"({plural(count, 'such object')}), so that no weights minimise the error of its "
                "reconstruction. Add additive_constant(D) to all but the diagonal, or take fewer "
                "neighbours or a larger regularization."
            )
        return ValueError(
            f"The local Gram matrix of {name} is singular ({plural(count, 'such object')}), so "
            "that its weights are not determined. This is always so with more neighbours than "
            "variables. Give a larger regularization, such as 1e-3."
        )

    def _weights_by_svd(self) -> FloatArray:
        """Return r (Z Z' + r I)^{-1} 1 from the singular value decomposition of Z.

        Z, the differences between the neighbours and the row, has fewer columns than rows.
        """
        U, s, _ = np.linalg.svd(self._differences(), full_matrices=False)
        squares = np.square(s)
        r = self._added(squares.sum(axis=1))
        shares = squares / (squares + r[:, None]) * U.sum(axis=1)
        return np.asarray(1 - (U @ shares[:, :, None])[:, :, 0])

    def _differences(self) -> FloatArray:
        return np.asarray(self.objects.data[self.index] - self.origins[:, None])

    def _added(self, traces: FloatArray) -> FloatArray:
        return np.where(traces > 0, self.regularization * traces, 1.0)


def _rounding(C: FloatArray) -> FloatArray:
    """Return the size of an eigenvalue that is a rounding error, for each matrix."""
    return np.asarray(_SINGULAR_RTOL * C.shape[1] * np.trace(C, axis1=1, axis2=2))


def _are_definite(C: FloatArray) -> NDArray[np.bool_]:
    """Return True for each positive definite matrix."""
    try:
        np.linalg.cholesky(C)
    except np.linalg.LinAlgError:
        if len(C) == 1:
            return np.zeros(1, dtype=bool)
        return np.concatenate([_are_definite(C[i : i + 1]) for i in range(len(C))])
    return np.ones(len(C), dtype=bool)
