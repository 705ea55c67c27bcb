"""The base class of all kernels, and sums, products and positive multiples of kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._labels import as_cross_frame
from kmds_lib._messages import warn_caller
from kmds_lib._parameters import check_field
from kmds_lib._rounding import rounding_tolerance
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_points, as_two_sets
from kmds_lib.kernels._definiteness import UNKNOWN, Definiteness, DefinitenessWarning
from kmds_lib.kernels._matrices import check_overflow, check_symmetry, symmetric_matrix
from kmds_lib.kernels._profile import ProfileMethods, apply_to_distances


class Kernel(ProfileMethods, ABC):
    """The base class of all kernels: it can be called on points, added and multiplied.

    A subclass must define `evaluate`. Two class attributes may state what is known of the kernel:
    ``definiteness``, a `Definiteness` (without it every use warns), and ``translation_invariant =
    True`` if :math:`HKH` does not change when all points are translated. If the kernel depends on
    the distance alone, derive it from `IsotropicKernel` instead. A parameter of a kernel outside
    its range raises a `ValueError`.

    Notes
    -----
    Defined in Chapter 6, Kernels and feature maps. ``k1 + k2``, ``k1 * k2`` and ``c * k`` with a
    number c > 0 are kernels too, and so is ``sum([k1, k2, k3])``. Type checkers accept
    ``functools.reduce(operator.add, [k1, k2, k3])``, because a sum may start from 0. Sums and
    positive multiples preserve both positive definiteness and conditional positive definiteness;
    products preserve only the former (Schur's theorem).

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> mixture = 0.5 * RBF(1.0) + 0.5 * RBF(0.01)
    >>> print(mixture.definiteness)
    positive definite in every dimension
    >>> np.round(mixture([[0.0], [1.0]]), 4)
    array([[1.   , 0.679],
           [0.679, 1.   ]])

    A kernel of your own, the intersection of two histograms:

    >>> import math
    >>> class Overlap(Kernel):
    ...     definiteness = Definiteness(math.inf, math.inf)
    ...
    ...     def evaluate(self, X, Y):
    ...         return np.minimum(X[:, None], Y).sum(axis=2)
    >>> Overlap()([[1.0, 2.0], [3.0, 0.0]])
    array([[3., 1.],
           [1., 3.]])
    """

    @abstractmethod
    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return :math:`k(x_i, y_j)` for checked points; every subclass must define it.

        The library calls it on blocks of rows. Therefore an entry must depend on its own two rows
        alone, and symmetrically: k(x, y) = k(y, x).

        Parameters
        ----------
        X, Y : ndarray of shapes (n, p) and (m, p)
            Finite points. They must not be changed.

        Returns
        -------
        ndarray of shape (n, m)
            A new array.
        """

    def cross(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return the result of `evaluate` in float64; refuse a matrix of another shape."""
        values = np.asarray(self.evaluate(X, Y), dtype=float)
        if values.shape != (len(X), len(Y)):
            raise ValueError(
                f"evaluate of {self!r} returned shape {values.shape} instead of "
                f"{(len(X), len(Y))}: return a row for each row of X, and a column for each of Y."
            )
        return values

    def gram(self, X: FloatArray) -> FloatArray:
        """Return :math:`k(x_i, x_j)` for checked points, exactly symmetric.

        An `evaluate` that is not symmetric is refused: eight rows are compared with their columns.
        Rounding errors are those of the type that it returns.
        """
        tolerance = rounding_tolerance(self.evaluate(X[:1], X[:1]))
        check_symmetry(self.cross, X, repr(self), tolerance)
        return symmetric_matrix(self.cross, X)

    def k_minus_value_at_zero(self, X: FloatArray, Y: FloatArray | None = None) -> FloatArray:
        r"""Return :math:`k(x_i, y_j) - r(0)`; centring turns it into the centred kernel matrix.

        If r hardly decreases over the distances between the points, the difference has digits that
        :math:`k(x_i, y_j)` loses in rounding errors. For a kernel that is not isotropic, nothing
        is subtracted.

        Parameters
        ----------
        X, Y : ndarray of shapes (n, p) and (m, p)
            Finite points; `Y` is optional.

        Returns
        -------
        ndarray of shape (n, n), or (n, m) with Y
        """
        if not self.isotropic:
            return self.gram(X) if Y is None else self.cross(X, Y)
        return apply_to_distances(self.r_minus_value_at_zero_of_squares, X, X if Y is None else Y)

    @property
    def translation_invariant(self) -> bool:
        """Return True if :math:`HKH` does not change when all points are translated."""
        return self.isotropic

    @property
    def definiteness(self) -> Definiteness:
        """Return the dimensions in which the kernel is known to be definite; none by default."""
        return UNKNOWN

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
        r"""Return the kernel matrix of the rows of X, or between the rows of X and of Y.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Points, one in each row.
        Y : array_like of shape (m, p), optional
            Further points. Without it, the exactly symmetric square matrix of X is returned.

        Returns
        -------
        ndarray of shape (n, n), or (n, m) with Y
            Entries :math:`k(x_i, y_j)`. If `X` or `Y` is a data frame with an index, the result is
            one with the labels of the objects in its rows and columns.

        Raises
        ------
        ValueError
            If X or Y are not finite real matrices with the same number of columns, a value
            overflows, or `evaluate` is found not to be symmetric.

        Warns
        -----
        DefinitenessWarning
            If the kernel is not known to be conditionally positive definite on
            :math:`\mathbb R^p`.
        """
        points, other = as_two_sets(X, Y)
        self.warn_if_indefinite(points.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):
            K = self.gram(points) if Y is None else self.cross(points, other)
        return as_cross_frame(check_overflow(K, repr(self)), X, Y)

    def diagonal(self, X: ArrayLike) -> FloatArray:
        r"""Return :math:`k(x_i, x_i)` for the rows of X, without the rest of the matrix.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Points, one in each row.

        Returns
        -------
        ndarray of shape (n,)
            The squared lengths of the feature vectors :math:`\varphi(x_i)`.
        """
        X = as_points(X)
        if self.isotropic:
            return self.r(np.zeros(len(X)))
        blocks = (X[start : start + 16] for start in range(0, len(X), 16))
        return np.concatenate([np.diagonal(self.cross(block, block)) for block in blocks])

    def warn_if_indefinite(self, dimension: int) -> None:
        """Warn if the kernel is not known to be conditionally definite in this dimension."""
        if dimension > self.definiteness.conditional:
            warn_caller(
                f"{self!r} is {self.definiteness}, and the points have dimension {dimension}: "
                "the centred kernel matrix can have negative eigenvalues. Choose another kernel, "
                "such as RBF; in a kernel of your own, state its definiteness.",
                DefinitenessWarning,
            )

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({parameters})"

    def __add__(self, other: Kernel) -> Kernel:
        if isinstance(other, Kernel):
            return Sum(self, other)
        return NotImplemented

    def __radd__(self, other: int) -> Kernel:
        """Support ``sum([k1, k2])``, which starts from 0."""
        if isinstance(other, Real) and other == 0:
            return self
        return NotImplemented

    def __mul__(self, other: Kernel | float) -> Kernel:
        if isinstance(other, Kernel):
            return Product(self, other)
        if isinstance(other, Real):
            return Multiple(other, self)
        return NotImplemented

    __rmul__ = __mul__


@dataclass(frozen=True)
class _TwoKernels(Kernel):
    """The common part of sums and products; the profile exists only if both parts have one."""

    left: Kernel
    right: Kernel

    @abstractmethod
    def _combine(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Return the values of the pair from the values of its parts."""

    @property
    def isotropic(self) -> bool:
        """Return True if both kernels are isotropic."""
        return self.left.isotropic and self.right.isotropic

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Combine the two kernels; see `Kernel.evaluate`."""
        if self.isotropic:
            return apply_to_distances(self.r_of_squares, X, Y)
        return self._combine(self.left.evaluate(X, Y), self.right.evaluate(X, Y))

    def gram(self, X: FloatArray) -> FloatArray:
        """Combine the two kernels; see `Kernel.gram`."""
        return self.evaluate(X, X) if self.isotropic else super().gram(X)

    def r(self, delta: FloatArray) -> FloatArray:
        """Combine the two profiles."""
        return self._combine(self.left.r(delta), self.right.r(delta))


@dataclass(frozen=True)
class Sum(_TwoKernels):
    """The sum of two kernels, written ``left + right``.

    Notes
    -----
    Derived in Chapter 6, Kernels and feature maps: the feature vectors are concatenated. The sum
    of two decreasing profiles is decreasing, but its inverse has no closed form.
    """

    @property
    def translation_invariant(self) -> bool:
        """Return True if both terms are translation invariant."""
        return self.left.translation_invariant and self.right.translation_invariant

    @property
    def definiteness(self) -> Definiteness:
        """Return the definiteness of the term that is definite in fewer dimensions."""
        left, right = self.left.definiteness, self.right.definiteness
        return Definiteness(
            min(left.positive, right.positive), min(left.conditional, right.conditional)
        )

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        """Add the two profiles, each minus its value at zero."""
        return self.left.r_minus_value_at_zero(delta) + self.right.r_minus_value_at_zero(delta)

    def _combine(self, left: FloatArray, right: FloatArray) -> FloatArray:
        return np.add(left, right)


@dataclass(frozen=True)
class Product(_TwoKernels):
    """The product of two kernels, written ``left * right``.

    Notes
    -----
    Derived in Chapter 6, Kernels and feature maps: the entrywise product of two positive
    semidefinite matrices is positive semidefinite (Schur). Nothing is known about a product with a
    kernel that is only conditionally positive definite. A translation changes the centred matrix
    of a product, unless both factors are isotropic.
    """

    @property
    def definiteness(self) -> Definiteness:
        """Return the dimensions in which both factors are positive definite."""
        dimension = min(self.left.definiteness.positive, self.right.definiteness.positive)
        return Definiteness(dimension, dimension)

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`a b - a(0) b(0) = (a - a(0))\, b(0) + a\, (b - b(0))`."""
        left, right = self.left, self.right
        first = left.r_minus_value_at_zero(delta) * right.value_at_zero
        return first + left.r(delta) * right.r_minus_value_at_zero(delta)

    def _combine(self, left: FloatArray, right: FloatArray) -> FloatArray:
        return np.multiply(left, right)


@dataclass(frozen=True)
class Multiple(Kernel):
    """A positive multiple of a kernel, written ``factor * kernel``."""

    factor: float
    kernel: Kernel

    def __post_init__(self) -> None:
        check_field(self, "factor", positive=True)

    @property
    def isotropic(self) -> bool:
        """Return True if the kernel is isotropic."""
        return self.kernel.isotropic

    @property
    def translation_invariant(self) -> bool:
        """Return True if the kernel is translation invariant."""
        return self.kernel.translation_invariant

    @property
    def definiteness(self) -> Definiteness:
        """Return the definiteness of the kernel."""
        return self.kernel.definiteness

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return the multiple; see `Kernel.evaluate`."""
        return self.factor * self.kernel.evaluate(X, Y)

    def gram(self, X: FloatArray) -> FloatArray:
        """Return the multiple; see `Kernel.gram`."""
        K = self.kernel.gram(X)
        K *= self.factor
        return K

    def r(self, delta: FloatArray) -> FloatArray:
        """Return the multiple of the profile."""
        return self.factor * self.kernel.r(delta)

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        """Return the multiple of the profile minus its value at zero."""
        return self.factor * self.kernel.r_minus_value_at_zero(delta)

    def r_minus_value_at_zero_of_squares(self, squares: FloatArray) -> FloatArray:
        """Return k(x, y) - k(0) of the multiple, given squared distances."""
        return self.factor * self.kernel.r_minus_value_at_zero_of_squares(squares)

    def r_inverse(self, values: FloatArray) -> FloatArray:
        """Return the inverse profile of the kernel at values / factor."""
        return self.kernel.r_inverse(values / self.factor)
