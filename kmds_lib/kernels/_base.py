"""What every kernel offers: a call on points, a diagonal, a profile, sums and products."""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import EPS, FloatArray, as_numbers, as_points, warn_caller
from kmds_lib._fast.distances import squared_euclidean
from kmds_lib._labels import check_same_variables
from kmds_lib.kernels._definiteness import UNKNOWN, Definiteness, DefinitenessWarning
from kmds_lib.kernels._values import check_overflow, check_symmetry, symmetric_matrix


class Kernel(ABC):
    """What every kernel offers: a call on points, a diagonal, sums and products.

    A subclass gives `evaluate`, and that is enough. It may state what is known of it in class
    attributes: ``definiteness``, a `Definiteness`, without which every use warns; and
    ``translation_invariant = True`` where :math:`HKH` does not see a common shift of the points.
    A kernel that depends on the distance alone is better made from `IsotropicKernel`.

    Notes
    -----
    Defined in Chapter 6, A kernel is a dot product after a map. ``k1 + k2``, ``k1 * k2`` and
    ``c * k`` with a number c > 0 are kernels again, and so is ``sum([k1, k2, k3])``; type checkers
    follow ``functools.reduce(operator.add, [k1, k2, k3])``, since a sum may start from 0. Sums and
    positive multiples keep positive and conditional definiteness; products keep positive
    definiteness alone (Schur's theorem).

    Examples
    --------
    >>> from kmds_lib.kernels import RBF
    >>> mixture = 0.5 * RBF(1.0) + 0.5 * RBF(0.01)
    >>> print(mixture.definiteness)
    positive definite in every dimension
    >>> np.round(mixture([[0.0], [1.0]]), 4)
    array([[1.   , 0.679],
           [0.679, 1.   ]])

    A kernel of one's own, the overlap of two histograms:

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
        """Return :math:`k(x_i, y_j)` for checked points: what a subclass has to give.

        It is called on blocks of rows, so that an entry may depend on its own two rows alone, and
        on both in the same way: k(x, y) = k(y, x).

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Finite points, not to be changed.
        Y : ndarray of shape (m, p)
            Further points, not to be changed.

        Returns
        -------
        ndarray of shape (n, m)
            A new array.
        """

    def cross(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return `evaluate`, in float64, and refuse a matrix of another shape.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Finite points.
        Y : ndarray of shape (m, p)
            Further points.

        Returns
        -------
        ndarray of shape (n, m)

        Raises
        ------
        ValueError
            If `evaluate` returns a matrix of another shape.
        """
        values = np.asarray(self.evaluate(X, Y), dtype=float)
        if values.shape != (len(X), len(Y)):
            raise ValueError(
                f"evaluate of {self!r} returned shape {values.shape} for {len(X)} and {len(Y)} "
                f"points: return a matrix of shape {(len(X), len(Y))}"
            )
        return values

    def gram(self, X: FloatArray) -> FloatArray:
        """Return :math:`k(x_i, x_j)` for checked points, exactly symmetric.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Finite points.

        Returns
        -------
        ndarray of shape (n, n)

        Raises
        ------
        ValueError
            If `evaluate` is not symmetric: eight rows are compared with their columns.
        """
        check_symmetry(self.cross, X, repr(self))
        return symmetric_matrix(self.cross, X)

    def minus_value_at_zero(self, X: FloatArray, Y: FloatArray | None = None) -> FloatArray:
        r"""Return :math:`k(x_i, y_j) - r(0)`, which centring makes equal to the kernel matrix.

        Where r hardly falls between the points, the difference keeps the digits that
        :math:`k(x_i, y_j)` itself has lost: it is computed by `r_minus_value_at_zero`. A kernel
        that is not isotropic comes back as it is.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Finite points.
        Y : ndarray of shape (m, p), optional
            Further points.

        Returns
        -------
        ndarray of shape (n, n), or (n, m) with Y
        """
        if not self.isotropic:
            return self.gram(X) if Y is None else self.cross(X, Y)
        with np.errstate(over="ignore", under="ignore"):
            return squared_euclidean(
                X, X if Y is None else Y, self.r_minus_value_at_zero_of_squares
            )

    @property
    def isotropic(self) -> bool:
        r"""Whether :math:`k(x, y)` depends on the distance :math:`\|x - y\|` alone."""
        return False

    @property
    def translation_invariant(self) -> bool:
        """Whether :math:`HKH` stays the same when every point moves by one common vector."""
        return self.isotropic

    @property
    def definiteness(self) -> Definiteness:
        """What is known of the kernel's definiteness: nothing, unless a subclass says so."""
        return UNKNOWN

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
        r"""Return the kernel matrix of the rows of X, or of X against Y.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Points, one a row.
        Y : array_like of shape (m, p), optional
            Further points. Without it the square matrix of X is returned, exactly symmetric.

        Returns
        -------
        ndarray of shape (n, n), or (n, m) with Y
            Entries :math:`k(x_i, y_j)`.

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
        check_same_variables(X, Y)
        X = as_points(X)
        self.warn_if_indefinite(X.shape[1])
        other = X if Y is None else as_points(Y, name="Y")
        if other.shape[1] != X.shape[1]:
            raise ValueError(
                f"X has {X.shape[1]} columns and Y has {other.shape[1]}: give both sets of points "
                "in the same variables"
            )
        with np.errstate(over="ignore", invalid="ignore"):
            K = self.gram(X) if Y is None else self.cross(X, other)
        return check_overflow(K, repr(self))

    def profile(self, delta: ArrayLike) -> FloatArray:
        r"""Return :math:`r(\delta)`, the kernel as a function of distance.

        Parameters
        ----------
        delta : array_like of any shape
            Distances or dissimilarities, finite and not negative.

        Returns
        -------
        ndarray of the shape of delta
            :math:`r(\delta)`. RBF, Exponential and DampedCosine have :math:`r(0) = 1`, Power has
            :math:`r(0) = 0`; sums, products and multiples combine these values.

        Raises
        ------
        ValueError
            If the kernel is not isotropic, or delta does not hold real numbers, finite and not
            negative.
        """
        if not self.isotropic:
            raise ValueError(
                f"{self!r} has no profile: it does not depend on the distance alone; call it "
                "on points instead"
            )
        delta = as_numbers(delta, "delta")
        if not np.all(np.isfinite(delta)) or np.any(delta < 0):
            raise ValueError("delta has a negative or non-finite entry: give distances >= 0")
        return self.r(delta)

    def inverse_profile(self, values: ArrayLike) -> FloatArray:
        r"""Return the distances at which the profile takes given values.

        Parameters
        ----------
        values : array_like of any shape
            Values of r. Beyond the range of r they are moved to its nearest end.

        Returns
        -------
        ndarray of the shape of values
            :math:`\delta \ge 0` with :math:`r(\delta)` equal to the value.

        Raises
        ------
        ValueError
            If r has no inverse in closed form, or the values are not real numbers. RBF,
            Exponential and Power have one, and so have their multiples, products of RBF
            kernels, and products of Exponential kernels. A sum of decreasing profiles can be
            inverted by a search for the root alone.

        Notes
        -----
        Used in Chapter 7, Kernel PCA, for pre-images.
        """
        values = as_numbers(values, "values")
        if np.any(np.isnan(values)):
            raise ValueError("values has an entry that is not a number: give values of r")
        return self.r_inverse(values)

    def diagonal(self, X: ArrayLike) -> FloatArray:
        r"""Return :math:`k(x_i, x_i)` for the rows of X, without the rest of the matrix.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Points, one a row.

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
        """Warn if the kernel is not known to be conditionally definite in this dimension.

        Parameters
        ----------
        dimension : int
            Number of variables of the points.

        Warns
        -----
        DefinitenessWarning
            If ``definiteness.conditional < dimension``.
        """
        if dimension > self.definiteness.conditional:
            warn_caller(
                f"{self!r} is {self.definiteness}, and the points have dimension {dimension}: "
                "the centred kernel matrix can have negative eigenvalues",
                DefinitenessWarning,
            )

    def r(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`r(\delta)` for checked distances; isotropic kernels alone have it."""
        raise NotImplementedError

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        r"""Return :math:`r(\delta)` from :math:`\delta^2`, which may be overwritten."""
        return self.r(np.sqrt(squares, out=squares))

    @property
    def value_at_zero(self) -> float:
        r""":math:`r(0)` of an isotropic kernel; 0 for any other."""
        return float(self.r(np.zeros(1))[0]) if self.isotropic else 0.0

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`r(\delta) - r(0)`, minus half the squared feature distance.

        Differences of a few units in the last place are rounding, and become 0. The families of
        the book give this without subtraction, to all digits.
        """
        sill = self.value_at_zero
        less = np.asarray(self.r(delta), dtype=np.float64) - sill
        return np.where(np.abs(less) <= 4 * EPS * abs(sill), 0.0, less)

    def r_minus_value_at_zero_of_squares(self, squares: FloatArray) -> FloatArray:
        r"""Return :math:`r(\delta) - r(0)` from :math:`\delta^2`, which may be overwritten."""
        return self.r_minus_value_at_zero(np.sqrt(squares, out=squares))

    def r_inverse(self, values: FloatArray) -> FloatArray:
        r"""Return delta with :math:`r(\delta)` equal to checked values, where r has an inverse."""
        raise ValueError(
            f"{self!r} has no inverse profile in closed form, so distances cannot be read off "
            "kernel values; RBF, Exponential and Power have one, and their multiples"
        )

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({parameters})"

    def __add__(self, other: Kernel) -> Kernel:
        from kmds_lib.kernels._algebra import Sum

        if isinstance(other, Kernel):
            return Sum(self, other)
        return NotImplemented

    def __radd__(self, other: int) -> Kernel:
        """Add nothing: ``sum`` starts from 0."""
        if isinstance(other, Real) and other == 0:
            return self
        return NotImplemented

    def __mul__(self, other: Kernel | float) -> Kernel:
        from kmds_lib.kernels._algebra import Multiple, Product

        if isinstance(other, Kernel):
            return Product(self, other)
        if isinstance(other, Real):
            return Multiple(other, self)
        return NotImplemented

    __rmul__ = __mul__


def of_distances(kernel: Kernel, X: FloatArray, Y: FloatArray) -> FloatArray:
    """Return the profile of the distances, with no other array of the size of the result."""
    with np.errstate(over="ignore", under="ignore"):
        return squared_euclidean(X, Y, kernel.r_of_squares)


def check_kernel(kernel: object, name: str, instead: str) -> None:
    """Refuse what is no kernel; say what one is, and what else may be given."""
    if not isinstance(kernel, Kernel):
        raise ValueError(
            f"{name} is {kernel!r}: give a kernel object with its parameters, such as RBF(1.0), "
            f"or {instead}."
        )
