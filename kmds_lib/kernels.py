"""Kernels as small objects: callable, with their profile and what is known of them.

A kernel is a function k(x, y) of two points. Each kernel here is a frozen object that turns
points into kernel matrices, gives its profile r(delta) where it depends on distance alone, and
states in which dimensions it is known to be positive definite or conditionally so.

Derived in Chapter 6, A kernel is a dot product after a map, and Chapter 8, Kernel MDS.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike

from kmds_lib._checks import as_points, check_number, warn_caller
from kmds_lib.gram import map_squared_distances

__all__ = [
    "RBF",
    "DampedCosine",
    "Definiteness",
    "DefinitenessWarning",
    "Exponential",
    "Kernel",
    "Linear",
    "Multiple",
    "Polynomial",
    "Power",
    "Product",
    "Sum",
]


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


class Kernel:
    """What every kernel offers: a call on points, a diagonal, sums and products.

    Notes
    -----
    Defined in Chapter 6, A kernel is a dot product after a map. ``k1 + k2``, ``k1 * k2`` and
    ``c * k`` with a number c > 0 are kernels again. Sums and positive multiples keep positive
    and conditional definiteness; products keep positive definiteness alone (Schur's theorem).

    Examples
    --------
    >>> mixture = 0.5 * RBF(1.0) + 0.5 * RBF(0.01)
    >>> print(mixture.definiteness)
    positive definite in every dimension
    >>> np.round(mixture([[0.0], [1.0]]), 4)
    array([[1.   , 0.679],
           [0.679, 1.   ]])
    """

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
        """What is known of the kernel's definiteness, a `Definiteness`."""
        raise NotImplementedError

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> np.ndarray:
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
            return self._gram(X)
        Y = as_points(Y, name="Y")
        if Y.shape[1] != X.shape[1]:
            raise ValueError(
                f"X has {X.shape[1]} columns and Y has {Y.shape[1]}: give both sets of points "
                "in the same variables"
            )
        return self._cross(X, Y)

    def profile(self, delta: ArrayLike) -> np.ndarray:
        """Return r(delta), the kernel as a function of distance.

        Parameters
        ----------
        delta : array_like of any shape
            Distances or dissimilarities, finite and not negative.

        Returns
        -------
        ndarray of the shape of delta
            r(delta). RBF, Exponential and DampedCosine have r(0) = 1, Power has r(0) = 0; sums
            and products combine these values.

        Raises
        ------
        ValueError
            If the kernel is not isotropic, or delta is negative or not finite.
        """
        if not self.isotropic:
            raise ValueError(
                f"{self!r} has no profile: it does not depend on the distance alone; call it "
                "on points instead"
            )
        if np.iscomplexobj(delta) or np.ma.isMaskedArray(delta):
            raise ValueError("delta is complex or masked: give an array of real distances")
        delta = np.asarray(delta, dtype=float)
        if not np.all(np.isfinite(delta)) or np.any(delta < 0):
            raise ValueError("delta has a negative or non-finite entry: give distances >= 0")
        return self._profile(delta)

    def squared_distance_at(self, values: ArrayLike) -> np.ndarray:
        """Return the squared distances at which the profile takes given values.

        Parameters
        ----------
        values : array_like of any shape
            Values of r. Beyond the range of r they are moved to its nearest end.

        Returns
        -------
        ndarray of the shape of values
            delta^2 with r(delta) equal to the value.

        Raises
        ------
        ValueError
            If r is not one of the strictly decreasing profiles RBF, Exponential and Power.

        Notes
        -----
        Used in Chapter 7, Kernel PCA, for pre-images.
        """
        raise ValueError(
            f"{self!r} has no inverse profile, so distances cannot be read off kernel values; "
            "RBF, Exponential and Power have one"
        )

    def diagonal(self, X: ArrayLike) -> np.ndarray:
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
        return self._diagonal(as_points(X))

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

    def __add__(self, other: Kernel) -> Sum:
        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: Kernel | float) -> Kernel:
        if isinstance(other, Kernel):
            return Product(self, other)
        return Multiple(float(other), self) if isinstance(other, Real) else NotImplemented

    __rmul__ = __mul__


class _IsotropicKernel(Kernel):
    """A kernel k(x, y) = r(||x - y||); subclasses give the profile r as ``_profile``."""

    @property
    def isotropic(self) -> bool:
        """Always true here."""
        return True

    def _gram(self, X):
        return _isotropic(X, None, self)

    def _cross(self, X, Y):
        return _isotropic(X, Y, self)

    def _diagonal(self, X):
        return self._profile(np.zeros(len(X)))

    def _from_squared(self, squared):
        """Kernel values from squared distances, which may be overwritten."""
        return self._profile(np.sqrt(squared, out=squared))


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

    @property
    def shift_free(self) -> bool:
        """True: H X X^T H does not see a common shift."""
        return True

    @property
    def definiteness(self) -> Definiteness:
        """Positive definite in every dimension."""
        return _POSITIVE

    def _gram(self, X):
        return X @ X.T

    def _cross(self, X, Y):
        return X @ Y.T

    def _diagonal(self, X):
        return np.einsum("ij,ij->i", X, X)


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

    def __post_init__(self):
        if not isinstance(self.degree, Integral) or self.degree < 1:
            raise ValueError(f"degree is {self.degree!r}: give a positive integer")
        check_number(self.offset, "offset")
        check_number(self.scale, "scale", positive=True)

    @property
    def definiteness(self) -> Definiteness:
        """Positive definite in every dimension."""
        return _POSITIVE

    def _gram(self, X):
        return self._from_products(X @ X.T)

    def _cross(self, X, Y):
        return self._from_products(X @ Y.T)

    def _diagonal(self, X):
        return self._from_products(np.einsum("ij,ij->i", X, X))

    def _from_products(self, products):
        products *= self.scale
        products += self.offset
        return np.power(products, self.degree, out=products)


@dataclass(frozen=True)
class RBF(_IsotropicKernel):
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

    def __post_init__(self):
        check_number(self.theta, "theta", positive=True)

    @property
    def definiteness(self) -> Definiteness:
        """Positive definite in every dimension."""
        return _POSITIVE

    def squared_distance_at(self, values: ArrayLike) -> np.ndarray:
        """Return delta^2 = -log(r) / theta; see `Kernel.squared_distance_at`."""
        return -np.log(_unit_range(values)) / self.theta

    def _profile(self, delta):
        return self._from_squared(np.asarray(np.square(delta)))

    def _from_squared(self, squared):
        exponent = np.multiply(squared, -self.theta, out=squared)
        return np.exp(exponent, out=exponent)


@dataclass(frozen=True)
class Exponential(_IsotropicKernel):
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

    def __post_init__(self):
        check_number(self.theta, "theta", positive=True)

    @property
    def definiteness(self) -> Definiteness:
        """Positive definite in every dimension."""
        return _POSITIVE

    def squared_distance_at(self, values: ArrayLike) -> np.ndarray:
        """Return delta^2 = (log(r) / theta)^2; see `Kernel.squared_distance_at`."""
        return np.square(np.log(_unit_range(values)) / self.theta)

    def _profile(self, delta):
        return np.exp(-self.theta * delta)


@dataclass(frozen=True)
class DampedCosine(_IsotropicKernel):
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

    def __post_init__(self):
        for name, value in (("alpha", self.alpha), ("omega", self.omega)):
            check_number(value, name)

    @property
    def definiteness(self) -> Definiteness:
        """Positive definite up to the largest d with alpha >= omega cot(pi / (2 d))."""
        if self.omega == 0:
            return _POSITIVE
        bound = math.pi / (2 * math.atan2(self.omega, self.alpha))
        dimension = math.floor(bound * (1 + 1e-12))
        return Definiteness(dimension, dimension)

    def _profile(self, delta):
        values = np.exp(-self.alpha * delta)
        values *= np.cos(self.omega * delta)
        return values


@dataclass(frozen=True)
class Power(_IsotropicKernel):
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

    def __post_init__(self):
        check_number(self.beta, "beta", positive=True)

    @property
    def definiteness(self) -> Definiteness:
        """Conditionally positive definite in every dimension for beta <= 2, else not."""
        return _CONDITIONAL if self.beta <= 2 else _UNKNOWN

    def squared_distance_at(self, values: ArrayLike) -> np.ndarray:
        """Return delta^2 = (-r)^(2 / beta); see `Kernel.squared_distance_at`."""
        return np.power(np.maximum(-np.asarray(values, dtype=float), 0.0), 2 / self.beta)

    def _profile(self, delta):
        return 0.0 - np.power(delta, self.beta)

    def _from_squared(self, squared):
        powers = np.power(squared, self.beta / 2, out=squared)
        return np.subtract(0.0, powers, out=powers)


class _Pair(Kernel):
    """What sums and products of two kernels have in common."""

    @property
    def isotropic(self) -> bool:
        """Whether both kernels are isotropic."""
        return self.left.isotropic and self.right.isotropic

    def _gram(self, X):
        if self.isotropic:
            return _isotropic(X, None, self)
        return self._combine(self.left._gram(X), self.right._gram(X))

    def _cross(self, X, Y):
        if self.isotropic:
            return _isotropic(X, Y, self)
        return self._combine(self.left._cross(X, Y), self.right._cross(X, Y))

    def _diagonal(self, X):
        return self._combine(self.left._diagonal(X), self.right._diagonal(X))

    def _profile(self, delta):
        return self._combine(self.left._profile(delta), self.right._profile(delta))

    def _from_squared(self, squared):
        first = self.left._from_squared(squared.copy())
        return self._combine(first, self.right._from_squared(squared))


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
    end to end.
    """

    left: Kernel
    right: Kernel

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

    def _combine(self, left, right):
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
    product with a kernel that is only conditionally positive definite.
    """

    left: Kernel
    right: Kernel

    @property
    def definiteness(self) -> Definiteness:
        """Positive definite where both factors are; unknown elsewhere."""
        dimension = min(self.left.definiteness.positive, self.right.definiteness.positive)
        return Definiteness(dimension, dimension)

    def _combine(self, left, right):
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

    def __post_init__(self):
        check_number(self.factor, "factor", positive=True)

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

    def _gram(self, X):
        return self._scale(self.kernel._gram(X))

    def _cross(self, X, Y):
        return self._scale(self.kernel._cross(X, Y))

    def _diagonal(self, X):
        return self._scale(self.kernel._diagonal(X))

    def _profile(self, delta):
        return self.factor * self.kernel._profile(delta)

    def _from_squared(self, squared):
        return self._scale(self.kernel._from_squared(squared))

    def _scale(self, values):
        values *= self.factor
        return values


def _isotropic(X, Y, kernel):
    """Kernel matrix from squared distances, with no other array of its size."""

    def finish(squares):
        with np.errstate(over="ignore", under="ignore"):
            return kernel._from_squared(squares)

    return map_squared_distances(X, Y, finish)


def _unit_range(values):
    """Values of a profile moved into (0, 1], with the least positive float as lower end."""
    return np.clip(np.asarray(values, dtype=float), np.finfo(float).tiny, 1.0)
