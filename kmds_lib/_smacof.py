"""Stress: configurations whose distances come close to dissimilarities, found step by step.

The raw stress sums w_ij (d_ij - dhat_ij)^2 over ordered pairs, where the disparities dhat are the
dissimilarities themselves or a transformation fitted to the distances. A parabola lies above the
stress and touches it at the present configuration; its lowest point is the Guttman transform, so
that stress falls at each such step (de Leeuw 1977).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kmds_lib._checks import (
    EPS,
    FloatArray,
    as_cross,
    as_dissimilarities,
    as_numbers,
    check_n_components,
)
from kmds_lib._disparities import Shepard, Ties, Transform, disparities_of, warn_degenerate
from kmds_lib._fast.point_placement import least_places
from kmds_lib._fast.stress import Disparities, Stress, Table
from kmds_lib._fast.stress_descent import Descent, descents
from kmds_lib._initial_configurations import Start, observed_together, refuse_duplicates, starts
from kmds_lib._labels import Labelled, carry_labels

__all__ = ["StressResult", "sammon", "smacof"]


@dataclass(frozen=True, eq=False)
class StressResult(Labelled):
    r"""What `smacof` and `sammon` return.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Coordinates, centred. Their orientation is that of the start.
    dissimilarities : ndarray of shape (n, n)
        The given dissimilarities; NaN where the weight is zero.
    raw_stress : float
        Sum of :math:`w\, (d - \text{disparity})^2` over ordered pairs; Sammon's weights are
        :math:`1 / \delta`.
    stress : float
        For `smacof` Kruskal's stress-1: the root of `raw_stress` divided by the sum of
        :math:`w\, d^2`. For `sammon` Sammon's stress: `raw_stress` divided by the sum of delta.
    stress_per_point : ndarray of shape (n,)
        Share of each object in the raw stress: half of that of its pairs. The shares sum to 1,
        or are all 0 where the fit is perfect.
    history : ndarray of shape (n_iter + 1,)
        Raw stress, or Sammon's, at the start and after each step; it never rises.
    converged : bool
        Whether the Guttman transform moved the points by less than `tol` of their size.
    nudged : bool
        Whether the descent had come to rest on a saddle, or short of the minimum: a nudge, ten
        times `tol` of its size but at least a thousandth and at most a hundredth, led clearly
        lower.
    local_minima : ndarray of shape (n_init,)
        The `stress` that each start ended in, the first start before the random ones.
    """

    points: FloatArray
    dissimilarities: FloatArray = field(repr=False)
    raw_stress: float
    stress: float
    stress_per_point: FloatArray = field(repr=False)
    history: FloatArray = field(repr=False)
    converged: bool
    nudged: bool
    local_minima: FloatArray = field(repr=False)
    _disparities: Disparities = field(repr=False)
    _ratio: float = field(repr=False)
    _relative: bool = field(repr=False)

    @property
    def n_iter(self) -> int:
        """Number of steps taken."""
        return len(self.history) - 1

    @cached_property
    def disparities(self) -> FloatArray:
        """Dissimilarities, or their fitted transformation, shape (n, n); NaN at weight zero."""
        D = self.dissimilarities
        return np.where(np.isnan(D), np.nan, self._disparities.panel(D, 0, len(D)))

    def shepard(self) -> Shepard:
        """Return dissimilarity, disparity and fitted distance of every observed pair.

        Returns
        -------
        Shepard

        Notes
        -----
        Drawn in Chapter 9, MDS is three losses. Source: Kruskal (1964).

        Examples
        --------
        >>> fit = smacof([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
        >>> fit.shepard().fitted.round(4)
        array([3., 4., 5.])
        """
        return Shepard.of_pairs(self.dissimilarities, self.disparities, self.points)

    def transform(self, new: ArrayLike) -> FloatArray:
        r"""Place new objects where their own stress is least, while the others stay.

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
            If `new` does not have n columns, holds negative or infinite entries, or a row of it
            has no observed entry.

        Warns
        -----
        NotConvergedWarning
            If a search had not come to rest after a thousand steps.

        Notes
        -----
        Derived in Chapter 9, MDS is three losses. It is a search and no formula: from several
        starts around the nearest objects, each step is the Guttman transform of one point, and the
        lowest end is taken. A small change of `new` may move the place far, from one valley to
        another. The new dissimilarities are transformed as the fitted ones were, by linear
        interpolation where the fit was ordinal; stress-1 is least where distances exceed fitted
        disparities by the factor :math:`1 / (1 - \text{stress}^2)`, and so they are multiplied by
        it. Observed pairs count alike; in Sammon's stress as :math:`1 / \delta`.

        Examples
        --------
        >>> fit = smacof([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
        >>> place = fit.transform([[2.5, 2.5, 2.5]])
        >>> np.linalg.norm(place - fit.points, axis=1).round(3)
        array([2.5, 2.5, 2.5])
        """
        rows = as_numbers(new, "new")
        seen = ~np.isnan(rows)
        delta = as_cross(np.where(seen, rows, 0.0), len(self.points), "new", nonnegative=True)
        lost = np.flatnonzero(~seen.any(axis=1))
        if len(lost):
            raise ValueError(f"Row {lost[0]} of new has no observed entry, so no place.")
        weights = seen.astype(np.float64)
        if self._relative:
            weights /= np.maximum(delta, EPS * np.nanmax(self.dissimilarities))
        targets = self._disparities.of(delta, self.dissimilarities)
        return least_places(self.points, self._ratio * targets, weights)


@carry_labels
def smacof(
    D: ArrayLike,
    n_components: int = 2,
    *,
    weights: ArrayLike | None = None,
    transform: Transform = "identity",
    ties: Ties = "primary",
    init: Start | ArrayLike = "classical",
    n_init: int = 1,
    max_iter: int = 1000,
    tol: float = 1e-5,
    seed: int | np.random.Generator | None = None,
) -> StressResult:
    r"""Place objects as points whose distances have the least stress, by majorisation.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared. An entry of weight zero is ignored, NaN included.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    weights : array_like of shape (n, n), optional
        Symmetric, non-negative; zero where a dissimilarity is missing. All 1 by default. Every
        object must be linked to every other through pairs of positive weight.
    transform : {"identity", "ratio", "interval", "polynomial", "ordinal"}
        Disparities: the dissimilarities themselves; b delta; a + b delta (with b >= 0, and a such
        that none is negative); a polynomial of degree 2 with non-negative Bernstein coefficients
        on the range of the dissimilarities (see the notes); any increasing function.
    ties : {"primary", "secondary"}
        With ``"ordinal"``: equal dissimilarities may get unequal disparities, or must not.
    init : {"classical", "random"} or array_like of shape (n, k)
        First start: classical scaling (missing entries filled by shortest paths), a random one,
        or a given configuration, brought to the scale of D if a thousand times off or more.
    n_init : int
        Number of starts; the second and all further ones are random. The best result is returned.
    max_iter : int
        Largest number of steps from each start.
    tol : float
        Stop when the Guttman transform moves the points by less than this part of their size, or
        stress-1 is below it.
    seed : int, Generator or None
        Seed of the random starts.

    Returns
    -------
    StressResult
        Points, stress and its history, `disparities`, `shepard`, `transform`, `local_minima`.

    Raises
    ------
    ValueError
        If `D` or `weights` is not of the kind above, the pairs of positive weight do not link all
        objects or range so widely that some links are lost in rounding, all observed
        dissimilarities are zero, or a parameter is out of range.

    Warns
    -----
    NotConvergedWarning
        If the best start reached `max_iter` steps.
    DegenerateWarning
        If an ordinal fit of next to no stress has at most three different disparities, up to 1 %
        of the largest, for more than twice as many different dissimilarities.

    Notes
    -----
    Derived in Chapter 9, MDS is three losses. The minimum of the majorising quadratic is the
    Guttman transform, :math:`X - \tfrac14 L^+ \cdot \text{gradient}`. The first step goes there;
    later ones take the quasi-Newton direction (L-BFGS) that starts from the same matrix. Where a
    quasi-Newton step would not lower the stress enough, the Guttman transform is taken, which
    cannot raise it: so every step descends, and fewer are needed. A fitted transformation is a
    projection of the distances on a convex cone, scaled so that the sum of
    :math:`w\, \text{disparity}^2` is that of :math:`w\, \delta^2`; the points have the scale at
    which the disparities fit best. Where the points come to rest they are nudged once, always in
    the same way, and descend again: a minimum stays, unless a lower one is as near as the nudge,
    but a saddle is left, such as the start from equal dissimilarities that puts several objects on
    one spot. The minimum is a local one: try ``n_init``. Equal objects (delta = 0) are allowed.

    Polynomials with non-negative Bernstein coefficients are non-negative on the whole range, and
    sums of them are such again: a cone with the Bernstein polynomials as its edges, on which the
    projection is exact. Of degree 2 it holds every polynomial that is non-negative and
    increasing. It does not hold all that are non-negative: :math:`(t - \tfrac12)^2 + \tfrac1{100}`
    on [0, 1] is left out, as it falls to a dip inside the range. So the fit is that of least
    squares among its members, and where unconstrained least squares would dip, it can be another
    one.

    From 1000 objects on, the pairs are dealt to two threads; the result is that of one.
    Beyond `D` and `weights`, memory is that of one more D, for ``"ordinal"`` of three to five.
    The classical start of a table with missing entries takes that of five.
    Source: de Leeuw (1977); de Leeuw & Mair (2009); Kruskal (1964); for f linear in its
    parameters, Williams (2001), section 2.3.

    Examples
    --------
    >>> D = [[0, 5, 3, 4], [5, 0, 2, 2], [3, 2, 0, 1], [4, 2, 1, 0]]
    >>> fit = smacof(D)
    >>> round(fit.raw_stress, 4), bool((np.diff(fit.history) <= 0).all())
    (0.0348, True)
    """
    D, W, missing = observed_together(D, weights)
    k = check_n_components(n_components, len(D) - 1)
    table = Table(D, None if W is None else lambda i, j: W[i:j, i:])
    disparities = disparities_of(table, transform, ties)
    begun = starts(table, k, init, n_init, seed, missing)
    ends = descents(Stress(table, disparities), begun, n_init, max_iter, tol)
    fit = _result(table, disparities, ends, missing)
    if transform == "ordinal":
        warn_degenerate(fit.shepard, fit.stress)
    return fit


@carry_labels
def sammon(
    D: ArrayLike,
    n_components: int = 2,
    *,
    init: Start | ArrayLike = "classical",
    n_init: int = 1,
    max_iter: int = 1000,
    tol: float = 1e-5,
    seed: int | np.random.Generator | None = None,
) -> StressResult:
    r"""Place objects as points with the least Sammon stress: errors relative to the dissimilarity.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared; positive between different objects.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    init : {"classical", "random"} or array_like of shape (n, k)
        First start, as `smacof` takes it; no entry is missing.
    n_init : int
        Number of starts; the second and all further ones are random. The best result is returned.
    max_iter : int
        Largest number of steps from each start.
    tol : float
        Stop when the Guttman transform moves the points by less than this part of their size, or
        the root of the stress is below it.
    seed : int, Generator or None
        Seed of the random starts.

    Returns
    -------
    StressResult

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric matrix with a zero diagonal that is positive
        elsewhere, by more than the rounding of its largest entry, or a parameter is out of range.

    Warns
    -----
    NotConvergedWarning
        If the best start reached `max_iter` steps.

    Notes
    -----
    Derived in Chapter 9, MDS is three losses: it is `smacof` with weights :math:`1 / \delta`,
    which is why an object that coincides with another has no place in it. The result is a
    configuration and not a function of the data: new objects are placed by a search. Source:
    Sammon (1969).

    Examples
    --------
    >>> fit = sammon([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    >>> round(fit.stress, 6)
    0.0
    """
    D = as_dissimilarities(D, min_objects=2)
    k = check_n_components(n_components, len(D) - 1)
    refuse_duplicates(D)
    table = Table(D, lambda i, j: _reciprocals(D[i:j, i:]))
    disparities = disparities_of(table, "identity", "primary")
    begun = starts(table, k, init, n_init, seed)
    ends = descents(Stress(table, disparities), begun, n_init, max_iter, tol)
    return _result(table, disparities, ends, relative=True)


def _result(
    table: Table,
    disparities: Disparities,
    ends: list[Descent],
    missing: NDArray[np.bool_] | None = None,
    *,
    relative: bool = False,
) -> StressResult:
    """Return the lowest end, with its stress relative to the table or to the distances."""
    best, D = min(ends, key=lambda end: end.state.loss), table.D
    unit = float(D.sum()) if relative else 1.0

    def measure(end: Descent) -> float:
        points, loss, _ = end.state
        return loss / unit if relative else math.sqrt(loss / table.squared_size(points))

    _, ratio = disparities.fit(best.state.points, table)
    shares = table.shares(best.state.points, disparities)
    return StressResult(
        points=best.state.points,
        dissimilarities=D.copy() if missing is None else np.where(missing, np.nan, D),
        raw_stress=best.state.loss,
        stress=measure(best),
        stress_per_point=shares,
        history=np.array(best.history) / unit,
        converged=best.converged,
        nudged=best.nudged,
        local_minima=np.array([measure(end) for end in ends]),
        _disparities=disparities,
        _ratio=ratio,
        _relative=relative,
    )


def _reciprocals(block: FloatArray) -> FloatArray:
    """Return 1 / delta for a panel of the table, 0 on the diagonal."""
    return np.divide(1.0, block, out=np.zeros_like(block), where=block > 0)
