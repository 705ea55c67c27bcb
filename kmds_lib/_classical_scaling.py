"""Classical scaling: a configuration of points from dissimilarities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._additive_constant import AdditiveMethod, add_constant, smallest_constant
from kmds_lib._coincident import undo_constant_at_zeros, warn_coincident
from kmds_lib._eigen import all_eigenvalues, minus_half_squares
from kmds_lib._embedding import Embedding, Spectrum, positive_eigenpairs
from kmds_lib._labels import store_labels
from kmds_lib._rounding import rounding_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_coordinates, as_dissimilarities, as_new_rows


@dataclass(frozen=True, eq=False, repr=False)
class ClassicalScalingResult(Embedding):
    """The result of `classical_scaling`; see `Embedding` for its other attributes.

    Attributes
    ----------
    additive : {"cailliez", "lingoes"} or None
        Kind of constant added to the dissimilarities.
    additive_constant : float
        The constant; 0 if ``additive`` is None.
    mu : float
        Power to which the dissimilarities were raised first; 1 except in `critchley_scaling`.
    """

    _printed = ("eigenvalues", "additive_constant", "mu")
    _minus_half_squares: FloatArray
    additive: AdditiveMethod | None = None
    additive_constant: float = 0.0
    mu: float = 1.0

    def transform(self, new: ArrayLike) -> FloatArray:
        """Place new objects by their dissimilarities to the training objects.

        Parameters
        ----------
        new : array_like of shape (m, n)
            Dissimilarities between each new and each training object, in the units of the fit.
            They are raised to the power of the fit, and its additive constant is added, except to
            a zero, which means that the new object is that training object.

        Returns
        -------
        ndarray of shape (m, k)
            Projections on the fitted axes. Training objects get those in ``points``.

        Raises
        ------
        ValueError
            If `new` does not have n columns, or has negative or non-finite entries.

        Warns
        -----
        UserWarning
            If the fit added a constant, and a new object is at distance 0 from several training
            objects. The constant separates them, so that they have different points.

        Notes
        -----
        Derived in Chapter 10, New points and landmarks. After an additive constant, a new object
        at distance 0 from several training objects gets the mean of their points, unless its
        dissimilarities are those of one of them only. A dissimilarity counts as 0 if it is at most
        1.5e-8 of the largest in its row (3.5e-4 if `new` is of type float32). So does a somewhat
        larger one, up to the root of this share, if the others in the row are those of the
        training object: for example, a root of a rounding error. Source: Gower (1968), section 1.

        Examples
        --------
        >>> fit = classical_scaling([[0.0, 2.0], [2.0, 0.0]], n_components=1)
        >>> fit.transform([[1.0, 1.0]]).round(6)
        array([[0.]])
        """
        self._check_columns(new)
        n = len(self.points)
        D = as_new_rows(new, n, "new", nonnegative=True, fit_scale=self._rms_dissimilarity)
        if self.mu != 1:
            D = as_new_rows(np.power(D, self.mu), n, "new", nonnegative=True)
        A, A_training = minus_half_squares(D), self._minus_half_squares
        if self.additive is not None:
            A = add_constant(A, D, self.additive_constant, self.additive)
            groups = undo_constant_at_zeros(A, D, A_training, rounding_tolerance(new))
            warn_coincident(groups, self.points)
        return as_coordinates((A - A_training.mean(axis=0)) @ self._coefficients)

    def _rms_dissimilarity(self) -> float:
        """Return the power mean of order 2 mu of the dissimilarities of the fit, in their unit.

        With mu = 1 it is their root mean square. The mean is over all n^2 entries of the matrix
        after the additive constant, if there is one.
        """
        return math.pow(-2 * self._minus_half_squares.mean(), 0.5 / self.mu)

    @cached_property
    def _spectrum(self) -> Spectrum:
        return Spectrum(all_eigenvalues(self._minus_half_squares, centring=True))


@store_labels(square=True)
def classical_scaling(
    D: ArrayLike, n_components: int | float = 2, *, additive: AdditiveMethod | None = None
) -> ClassicalScalingResult:
    r"""Compute a configuration whose distances approximate the given dissimilarities.

    Parameters
    ----------
    D : array_like of shape (n, n)
        Dissimilarities, not squared, in any unit. They need not be Euclidean.
    n_components : int or float
        Number of coordinates, from 1 to n - 1; or a share between 0 and 1, such as 0.9, for the
        smallest number that explains this share of the sum of all absolute eigenvalues.
    additive : {"cailliez", "lingoes"}, optional
        Kind of `additive_constant` that first makes the dissimilarities Euclidean. Without it,
        negative eigenvalues are ignored, and the result's ``negative_mass`` is their share.

    Returns
    -------
    ClassicalScalingResult
        Points and eigenvalues, with a `transform` for new objects. The result stores
        :math:`A = -\tfrac12 D^{(2)}`, an array of the size of `D`, but not `D` itself.

    Raises
    ------
    ValueError
        If `D` is not a symmetric matrix of finite, non-negative numbers with a zero diagonal, for
        at least two objects, or another parameter is out of range.

    Warns
    -----
    FewerComponentsWarning
        If fewer than `n_components` eigenvalues are positive, or a share cannot be reached because
        of negative eigenvalues. Only the positive eigenvalues are used; if all objects coincide,
        `points` has shape (n, 0).

    Notes
    -----
    Derived in Chapter 4, Classical scaling, in the same four steps: square and multiply by -1/2,
    centre, decompose, scale. For large n and few components, B is formed only if the eigenvalues
    are too close together for the iterative solver. Source: Torgerson (1952); Gower (1966);
    Cailliez (1983); Lingoes (1971).

    Examples
    --------
    >>> fit = classical_scaling([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    >>> fit.points.shape, round(fit.explained, 6)
    ((3, 2), 1.0)
    """
    D = as_dissimilarities(D, min_objects=2)
    # Step 1: square and multiply by -1/2.
    A, constant = minus_half_squares(D), 0.0
    if additive is not None:
        constant = smallest_constant(A, D, additive, "additive")
        A = add_constant(A, D, constant, additive)
        np.fill_diagonal(A, 0.0)
    # Steps 2 and 3: `positive_eigenpairs` centres A and computes the leading eigenpairs.
    pairs = positive_eigenpairs(A, n_components)
    # Step 4: `Embedding.points` scales the eigenvectors by the roots of the eigenvalues.
    return ClassicalScalingResult(pairs, A, additive, constant)
