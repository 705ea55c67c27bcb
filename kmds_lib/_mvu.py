"""Maximum variance unfolding: the Gram matrix solves a semidefinite program."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from kmds_lib._eigen import all_eigenvalues, double_centre
from kmds_lib._embedding import Embedding, Spectrum, check_components, positive_eigenpairs
from kmds_lib._labels import store_labels
from kmds_lib._metrics import MetricOrPrecomputed
from kmds_lib._nearest_neighbors import Graph
from kmds_lib._neighbor_graph import Neighborhood, connected_graph, symmetric_graph
from kmds_lib._parameters import check_number, check_option
from kmds_lib._types import FloatArray

Constraints = Literal["edges", "two_steps"]


@dataclass(frozen=True, eq=False, repr=False)
class MaximumVarianceUnfoldingResult(Embedding):
    """Result of `maximum_variance_unfolding`; see `Embedding` for its other attributes.

    `spectrum` and `negative_mass` are those of the matrix that the solver returned. Negative
    eigenvalues are errors of the solver.

    Attributes
    ----------
    graph : sparse array of shape (n, n)
        Lengths of the edges between neighbours; symmetric.
    gram : ndarray of shape (n, n)
        The centred Gram matrix that solves the semidefinite program.
    violation : float
        Largest error of a constrained squared distance, relative to their mean.
    """

    _printed = ("eigenvalues", "violation")
    graph: Graph
    gram: FloatArray
    violation: float

    def transform(self, new: ArrayLike) -> FloatArray:
        """Raise NotImplementedError, because there is no formula for new objects."""
        raise NotImplementedError(
            "Maximum variance unfolding has no formula for new objects: solve it again with them, "
            "or take isomap, whose Gram matrix comes from distances."
        )

    @cached_property
    def _spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self.gram, centring=False))


@store_labels()
def maximum_variance_unfolding(
    X: ArrayLike,
    n_components: int | float = 2,
    *,
    n_neighbors: int | None = None,
    radius: float | None = None,
    constraints: Constraints = "two_steps",
    tolerance: float = 1e-3,
    metric: MetricOrPrecomputed = "euclidean",
    metric_params: dict[str, Any] | None = None,
) -> MaximumVarianceUnfoldingResult:
    r"""Maximise the variance while keeping the distances between neighbours.

    Parameters
    ----------
    X, n_neighbors, radius, metric, metric_params
        As in `isomap`; a few hundred objects at most.
    n_components : int or float
        As in `classical_scaling`.
    constraints : {"edges", "two_steps"}
        Keep the distances between neighbours, or also those between objects with a common
        neighbour, which preserves angles as well and needs far fewer steps.
    tolerance : float
        Positive relative and absolute accuracy of the solver. For 150 points on a Swiss roll, 1e-3
        takes some seconds, and the trace is within 1% of that at 1e-4, which takes several times
        as long.

    Returns
    -------
    MaximumVarianceUnfoldingResult
        Points, eigenvalues, ``gram``, ``graph``, and the ``violation`` of the constraints.

    Raises
    ------
    ImportError
        If cvxpy is not installed.
    ValueError
        As in `isomap`, or if no points have the constrained distances, or the solver does not
        converge.

    Warns
    -----
    FewerComponentsWarning
        As in `classical_scaling`.

    Notes
    -----
    Derived in Chapter 11, Manifold methods. The trace of a centred Gram matrix :math:`B \succeq 0`
    is maximised under :math:`b_{ii} + b_{jj} - 2 b_{ij} = d_{ij}^2`. The solver is SCS, a
    first-order method that takes many cheap steps. It computes the Gram matrix with its origin at
    the first object, because the centred one is singular and would need more steps.
    Source: Weinberger, Sha & Saul (2004).

    Examples
    --------
    >>> fit = maximum_variance_unfolding(
    ...     [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]], 1, n_neighbors=1, constraints="edges"
    ... )
    >>> fit.points.round(2).ravel()
    array([-1.33, -0.33,  1.67])
    """
    neighborhood = Neighborhood.checked(X, metric, n_neighbors, radius, metric_params)
    check_components(n_components, len(neighborhood) - 1)
    tolerance = check_number(tolerance, "tolerance", positive=True)
    graph = symmetric_graph(connected_graph(neighborhood))
    i, j = _constrained_pairs(graph, constraints)
    squares = np.square(neighborhood.objects.between(i, j))
    scale = float(squares.mean()) or 1.0
    Z = _solve_program(len(neighborhood), i, j, squares / scale, tolerance)
    B = double_centre(scale * np.pad(Z, ((1, 0), (1, 0))))
    violation = float(np.abs(B[i, i] + B[j, j] - 2 * B[i, j] - squares).max()) / scale
    pairs = positive_eigenpairs(B, n_components, centring=False)
    pairs = replace(pairs, solver=f"SCS, then {pairs.solver}")
    return MaximumVarianceUnfoldingResult(pairs, graph, B, violation)


def _constrained_pairs(
    graph: Graph, constraints: Constraints
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the pairs i < j whose distances are preserved."""
    check_option(constraints, Constraints, "constraints")
    joined = csr_array((np.ones_like(graph.data), graph.indices, graph.indptr), graph.shape)
    if constraints == "two_steps":
        joined = csr_array(joined + joined @ joined)
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(joined.indptr))
    upper = rows < joined.indices
    return rows[upper], joined.indices[upper].astype(np.intp)


def _solve_program(
    n: int, i: NDArray[np.intp], j: NDArray[np.intp], squares: FloatArray, tolerance: float
) -> FloatArray:
    """Return the Gram matrix of the objects 1, ..., n - 1 with the origin at object 0."""
    cvxpy = _cvxpy()
    if not squares.any():
        return np.zeros((n - 1, n - 1))
    Z = cvxpy.Variable((n - 1, n - 1), PSD=True)
    diagonal, with_origin = cvxpy.diag(Z), i == 0
    a, b = i[~with_origin] - 1, j[~with_origin] - 1
    constraints = [diagonal[j[with_origin] - 1] == squares[with_origin]]
    if len(a):
        constraints.append(diagonal[a] + diagonal[b] - 2 * Z[a, b] == squares[~with_origin])
    variance = cvxpy.Maximize(cvxpy.trace(Z) - cvxpy.sum(Z) / n)
    _solve_by_scs(cvxpy.Problem(variance, constraints), tolerance)
    return np.asarray(0.5 * (Z.value + Z.value.T))


def _cvxpy() -> Any:
    try:
        return importlib.import_module("cvxpy")
    except ImportError:
        raise ImportError(
            "Maximum variance unfolding needs cvxpy, which is not installed: "
            'pip install "kmds_lib[unfolding]".'
        ) from None


def _solve_by_scs(problem: Any, tolerance: float) -> None:
    """Solve a problem of cvxpy in place; raise if the solver fails.

    `problem.solve` would warn instead of raising.
    """
    data, chain, inverse = problem.get_problem_data("SCS")
    settings = {"eps_abs": tolerance, "eps_rel": tolerance, "scale": 1.0}
    solution = chain.invert(chain.solve_via_data(problem, data, solver_opts=settings), inverse)
    if solution.status == "infeasible":
        raise ValueError(
            "No points have the constrained distances: the dissimilarities between neighbours are "
            "not Euclidean. Take fewer neighbours, or constraints='edges'."
        )
    if solution.status != "optimal":
        raise ValueError(
            f"The solver stopped with the status {solution.status!r}: take a larger tolerance "
            f"than {tolerance:g}, or constraints='two_steps'."
        )
    problem.unpack(solution)
