"""Maximum variance unfolding: the Gram matrix itself is asked for, as a semidefinite programme."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from kmds_lib._checks import FloatArray, Metric, check_n_components, check_number, check_option
from kmds_lib._eigen import all_eigenvalues, centre, leading_eigenpairs
from kmds_lib._embedding import Embedding, Spectrum, keep_positive
from kmds_lib._fast.nearest_neighbors import Graph
from kmds_lib._labels import carry_labels
from kmds_lib._neighbor_graph import Neighborhood, joined_graph, symmetric_graph

__all__ = ["MaximumVarianceUnfoldingResult", "maximum_variance_unfolding"]

Constraints = Literal["edges", "two_steps"]


@dataclass(frozen=True, eq=False)
class MaximumVarianceUnfoldingResult(Embedding):
    """What `maximum_variance_unfolding` returns; see `Embedding` for its other attributes.

    `spectrum` and `negative_mass` are those of the matrix that the solver returned: what is
    negative there is its error.

    Attributes
    ----------
    graph : sparse array of shape (n, n)
        Length of the edge between two neighbours; symmetric.
    gram : ndarray of shape (n, n)
        The centred Gram matrix that solves the semidefinite programme.
    violation : float
        Largest error of a squared distance that was to be kept, relative to their mean.
    """

    graph: Graph = field(repr=False)
    gram: FloatArray = field(repr=False)
    violation: float

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
        return Spectrum(all_eigenvalues(self.gram, centred=False))


@carry_labels
def maximum_variance_unfolding(
    X: ArrayLike,
    n_components: int = 2,
    *,
    n_neighbors: int,
    constraints: Constraints = "two_steps",
    tolerance: float = 1e-3,
    metric: Metric = "euclidean",
) -> MaximumVarianceUnfoldingResult:
    r"""Pull points as far apart as distances to neighbours allow: maximum variance unfolding.

    Parameters
    ----------
    X : array_like of shape (n, p), or (n, n) where ``metric="precomputed"``
        Points, one in each row; or dissimilarities, not squared. A few hundred objects at most.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    n_neighbors : int
        Join each object to so many nearest others; from 1 to n - 1.
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
    Derived in Chapter 11, A manifold method is a choice of Gram matrix. The trace of a centred
    Gram matrix :math:`B \succeq 0` is maximised under
    :math:`b_{ii} + b_{jj} - 2 b_{ij} = d_{ij}^2`. The solver is SCS, a method of first order: its
    steps are cheap and many. The programme is written for the Gram matrix with its origin at the
    first object, because the centred one is singular, which costs SCS steps. Source: Weinberger,
    Sha & Saul (2004).

    Examples
    --------
    >>> fit = maximum_variance_unfolding(
    ...     [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]], 1, n_neighbors=1, constraints="edges"
    ... )
    >>> fit.points.round(2).ravel()
    array([-1.33, -0.33,  1.67])
    """
    neighborhood = Neighborhood.checked(X, metric, n_neighbors)
    k = check_n_components(n_components, len(neighborhood) - 1)
    tolerance = check_number(tolerance, "tolerance", positive=True)
    graph = symmetric_graph(joined_graph(neighborhood))
    i, j = _kept_pairs(graph, constraints)
    squares = np.square(neighborhood.objects.between(i, j))
    unit = float(squares.mean()) or 1.0
    seen_from_first = _unfold(len(neighborhood), i, j, squares / unit, tolerance)
    B = centre(unit * np.pad(seen_from_first, ((1, 0), (1, 0))))
    violation = float(np.abs(B[i, i] + B[j, j] - 2 * B[i, j] - squares).max()) / unit
    pairs = keep_positive(leading_eigenpairs(B, k, centred=False))
    pairs = replace(pairs, solver=f"SCS, then {pairs.solver}")
    return MaximumVarianceUnfoldingResult(pairs, graph, B, violation)


def _kept_pairs(
    graph: Graph, constraints: Constraints
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs i < j whose distances are kept."""
    check_option(constraints, Constraints, "constraints")
    joined = csr_array((np.ones_like(graph.data), graph.indices, graph.indptr), graph.shape)
    if constraints == "two_steps":
        joined = csr_array(joined + joined @ joined)
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(joined.indptr))
    upper = rows < joined.indices
    return rows[upper], joined.indices[upper].astype(np.intp)


def _unfold(
    n: int, i: NDArray[np.intp], j: NDArray[np.intp], squares: FloatArray, tolerance: float
) -> FloatArray:
    """Return the Gram matrix of the objects 1, ..., n - 1 as seen from object 0."""
    cvxpy = _cvxpy()
    if not squares.any():
        return np.zeros((n - 1, n - 1))
    Z = cvxpy.Variable((n - 1, n - 1), PSD=True)
    own, first = cvxpy.diag(Z), i == 0
    low, high = i[~first] - 1, j[~first] - 1
    kept = [own[j[first] - 1] == squares[first]]
    if len(low):
        kept.append(own[low] + own[high] - 2 * Z[low, high] == squares[~first])
    spread = cvxpy.Maximize(cvxpy.trace(Z) - cvxpy.sum(Z) / n)
    _solve_by_scs(cvxpy.Problem(spread, kept), tolerance)
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
    """Solve a programme, in place: by the parts of its `solve`, which warns where this refuses."""
    data, chain, inverse = problem.get_problem_data("SCS")
    settings = {"eps_abs": tolerance, "eps_rel": tolerance, "scale": 1.0}
    found = chain.invert(chain.solve_via_data(problem, data, solver_opts=settings), inverse)
    if found.status == "infeasible":
        raise ValueError(
            "No points have the distances to be kept: the dissimilarities between neighbours are "
            "not Euclidean. Take fewer neighbours, or constraints='edges'."
        )
    if found.status != "optimal":
        raise ValueError(
            f"The solver stopped with the status {found.status!r}: take a larger tolerance "
            f"than {tolerance:g}, or constraints='two_steps'."
        )
    problem.unpack(found)
