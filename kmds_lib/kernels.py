"""Kernels as small objects: callable, with their profile and what is known of them.

A kernel is a function k(x, y) of two points. Each kernel here is a frozen object that turns
points into kernel matrices, gives its profile r(delta) where it depends on distance alone, and
states in which dimensions it is known to be positive definite or conditionally so. A kernel of
one's own is a subclass with one method: see `Kernel` and `IsotropicKernel`.

Derived in Chapter 6, A kernel is a dot product after a map, and Chapter 8, Kernel MDS.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import (
    FloatArray,
    as_numbers,
    as_points,
    check_count,
    check_number,
    warn_caller,
)
from kmds_lib.gram import map_squared_distances

__all__ = [
    "RBF",
    "DampedCosine",
    "Definiteness",
    "DefinitenessWarning",
    "Exponential",
    "IsotropicKernel",
    "Kernel",
    "Linear",
    "Multiple",
    "Polynomial",
    "Power",
    "Product",
    "Sum",
]

_PANEL_ROWS = 128


class DefinitenessWarning(UserWarning):
    """A kernel is used where it is not known to be conditionally positive definite."""


@dataclass(frozen=True)
class Definiteness:
    """The largest dimensions in which a kernel is known to be definite.

    Parameters
    ----------
    positive : float
        Largest dimension d such that the kernel is positive definite on R^d: 0 for none,
        infinity for every dimension.
    conditional : float
        The same for conditional positive definiteness: HKH is positive semidefinite for every
        set of points. Never below ``positive``.

    Raises
    ------
    ValueError
        If ``positive`` is negative, or ``conditional`` is below it.

    Notes
    -----
    Defined in Chapter 6, A kernel is a dot product after a map; the conditional case in
    Chapter 8. "Known" is meant literally: 0 says that no guarantee is on record, not that one
    is impossible.

    Examples
    --------
    >>> print(Power(1.0).definiteness)
    conditionally positive definite in every dimension
    >>> print(DampedCosine(alpha=1.0, omega=1.0).definiteness)
    positive definite up to dimension 2
    """

    positive: float
    conditional: float

    def __post_init__(self) -> None:
        if not 0 <= self.positive <= self.conditional:
            raise ValueError(
                f"positive is {self.positive!r} and conditional is {self.conditional!r}: give "
                "0 <= positive <= conditional, since a positive definite kernel is "
                "conditionally so."
            )

    @property
    def kind(self) -> str:
        """One of three names: positive definite, conditionally so, or not known to be."""
        if self.positive > 0:
            return "positive definite"
        if self.conditional > 0:
            return "conditionally positive definite"
        return "not known to be definite"

    @property
    def max_dimension(self) -> float:
        """The largest dimension in which the property named by ``kind`` is known to hold."""
        return self.positive if self.positive > 0 else self.conditional

    def __str__(self) -> str:
        if self.max_dimension == 0:
            return self.kind
        if math.isinf(self.max_dimension):
            return f"{self.kind} in every dimension"
        return f"{self.kind} up to dimension {int(self.max_dimension)}"


_POSITIVE = Definiteness(math.inf, math.inf)
_CONDITIONAL = Definiteness(0, math.inf)
_UNKNOWN = Definiteness(0, 0)


class Kernel(ABC):
    """What every kernel offers: a call on points, a diagonal, sums and products.

    A subclass gives `evaluate`, and that is enough. It may state what is known of it in class
    attributes: ``definiteness``, a `Definiteness`, without which every use warns; and
    ``shift_free = True`` where HKH does not see a common shift of the points. A kernel that
    depends on the distance alone is better made from `IsotropicKernel`.

    Notes
    -----
    Defined in Chapter 6, A kernel is a dot product after a map. ``k1 + k2``, ``k1 * k2`` and
    ``c * k`` with a number c > 0 are kernels again, and so is ``sum([k1, k2, k3])``. Sums and
    positive multiples keep positive and conditional definiteness; products keep positive
    definiteness alone (Schur's theorem).

    Examples
    --------
    >>> mixture = 0.5 * RBF(1.0) + 0.5 * RBF(0.01)
    >>> print(mixture.definiteness)
    positive definite in every dimension
    >>> np.round(mixture([[0.0], [1.0]]), 4)
    array([[1.   , 0.679],
           [0.679, 1.   ]])

    A kernel of one's own, the overlap of two histograms:

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
        """Return k(x_i, y_j) for checked points: what a subclass has to give.

        It is called on blocks of rows, so that an entry may depend on its own two rows alone.

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
        """Return k(x_i, x_j) for checked points, exactly symmetric.

        The upper triangle is evaluated, 128 rows at a time, and copied into the lower one.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Finite points.

        Returns
        -------
        ndarray of shape (n, n)
        """
        K = np.empty((len(X), len(X)))
        for start in range(0, len(X), _PANEL_ROWS):
            rows = slice(start, start + _PANEL_ROWS)
            panel = self.cross(X[rows], X[start:])
            corner = panel[:, : len(panel)]
            K[rows, rows] = 0.5 * corner + 0.5 * corner.T
            K[rows, rows.stop :] = panel[:, len(panel) :]
            K[rows.stop :, rows] = panel[:, len(panel) :].T
        return K

    @property
    def isotropic(self) -> bool:
        """Whether k(x, y) depends on the distance ||x - y|| alone."""
        return False

    @property
    def shift_free(self) -> bool:
        """Whether HKH stays the same when every point moves by one common vector."""
        return self.isotropic

    @property
    def definiteness(self) -> Definiteness:
        """What is known of the kernel's definiteness: nothing, unless a subclass says so."""
        return _UNKNOWN

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
        """Return the kernel matrix of the rows of X, or of X against Y.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Points, one a row.
        Y : array_like of shape (m, p), optional
            Further points. Without it the square matrix of X is returned, exactly symmetric.

        Returns
        -------
        ndarray of shape (n, n), or (n, m) with Y
            Entries k(x_i, y_j).

        Raises
        ------
        ValueError
            If X or Y are not finite real matrices with the same number of columns.

        Warns
        -----
        DefinitenessWarning
            If the kernel is not known to be conditionally positive definite on R^p.
        """
        X = as_points(X)
        self.warn_outside(X.shape[1])
        if Y is None:
            return self.gram(X)
        Y = as_points(Y, name="Y")
        if Y.shape[1] != X.shape[1]:
            raise ValueError(
                f"X has {X.shape[1]} columns and Y has {Y.shape[1]}: give both sets of points "
                "in the same variables"
            )
        return self.cross(X, Y)

    def profile(self, delta: ArrayLike) -> FloatArray:
        """Return r(delta), the kernel as a function of distance.

        Parameters
        ----------
        delta : array_like of any shape
            Distances or dissimilarities, finite and not negative.

        Returns
        -------
        ndarray of the shape of delta
            r(delta). RBF, Exponential and DampedCosine have r(0) = 1, Power has r(0) = 0; sums,
            products and multiples combine these values.

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
        """Return the distances at which the profile takes given values.

        Parameters
        ----------
        values : array_like of any shape
            Values of r. Beyond the range of r they are moved to its nearest end.

        Returns
        -------
        ndarray of the shape of values
            delta >= 0 with r(delta) equal to the value.

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
        """Return k(x_i, x_i) for the rows of X, without the rest of the matrix.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Points, one a row.

        Returns
        -------
        ndarray of shape (n,)
            The squared lengths of the feature vectors phi(x_i).
        """
        X = as_points(X)
        if self.isotropic:
            return self.r(np.zeros(len(X)))
        blocks = (X[start : start + 16] for start in range(0, len(X), 16))
        return np.concatenate([np.diagonal(self.cross(block, block)) for block in blocks])

    def warn_outside(self, dimension: int) -> None:
        """Warn if the kernel is not known to be conditionally definite on R^dimension.

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
        """Return r(delta) for checked distances; isotropic kernels alone have it."""
        raise NotImplementedError

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        """Return r(delta) from delta^2, which may be overwritten."""
        return self.r(np.sqrt(squares, out=squares))

    def r_inverse(self, values: FloatArray) -> FloatArray:
        """Return delta with r(delta) equal to the checked values, where r has an inverse."""
        raise ValueError(
            f"{self!r} has no inverse profile in closed form, so distances cannot be read off "
            "kernel values; RBF, Exponential and Power have one, and their multiples"
        )

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({parameters})"

    def __add__(self, other: Kernel) -> Sum:
        if isinstance(other, Kernel):
            return Sum(self, other)
        return NotImplemented

    def __radd__(self, other: int) -> Kernel:
        """Add nothing: ``sum`` starts from 0."""
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


class IsotropicKernel(Kernel):
    """A kernel k(x, y) = r(||x - y||).

    A subclass gives the profile `r`, and that is enough. It may give `r_of_squares` where the
    square root is a detour, and `r_inverse` where the profile has an inverse, which pre-images
    need. What is known of its definiteness stands in the class attribute ``definiteness``.

    Notes
    -----
    Defined in Chapter 6, A kernel is a dot product after a map.

    Examples
    --------
    >>> class Cauchy(IsotropicKernel):
    ...     definiteness = Definiteness(math.inf, math.inf)
    ...
    ...     def r(self, delta):
    ...         return 1 / (1 + delta**2)
    >>> Cauchy()([[0.0], [1.0], [3.0]]).round(3)
    array([[1. , 0.5, 0.1],
           [0.5, 1. , 0.2],
           [0.1, 0.2, 1. ]])
    """

    @property
    def isotropic(self) -> bool:
        """Always true here."""
        return True

    @abstractmethod
    def r(self, delta: FloatArray) -> FloatArray:
        """Return the profile at checked distances: what a subclass has to give.

        Parameters
        ----------
        delta : ndarray of any shape
            Distances, finite and not negative, not to be changed.

        Returns
        -------
        ndarray of the shape of delta
            A new array.
        """

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return the profile of the distances; see `Kernel.evaluate`."""
        return _of_distances(self, X, Y)

    def gram(self, X: FloatArray) -> FloatArray:
        """Return the profile of the distances; see `Kernel.gram`."""
        return _of_distances(self, X, None)


@dataclass(frozen=True)
class Linear(Kernel):
    """The kernel k(x, y) = x . y, whose feature map is the identity.

    Notes
    -----
    Defined in Chapter 6, A kernel is a dot product after a map. Positive definite in every
    dimension. Kernel PCA with this kernel is PCA.

    Examples
    --------
    >>> Linear()([[1.0, 2.0], [3.0, 4.0]])
    array([[ 5., 11.],
           [11., 25.]])
    """

    definiteness = _POSITIVE
    shift_free = True  # H X X^T H does not see a common shift

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return X Y^T."""
        return X @ Y.T

    def gram(self, X: FloatArray) -> FloatArray:
        """Return X X^T, which NumPy computes exactly symmetric, and fastest in one piece."""
        return X @ X.T


@dataclass(frozen=True)
class Polynomial(Kernel):
    """The kernel k(x, y) = (scale x . y + offset)^degree.

    Parameters
    ----------
    degree : int
        Positive.
    offset : float
        Not negative. With 0 only monomials of exactly this degree remain.
    scale : float
        Positive; scikit-learn's ``gamma``.

    Raises
    ------
    ValueError
        If a parameter is outside its range.

    Notes
    -----
    Derived in Chapter 6, A kernel is a dot product after a map: for degree r in p variables
    the feature map has C(p + r, r) coordinates, monomials weighted by the square roots of the
    multinomial coefficients. Positive definite in every dimension. Source: Williams (2001),
    Section 4.2.

    Examples
    --------
    >>> Polynomial(degree=2, offset=1.0)([[1.0, 1.0]], [[1.0, 1.0], [0.0, 2.0]])
    array([[9., 9.]])
    """

    degree: int
    offset: float = 1.0
    scale: float = 1.0

    definiteness = _POSITIVE

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", check_count(self.degree, "degree"))
        _keep_number(self, "offset")
        _keep_number(self, "scale", positive=True)

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return (scale X Y^T + offset)^degree."""
        products = X @ Y.T
        products *= self.scale
        products += self.offset
        return np.power(products, self.degree, out=products)


@dataclass(frozen=True)
class RBF(IsotropicKernel):
    """The Gaussian kernel k(x, y) = exp(-theta ||x - y||^2).

    Parameters
    ----------
    theta : float
        Positive, in units of 1 / distance^2; scikit-learn's ``gamma``, kernlab's ``sigma``.

    Raises
    ------
    ValueError
        If theta is not positive.

    Notes
    -----
    Defined in Chapter 6, A kernel is a dot product after a map. Profile r(delta) = exp(-theta
    delta^2), r(0) = 1. Positive definite in every dimension. Source: Williams (2001), equation
    5.

    Examples
    --------
    >>> np.round(RBF(theta=0.5)([[0.0, 0.0], [1.0, 1.0]]), 4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    theta: float

    definiteness = _POSITIVE

    def __post_init__(self) -> None:
        _keep_number(self, "theta", positive=True)

    def r(self, delta: FloatArray) -> FloatArray:
        """Return exp(-theta delta^2)."""
        return self.r_of_squares(np.asarray(np.square(delta)))

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        """Return exp(-theta squares), in place."""
        exponent = np.multiply(squares, -self.theta, out=squares)
        return np.exp(exponent, out=exponent)

    def r_inverse(self, values: FloatArray) -> FloatArray:
        """Return delta = sqrt(-log(r) / theta)."""
        return np.sqrt(-np.log(_unit_range(values)) / self.theta)


@dataclass(frozen=True)
class Exponential(IsotropicKernel):
    """The kernel k(x, y) = exp(-theta ||x - y||).

    Parameters
    ----------
    theta : float
        Positive, in units of 1 / distance.

    Raises
    ------
    ValueError
        If theta is not positive.

    Notes
    -----
    Used in Chapter 8, Kernel MDS. Profile r(delta) = exp(-theta delta), r(0) = 1. Positive
    definite in every dimension. The distance is Euclidean: scikit-learn's ``laplacian``
    kernel takes the city-block distance instead and agrees only in one dimension.

    Examples
    --------
    >>> np.round(Exponential(theta=1.0).profile([0.0, 1.0, 2.0]), 4)
    array([1.    , 0.3679, 0.1353])
    """

    theta: float

    definiteness = _POSITIVE

    def __post_init__(self) -> None:
        _keep_number(self, "theta", positive=True)

    def r(self, delta: FloatArray) -> FloatArray:
        """Return exp(-theta delta)."""
        return np.exp(-self.theta * delta)

    def r_inverse(self, values: FloatArray) -> FloatArray:
        """Return delta = -log(r) / theta."""
        return -np.log(_unit_range(values)) / self.theta


@dataclass(frozen=True)
class DampedCosine(IsotropicKernel):
    """The kernel k(x, y) = exp(-alpha d) cos(omega d) with d = ||x - y||.

    Parameters
    ----------
    alpha : float
        Rate of the damping, not negative, in units of 1 / distance.
    omega : float
        Angular frequency, not negative, in units of 1 / distance.

    Raises
    ------
    ValueError
        If a parameter is negative or not finite.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS. r(0) = 1, and r is not monotone. Positive definite on R^d
    exactly when alpha >= omega cot(pi / (2 d)): any alpha on the line, alpha >= omega in the
    plane, alpha >= sqrt(3) omega in space. The bound is compared with a relative tolerance of
    1e-12. Source: Yaglom (1987); Williams (2001), Remark 2, names the kernel without the bound.

    Examples
    --------
    >>> DampedCosine(alpha=1.8, omega=1.0).definiteness.max_dimension
    3
    """

    alpha: float
    omega: float

    def __post_init__(self) -> None:
        _keep_number(self, "alpha")
        _keep_number(self, "omega")

    @property
    def definiteness(self) -> Definiteness:
        """Positive definite up to the largest d with alpha >= omega cot(pi / (2 d))."""
        if self.omega == 0:
            return _POSITIVE
        bound = math.pi / (2 * math.atan2(self.omega, self.alpha))
        dimension = math.floor(bound * (1 + 1e-12))
        return Definiteness(dimension, dimension)

    def r(self, delta: FloatArray) -> FloatArray:
        """Return exp(-alpha delta) cos(omega delta)."""
        return np.exp(-self.alpha * delta) * np.cos(self.omega * delta)


@dataclass(frozen=True)
class Power(IsotropicKernel):
    """The kernel k(x, y) = -||x - y||^beta.

    Parameters
    ----------
    beta : float
        Positive exponent.

    Raises
    ------
    ValueError
        If beta is not positive.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS. r(delta) = -delta^beta with r(0) = 0. Never positive
    definite; conditionally positive definite in every dimension exactly when 0 < beta <= 2.
    With beta = 2 kernel MDS is classical scaling of sqrt(2) delta. Source: Schoenberg (1938);
    Williams (2001), Section 2.3, prints the condition without its lower end.

    Examples
    --------
    >>> Power(beta=1.0)([[0.0], [1.0], [3.0]])
    array([[ 0., -1., -3.],
           [-1.,  0., -2.],
           [-3., -2.,  0.]])
    """

    beta: float

    def __post_init__(self) -> None:
        _keep_number(self, "beta", positive=True)

    @property
    def definiteness(self) -> Definiteness:
        """Conditionally positive definite in every dimension for beta <= 2, else not."""
        return _CONDITIONAL if self.beta <= 2 else _UNKNOWN

    def r(self, delta: FloatArray) -> FloatArray:
        """Return -delta^beta."""
        return 0.0 - np.power(delta, self.beta)

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        """Return -squares^(beta / 2), in place."""
        powers = np.power(squares, self.beta / 2, out=squares)
        return np.subtract(0.0, powers, out=powers)

    def r_inverse(self, values: FloatArray) -> FloatArray:
        """Return delta = (-r)^(1 / beta)."""
        return np.power(np.maximum(-values, 0.0), 1 / self.beta)


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
            return _of_distances(self, X, Y)
        return self._combine(self.left.evaluate(X, Y), self.right.evaluate(X, Y))

    def gram(self, X: FloatArray) -> FloatArray:
        """Combine the two kernels; see `Kernel.gram`."""
        return _of_distances(self, X, None) if self.isotropic else super().gram(X)

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
    def shift_free(self) -> bool:
        """Whether both terms are."""
        return self.left.shift_free and self.right.shift_free

    @property
    def definiteness(self) -> Definiteness:
        """As definite as the weaker term."""
        left, right = self.left.definiteness, self.right.definiteness
        return Definiteness(
            min(left.positive, right.positive), min(left.conditional, right.conditional)
        )

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
        if isinstance(left, RBF) and isinstance(right, RBF):
            return RBF(left.theta + right.theta).r_inverse(values)
        if isinstance(left, Exponential) and isinstance(right, Exponential):
            return Exponential(left.theta + right.theta).r_inverse(values)
        return super().r_inverse(values)

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
        _keep_number(self, "factor", positive=True)

    @property
    def isotropic(self) -> bool:
        """Whether the kernel is."""
        return self.kernel.isotropic

    @property
    def shift_free(self) -> bool:
        """Whether the kernel is."""
        return self.kernel.shift_free

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

    def r_inverse(self, values: FloatArray) -> FloatArray:
        """Return the inverse profile at values / factor."""
        return self.kernel.r_inverse(values / self.factor)


def _of_distances(kernel: Kernel, X: FloatArray, Y: FloatArray | None) -> FloatArray:
    """Return the profile of the distances, with no other array of the size of the result."""

    def finish(squares: FloatArray) -> FloatArray:
        with np.errstate(over="ignore", under="ignore"):
            return kernel.r_of_squares(squares)

    return map_squared_distances(X, Y, finish)


def _keep_number(kernel: Kernel, name: str, *, positive: bool = False) -> None:
    """Check a parameter and store it as a float."""
    value = check_number(getattr(kernel, name), name, positive=positive)
    object.__setattr__(kernel, name, value)


def _unit_range(values: FloatArray) -> FloatArray:
    """Return values of a profile moved into (0, 1], with the least positive float as lower end."""
    return np.clip(values, np.finfo(float).tiny, 1.0)
