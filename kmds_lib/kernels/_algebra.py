"""Kernels from kernels: sums, products and positive multiples."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from kmds_lib._checks import FloatArray
from kmds_lib.kernels._base import Kernel, of_distances
from kmds_lib.kernels._definiteness import Definiteness
from kmds_lib.kernels._families import RBF, Exponential, keep_number


@dataclass(frozen=True)
class _Pair(Kernel):
    """What sums and products of two kernels have in common."""

    left: Kernel
    right: Kernel

    @abstractmethod
    def _combine(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Return the values of the pair from those of its parts."""

    @property
    def isotropic(self) -> bool:
        """Whether both kernels are isotropic."""
        return self.left.isotropic and self.right.isotropic

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Combine the two kernels; see `Kernel.evaluate`."""
        if self.isotropic:
            return of_distances(self, X, Y)
        return self._combine(self.left.evaluate(X, Y), self.right.evaluate(X, Y))

    def gram(self, X: FloatArray) -> FloatArray:
        """Combine the two kernels; see `Kernel.gram`."""
        return of_distances(self, X, X) if self.isotropic else super().gram(X)

    def r(self, delta: FloatArray) -> FloatArray:
        """Combine the two profiles."""
        return self._combine(self.left.r(delta), self.right.r(delta))

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        """Combine the two profiles, from squared distances."""
        first = self.left.r_of_squares(squares.copy())
        return self._combine(first, self.right.r_of_squares(squares))


@dataclass(frozen=True)
class Sum(_Pair):
    """The sum of two kernels, made by ``left + right``.

    Parameters
    ----------
    left, right : Kernel
        The terms.

    Notes
    -----
    Derived in Chapter 6, A kernel is a dot product after a map: the feature vectors are joined
    end to end. A sum of two decreasing profiles decreases, but its inverse has no closed form.
    """

    @property
    def translation_invariant(self) -> bool:
        """Whether both terms are."""
        return self.left.translation_invariant and self.right.translation_invariant

    @property
    def definiteness(self) -> Definiteness:
        """As definite as the weaker term."""
        left, right = self.left.definiteness, self.right.definiteness
        return Definiteness(
            min(left.positive, right.positive), min(left.conditional, right.conditional)
        )

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        """Add what both profiles exceed their sills by."""
        return self._combine(
            self.left.r_minus_value_at_zero(delta), self.right.r_minus_value_at_zero(delta)
        )

    def r_minus_value_at_zero_of_squares(self, squares: FloatArray) -> FloatArray:
        """Add the same from squared distances."""
        first = self.left.r_minus_value_at_zero_of_squares(squares.copy())
        return self._combine(first, self.right.r_minus_value_at_zero_of_squares(squares))

    def _combine(self, left: FloatArray, right: FloatArray) -> FloatArray:
        return np.add(left, right)


@dataclass(frozen=True)
class Product(_Pair):
    """The product of two kernels, made by ``left * right``.

    Parameters
    ----------
    left, right : Kernel
        The factors.

    Notes
    -----
    Derived in Chapter 6, A kernel is a dot product after a map: the entrywise product of two
    positive semidefinite matrices is positive semidefinite (Schur). Nothing is known of a
    product with a kernel that is only conditionally positive definite. Centring does not undo
    the effect of a shift on a product, unless both factors are isotropic.
    """

    @property
    def definiteness(self) -> Definiteness:
        """Positive definite where both factors are; unknown elsewhere."""
        dimension = min(self.left.definiteness.positive, self.right.definiteness.positive)
        return Definiteness(dimension, dimension)

    def r_inverse(self, values: FloatArray) -> FloatArray:
        """Return the inverse of the product of two RBF or two Exponential profiles."""
        left, right = self.left, self.right
        for family in (RBF, Exponential):
            if isinstance(left, family) and isinstance(right, family):
                return family(left.theta + right.theta).r_inverse(values)
        return super().r_inverse(values)

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`a b - a(0) b(0) = (a - a(0))\, b(0) + a\, (b - b(0))`."""
        first = self.left.r_minus_value_at_zero(delta) * self.right.value_at_zero
        return first + self.left.r(delta) * self.right.r_minus_value_at_zero(delta)

    def _combine(self, left: FloatArray, right: FloatArray) -> FloatArray:
        return np.multiply(left, right)


@dataclass(frozen=True)
class Multiple(Kernel):
    """A positive multiple of a kernel, made by ``factor * kernel``.

    Parameters
    ----------
    factor : float
        Positive.
    kernel : Kernel
        The kernel to scale.

    Raises
    ------
    ValueError
        If factor is not positive.
    """

    factor: float
    kernel: Kernel

    def __post_init__(self) -> None:
        keep_number(self, "factor", positive=True)

    @property
    def isotropic(self) -> bool:
        """Whether the kernel is."""
        return self.kernel.isotropic

    @property
    def translation_invariant(self) -> bool:
        """Whether the kernel is."""
        return self.kernel.translation_invariant

    @property
    def definiteness(self) -> Definiteness:
        """The kernel's own."""
        return self.kernel.definiteness

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return the multiple; see `Kernel.evaluate`."""
        return self.factor * self.kernel.evaluate(X, Y)

    def gram(self, X: FloatArray) -> FloatArray:
        """Return the multiple, in place; see `Kernel.gram`."""
        K = self.kernel.gram(X)
        K *= self.factor
        return K

    def r(self, delta: FloatArray) -> FloatArray:
        """Return the multiple of the profile."""
        return self.factor * self.kernel.r(delta)

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        """Return the multiple of the profile, from squared distances."""
        return self.factor * self.kernel.r_of_squares(squares)

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        """Return the multiple of what the profile exceeds its sill by."""
        return self.factor * self.kernel.r_minus_value_at_zero(delta)

    def r_minus_value_at_zero_of_squares(self, squares: FloatArray) -> FloatArray:
        """Return the same from squared distances."""
        return self.factor * self.kernel.r_minus_value_at_zero_of_squares(squares)

    def r_inverse(self, values: FloatArray) -> FloatArray:
        """Return the inverse profile at values / factor."""
        return self.kernel.r_inverse(values / self.factor)
