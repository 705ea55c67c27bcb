"""Classical scaling: a configuration from dissimilarities."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from kmds_lib._checks import (
    FloatArray,
    as_coordinates,
    as_cross,
    check_n_components,
    measured_dissimilarities,
    scale_exponent,
)
from kmds_lib.distances import Method, add_constant, additive_constant
from kmds_lib.embedding import Embedding, Spectrum, keep_positive
from kmds_lib.linalg import formed, leading_eigenpairs


@dataclass(frozen=True, eq=False)
class ClassicalScaling(Embedding):
    """Fit of `classical_scaling`.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Coordinates Y = V_k Lambda_k^(1/2), in the units of the dissimilarities.
    eigenvalues : ndarray of shape (k,)
        Positive eigenvalues of B, in descending order. They are in squared units: for
        dissimilarities near 1e-170 or 1e200 they leave the range of float64, while points,
        `explained` and `negative_mass` stay right.
    residual : float
        Largest residual of an eigenpair, relative to the largest eigenvalue.
    solver : str
        ``"krylov"`` or ``"dense"``.
    additive_constant : float
        Constant added to the dissimilarities; 0 where none was asked for.
    """

    additive_constant: float
    _constant: float = field(repr=False)
    _method: Method | None = field(repr=False)
    _distances: FloatArray = field(repr=False)
    _exponent: int = field(repr=False)

    def transform(self, D_new: ArrayLike) -> FloatArray:
        """Place new objects by their dissimilarities to the training objects.

        Parameters
        ----------
        D_new : array_like of shape (m, n)
            Dissimilarity from each new object to every training object, in the units of the
            fit. Where an additive constant was fitted it is added here too, except to zeros: a
            zero says that the new object is that training object.

        Returns
        -------
        ndarray of shape (m, k)
            Projections on the fitted axes.

        Raises
        ------
        ValueError
            If `D_new` does not have n columns, or holds negative or non-finite entries.

        Notes
        -----
        Derived in Chapter 4, Classical scaling. Source: Gower (1968), section 1.

        Examples
        --------
        >>> fit = classical_scaling([[0.0, 2.0], [2.0, 0.0]], n_components=1)
        >>> fit.transform([[1.0, 1.0]]).round(6)
        array([[0.]])
        """
        D_new = as_cross(D_new, len(self.points), "D_new", nonnegative=True)
        with np.errstate(over="ignore", invalid="ignore"):
            D_new = np.ldexp(D_new, -self._exponent)
            if self._method is not None:
                shifted = add_constant(D_new, self._constant, self._method)
                D_new = np.where(D_new > 0, shifted, 0.0)
            offsets = np.square(D_new) - self._mean_squares
            points = np.ldexp(-0.5 * offsets @ self._projector, self._exponent)
        return as_coordinates(points, "D_new")

    @cached_property
    def _mean_squares(self) -> FloatArray:
        n = len(self._distances)
        return np.einsum("ij,ij->j", self._distances, self._distances) / n

    @cached_property
    def _projector(self) -> FloatArray:
        """Columns v / sqrt(lambda); they sum to zero, so new rows need no centring."""
        points = np.ldexp(self.points, -self._exponent)
        return points / np.einsum("ij,ij->j", points, points)

    def _full_spectrum(self) -> Spectrum:
        B = formed(self._distances, "distances")
        values = linalg.eigvalsh(B, overwrite_a=True, check_finite=False)[::-1]
        return Spectrum(_unscaled(values, 2 * self._exponent), values)


def classical_scaling(
    D: ArrayLike, n_components: int = 2, *, additive: Method | None = None
) -> ClassicalScaling:
    """Place objects as points whose distances come close to given dissimilarities.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared, in any unit. They need not be Euclidean.
    n_components : int
        Number of coordinates, from 1 to n - 1.
    additive : {"cailliez", "lingoes"}, optional
        Make the dissimilarities Euclidean first, with the smallest constant c: d + c, or
        sqrt(d^2 + 2 c).

    Returns
    -------
    ClassicalScaling
        Points, eigenvalues and the means to place new objects. It keeps a reference to `D`,
        not a copy, for `transform` and `spectrum`.

    Raises
    ------
    ValueError
        If `D` is not a real, finite, symmetric, non-negative matrix of at least two objects
        with a zero diagonal, or `n_components` or `additive` is out of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive. The positive ones are returned;
        where all objects coincide there is none, and `points` has shape (n, 0).

    Notes
    -----
    Derived in Chapter 4, Classical scaling. B is never formed for large n: it is applied to
    blocks of vectors while panels of `D` are squared in cache, so that the extra memory stays
    under a tenth of `D`. Source: Torgerson (1952); Gower (1966); Cailliez (1983);
    Lingoes (1971).

    Examples
    --------
    >>> fit = classical_scaling([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    >>> fit.points.shape, round(fit.explained, 6)
    ((3, 2), 1.0)
    """
    D, largest = measured_dissimilarities(D, min_objects=2)
    n = len(D)
    k = check_n_components(n_components, n - 1)
    exponent = scale_exponent(largest)
    if exponent:
        D = np.ldexp(D, -exponent)
    constant = 0.0
    if additive is not None:
        constant = additive_constant(D, additive)
        D = add_constant(D, constant, additive)
        np.fill_diagonal(D, 0.0)
    squared = 2 if additive == "lingoes" else 1
    pairs = leading_eigenpairs(D, k, form="distances", check=False)
    kept = keep_positive(pairs.values, pairs.scale, n)
    values = pairs.values[:kept]
    return ClassicalScaling(
        points=np.ldexp(pairs.vectors[:, :kept] * np.sqrt(values), exponent),
        eigenvalues=_unscaled(values, 2 * exponent),
        residual=pairs.residual,
        solver=pairs.solver,
        additive_constant=float(_unscaled(constant, squared * exponent)),
        _constant=constant,
        _method=additive,
        _distances=D,
        _exponent=exponent,
    )


def _unscaled(values: ArrayLike, exponent: int) -> FloatArray:
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(values, exponent)
