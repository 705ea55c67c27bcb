"""SMACOF and Sammon's mapping: configurations of minimum stress, by majorisation.

The raw stress is the sum of w_ij (d_ij - dhat_ij)^2 over ordered pairs, where the disparities dhat
are the dissimilarities themselves or a transformation that is fitted to the distances. A quadratic
function majorises the stress: it is at least the stress and equals it at the current
configuration. Its minimum is the Guttman transform, which therefore never raises the stress
(de Leeuw 1977).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._disparities import Shepard, Ties, Transform, disparities_of, warn_degenerate
from kmds_lib._fast.point_placement import place_by_least_stress
from kmds_lib._fast.stress import (
    Disparities,
    FittedDisparities,
    StressFunction,
    WeightedDissimilarities,
)
from kmds_lib._fast.stress_descent import Descent, descend_past_saddle
from kmds_lib._initial_configurations import StressStart, initial_configurations
from kmds_lib._labels import Labelled, store_labels
from kmds_lib._messages import NotConvergedWarning, plural, warn_caller
from kmds_lib._parameters import check_count, check_dimensions, check_number
from kmds_lib._rounding import EPS, rounding_tolerance
from kmds_lib._stress_input import check_connected, check_new_rows, check_no_duplicates
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_dissimilarities


@dataclass(frozen=True, eq=False, repr=False)
class StressResult(Labelled):
    r"""Result of `smacof` and `sammon`.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Centred coordinates. The start determines their orientation.
    dissimilarities : ndarray of shape (n, n)
        The given dissimilarities; NaN where the weight is zero.
    raw_stress : float
        Sum of :math:`w\, (d - \text{disparity})^2` over ordered pairs; Sammon's weights are
        :math:`1 / \delta`.
    stress : float
        For `smacof` Kruskal's stress-1: the root of `raw_stress` divided by the sum of
        :math:`w\, d^2`. For `sammon` Sammon's stress: `raw_stress` divided by the sum of delta.
    stress_per_point : ndarray of shape (n,)
        Share of each object in the raw stress: half the stress of its pairs, relative to the
        total. The shares sum to 1, or are all 0 if the stress is 0.
    history : ndarray of shape (n_iter + 1,)
        Raw stress, or Sammon's stress, at the start and after each step; it never rises.
    converged : bool
        True if the Guttman transform moved the points by at most `tol` of their norm, stress-1 or
        the root of Sammon's stress is at most `tol`, or rounding stopped the descent.
    nudged : bool
        True if the descent first ended at a saddle, or before the minimum, so that it reached a
        clearly lower stress after a small perturbation. Relative to the norm of the points, the
        perturbation is ten times `tol`, but at least 1/1000 and at most 1/100.
    local_minima : ndarray of shape (n_init,)
        The final `stress` of each start: first that of `init`, then those of the random starts.
    """

    _printed = ("stress", "converged")
    points: FloatArray
    dissimilarities: FloatArray
    raw_stress: float
    stress: float
    stress_per_point: FloatArray
    history: FloatArray
    converged: bool
    nudged: bool
    local_minima: FloatArray
    _disparities: FittedDisparities
    _sammon: bool

    @property
    def n_iter(self) -> int:
        """Return the number of steps."""
        return len(self.history) - 1

    @cached_property
    def disparities(self) -> FloatArray:
        """Return the dissimilarities or their fitted transform, shape (n, n); NaN at weight 0."""
        D = self.dissimilarities
        return np.where(np.isnan(D), np.nan, self._disparities.block(D, 0, len(D)))

    def shepard(self) -> Shepard:
        """Return a `Shepard` with dissimilarity, disparity and fitted distance of observed pairs.

        Notes
        -----
        Introduced in Chapter 9, Stress. Source: Kruskal (1964).

        Examples
        --------
        >>> fit = smacof([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
        >>> fit.shepard().fitted.round(4)
        array([3., 4., 5.])
        """
        return Shepard.of_pairs(self.dissimilarities, self.disparities, self.points)

    def transform(self, new: ArrayLike) -> FloatArray:
        r"""Place each new object where its own stress is smallest, while the others are fixed.

        Parameters
        ----------
        new : array_like of shape (m, n)
            Dissimilarity from each new object to every object of the fit, in the units of the
            fit; NaN where it is not observed.

        Returns
        -------
        ndarray of shape (m, k)

        Raises
        ------
        ValueError
            If `new` has negative or infinite entries, or a row of it has no observed entry.

        Warns
        -----
        NotConvergedWarning
            If a point did not converge in 1000 steps.

        Notes
        -----
        Derived in Chapter 9, Stress. There is no formula: the Guttman transform of one point is
        repeated from several starts around the nearest objects, and the point of smallest stress
        is returned. Because there are local minima, a small change of `new` can move the point
        far. The new dissimilarities are transformed by the fitted transformation; an ordinal one
        is interpolated linearly. If no two objects of the fit have the dissimilarity 0, a zero, or
        a rounding error of 0, means that the new object is that object, and is not transformed.
        Stress-1 is smallest if the distances exceed the fitted disparities by the factor :math:`1
        / (1 - \text{stress}^2)`, and therefore the disparities are multiplied by it. All observed
        pairs have the same weight, or :math:`1 / \delta` for Sammon's stress.

        Examples
        --------
        >>> fit = smacof([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
        >>> place = fit.transform([[2.5, 2.5, 2.5]])
        >>> np.linalg.norm(place - fit.points, axis=1).round(3)
        array([2.5, 2.5, 2.5])
        """
        self._check_columns(new)
        delta, observed = check_new_rows(new, self.dissimilarities)
        weights = observed.astype(np.float64)
        if self._sammon:
            weights /= np.maximum(delta, EPS * np.nanmax(self.dissimilarities))
        targets = self._disparities.predict(delta, self.dissimilarities)
        if np.count_nonzero(self.dissimilarities == 0) == len(self.points):
            targets = np.where(delta > 0, targets, 0.0)
        return place_by_least_stress(self.points, self._disparities.ratio * targets, weights)


@store_labels(square=True)
def smacof(
    D: ArrayLike,
    n_components: int = 2,
    *,
    weights: ArrayLike | None = None,
    transform: Transform = "identity",
    ties: Ties = "primary",
    init: StressStart | ArrayLike = "classical",
    n_init: int = 1,
    max_iter: int = 1000,
    tol: float = 1e-5,
    seed: int | np.random.Generator | None = None,
) -> StressResult:
    r"""Find points of minimum stress by majorisation (SMACOF).

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared. An entry of weight zero is ignored, NaN included. Without
        `weights`, missing entries (NaN, None or pandas' NA) have weight 0, and all others 1. The
        diagonal may be missing.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    weights : array_like of shape (n, n), optional
        Symmetric, non-negative; zero where a dissimilarity is missing. By default 1 for all
        observed pairs. The pairs of positive weight must connect all objects. The diagonal is
        ignored.
    transform : {"identity", "ratio", "interval", "polynomial", "ordinal"}
        Disparities: the dissimilarities themselves; b delta; a + b delta (with b >= 0, and a such
        that none is negative); a polynomial of degree 2 with non-negative Bernstein coefficients
        on the range of the dissimilarities (see the notes); any increasing function.
    ties : {"primary", "secondary"}
        With ``"ordinal"``: tied dissimilarities may get unequal disparities (primary), or must
        get equal ones (secondary). Dissimilarities are tied if they are equal up to rounding
        errors: they differ by at most 1e-10 of the larger one, or are at most 3.6e-15 of the
        largest of all (7.6e-6 and 1.9e-6 if `D` is of type float32). The distances of float32
        points have such errors, too: give them as ``np.float32(D)``.
    init : {"classical", "random"} or array_like of shape (n, k)
        First start: classical scaling (missing entries are filled by shortest paths), a random
        configuration, or a given one, which is rescaled if its scale differs from that of D by a
        factor of 1000 or more.
    n_init : int
        Number of starts; the second and all further ones are random. The best result is returned.
    max_iter : int
        Largest number of steps from each start.
    tol : float
        Stop when the Guttman transform moves the points by less than `tol` times their norm, or
        when stress-1 is below `tol`.
    seed : int, Generator or None
        Seed of the random starts.

    Returns
    -------
    StressResult
        Points, stress and its history, `disparities`, `shepard`, `transform`, `local_minima`.

    Raises
    ------
    ValueError
        If `D` or `weights` is not of the kind above, the pairs of positive weight do not connect
        all objects, the weights range so widely that some are lost in rounding, all observed
        dissimilarities are zero, or a parameter is out of range.

    Warns
    -----
    NotConvergedWarning
        If the best start reached `max_iter` steps.
    DegenerateWarning
        If an ordinal fit has stress-1 of at most 0.01 and at most three different disparities
        (rounded to 1% of the largest) for more than twice as many different dissimilarities; or
        if it has at most 10 observed pairs (five objects), or at most two more objects than
        dimensions.

    Notes
    -----
    Derived in Chapter 9, Stress. The minimum of the majorising function is the Guttman transform,
    :math:`X - \tfrac14 L^+ \cdot \text{gradient}`. The first step is the Guttman transform. Later
    steps are quasi-Newton steps (L-BFGS), which start from the same matrix and need fewer
    iterations; if one does not lower the stress enough, it is replaced by the Guttman transform,
    which cannot raise the stress. Therefore every step descends.

    The disparities are the projection of the distances on a convex cone, scaled so that the sum of
    :math:`w\, \text{disparity}^2` is equal to that of :math:`w\, \delta^2`. The points are scaled
    such that the disparities fit best.

    The descent can end at a saddle, for example if a start puts several objects at the same point
    because their dissimilarities are equal. Therefore the end is perturbed once, always in the
    same way, and the descent is repeated. If the first end was a minimum, the second descent
    returns to it, unless a lower minimum lies within the perturbation. The minimum is a local one:
    try a larger ``n_init``. Equal objects (delta = 0) are allowed.

    Polynomials with non-negative Bernstein coefficients are non-negative on the whole range, and
    they form a convex cone, on which the projection is exact. For degree 2 the cone contains every
    polynomial that is non-negative and increasing, but not every one that is non-negative: for
    example, it does not contain :math:`(t - \tfrac12)^2 + \tfrac1{100}` on [0, 1], which has a
    minimum inside the range.

    Beyond `D` and `weights`, the function needs the memory of one more D, and of three to five for
    ``"ordinal"``. The classical start with missing entries needs that of five.
    Source: de Leeuw (1977); de Leeuw & Mair (2009); Kruskal (1964); for f linear in its
    parameters, Williams (2001), section 2.3.

    Examples
    --------
    >>> D = [[0, 5, 3, 4], [5, 0, 2, 2], [3, 2, 0, 1], [4, 2, 1, 0]]
    >>> fit = smacof(D)
    >>> round(fit.raw_stress, 4), bool((np.diff(fit.history) <= 0).all())
    (0.0348, True)
    """
    tolerance = rounding_tolerance(D)
    D, W, missing = check_connected(D, weights)
    k = check_dimensions(n_components, len(D) - 1)
    data = WeightedDissimilarities(D, None if W is None else lambda i, j: W[i:j, i:], tolerance)
    disparities = disparities_of(data, transform, ties)
    starts = initial_configurations(data, k, init, n_init, seed, missing)
    descents = _descend_from_all(StressFunction(data, disparities), starts, n_init, max_iter, tol)
    fit = _best_result(data, disparities, descents, missing)
    if transform == "ordinal":
        warn_degenerate(fit.shepard, fit.stress, tolerance, *fit.points.shape)
    return fit


@store_labels(square=True)
def sammon(
    D: ArrayLike,
    n_components: int = 2,
    *,
    init: StressStart | ArrayLike = "classical",
    n_init: int = 1,
    max_iter: int = 1000,
    tol: float = 1e-5,
    seed: int | np.random.Generator | None = None,
) -> StressResult:
    r"""Find points of minimum Sammon stress, in which errors are relative to dissimilarities.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared; positive between different objects.
    init : {"classical", "random"} or array_like of shape (n, k)
        First start, as in `smacof`; no entry may be missing.
    n_components, n_init, max_iter, seed
        As in `smacof`.
    tol : float
        Stop when the Guttman transform moves the points by less than `tol` times their norm, or
        when the root of the stress is below `tol`.

    Returns
    -------
    StressResult

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric matrix with a zero diagonal, another entry is zero
        or too small beside the largest, or a parameter is out of range.

    Warns
    -----
    NotConvergedWarning
        As in `smacof`.

    Notes
    -----
    Derived in Chapter 9, Stress. Sammon's mapping is `smacof` with the weights :math:`1 / \delta`,
    and therefore no object may coincide with another. The result is a configuration and not a
    function of the data: new objects are placed by a search. Source: Sammon (1969).

    Examples
    --------
    >>> fit = sammon([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    >>> round(fit.stress, 6)
    0.0
    """
    D = as_dissimilarities(D, min_objects=2)
    k = check_dimensions(n_components, len(D) - 1)
    check_no_duplicates(D)
    data = WeightedDissimilarities(D, lambda i, j: _reciprocals(D[i:j, i:]))
    disparities = disparities_of(data, "identity", "primary")
    starts = initial_configurations(data, k, init, n_init, seed)
    descents = _descend_from_all(StressFunction(data, disparities), starts, n_init, max_iter, tol)
    return _best_result(data, disparities, descents, sammon_stress=True)


def _descend_from_all(
    stress: StressFunction, starts: Iterator[FloatArray], n_init: int, max_iter: int, tol: float
) -> list[Descent]:
    """Descend from every start; warn if the best descent stopped at `max_iter` steps."""
    n_init, max_iter = check_count(n_init, "n_init"), check_count(max_iter, "max_iter")
    tol = check_number(tol, "tol", positive=True)
    descents = [descend_past_saddle(stress, X, max_iter, tol) for X in starts]
    if not min(descents, key=lambda descent: descent.state.loss).converged:
        warn_caller(
            f"Stopped after {plural(max_iter, 'step')}, before the points converged. Give a "
            "larger max_iter, or a larger tol if that is accurate enough.",
            NotConvergedWarning,
        )
    return descents


def _best_result(
    data: WeightedDissimilarities,
    disparities: Disparities,
    descents: list[Descent],
    missing: NDArray[np.bool_] | None = None,
    *,
    sammon_stress: bool = False,
) -> StressResult:
    """Return the result of the descent with the smallest loss.

    Its ``stress`` is Sammon's, relative to the dissimilarities, or Kruskal's stress-1, relative to
    the distances.
    """
    best, D = min(descents, key=lambda descent: descent.state.loss), data.D
    denominator = float(D.sum()) if sammon_stress else 1.0

    def relative_stress(descent: Descent) -> float:
        points, loss, _ = descent.state
        if sammon_stress:
            return loss / denominator
        return math.sqrt(loss / data.squared_norm_of_distances(points))

    fitted = disparities.fit(best.state.points, data)
    losses = data.losses(best.state.points, fitted)
    return StressResult(
        points=best.state.points,
        dissimilarities=D.copy() if missing is None else np.where(missing, np.nan, D),
        raw_stress=best.state.loss,
        stress=relative_stress(best),
        stress_per_point=losses / (losses.sum() or 1.0),
        history=np.array(best.history) / denominator,
        converged=best.converged,
        nudged=best.nudged,
        local_minima=np.array([relative_stress(descent) for descent in descents]),
        _disparities=fitted,
        _sammon=sammon_stress,
    )


def _reciprocals(block: FloatArray) -> FloatArray:
    """Return 1 / delta for a block of D, and 0 on the diagonal."""
    return np.divide(1.0, block, out=np.zeros_like(block), where=block > 0)
