"""The kernel families of the book, listed in `FAMILIES`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kmds_lib._parameters import check_count, check_field
from kmds_lib._types import FloatArray
from kmds_lib.kernels._base import Kernel
from kmds_lib.kernels._definiteness import CONDITIONAL, POSITIVE, UNKNOWN, Definiteness
from kmds_lib.kernels._isotropic import IsotropicKernel

_LARGEST_DIMENSION = 1e12
"""Larger bounds count as infinite, because float64 cannot resolve integers near them."""


@dataclass(frozen=True)
class Linear(Kernel):
    r"""The kernel :math:`k(x, y) = x^\top y`, whose feature map is the identity.

    Notes
    -----
    Defined in Chapter 6, Kernels and feature maps. Positive definite in every dimension. Kernel
    PCA with this kernel is PCA.

    Examples
    --------
    >>> Linear()([[1.0, 2.0], [3.0, 4.0]])
    array([[ 5., 11.],
           [11., 25.]])
    """

    definiteness = POSITIVE
    translation_invariant = True  # H X X^T H does not change with a translation

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        r"""Return :math:`X Y^\top`."""
        return X @ Y.T

    def gram(self, X: FloatArray) -> FloatArray:
        r"""Return :math:`X X^\top`, which NumPy computes exactly symmetric."""
        return X @ X.T


@dataclass(frozen=True)
class Polynomial(Kernel):
    r"""The kernel :math:`k(x, y) = (\text{scale}\; x^\top y + \text{offset})^{\text{degree}}`.

    Parameters
    ----------
    degree : int
        Positive.
    offset : float
        Not negative. With 0, the features are the monomials of exactly this degree.
    scale : float
        Positive; scikit-learn's ``gamma``.

    Notes
    -----
    Derived in Chapter 6, Kernels and feature maps: for degree r in p variables the feature map has
    C(p + r, r) coordinates, monomials weighted by the square roots of the multinomial
    coefficients. Positive definite in every dimension. Source: Williams (2001), Section 4.2.

    Examples
    --------
    >>> Polynomial(degree=2, offset=1.0)([[1.0, 1.0]], [[1.0, 1.0], [0.0, 2.0]])
    array([[9., 9.]])
    """

    degree: int
    offset: float = 1.0
    scale: float = 1.0

    definiteness = POSITIVE

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", check_count(self.degree, "degree"))
        check_field(self, "offset")
        check_field(self, "scale", positive=True)

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        r"""Return :math:`(\text{scale}\; X Y^\top + \text{offset})^{\text{degree}}`."""
        products = X @ Y.T
        products *= self.scale
        products += self.offset
        return np.power(products, self.degree, out=products)


@dataclass(frozen=True)
class RBF(IsotropicKernel):
    r"""The Gaussian kernel :math:`k(x, y) = \exp(-\theta \|x - y\|^2)`.

    Parameters
    ----------
    theta : float
        Positive, in units of :math:`1 / \text{distance}^2`; scikit-learn's ``gamma``, kernlab's
        ``sigma``. For a first guess, see `choose_theta`.

    Notes
    -----
    Defined in Chapter 6, Kernels and feature maps. Profile :math:`r(\delta) = \exp(-\theta
    \delta^2)`, :math:`r(0) = 1`. Positive definite in every dimension. Source: Williams (2001),
    equation 5.

    Examples
    --------
    >>> np.round(RBF(theta=0.5)([[0.0, 0.0], [1.0, 1.0]]), 4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    theta: float

    definiteness = POSITIVE

    def __post_init__(self) -> None:
        check_field(self, "theta", positive=True)

    def r(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`\exp(-\theta \delta^2)`."""
        return self.r_of_squares(np.asarray(np.square(delta)))

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        r"""Return :math:`\exp(-\theta \cdot \text{squares})`, in place."""
        exponent = np.multiply(squares, -self.theta, out=squares)
        return np.exp(exponent, out=exponent)

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`\exp(-\theta \delta^2) - 1`, without cancellation."""
        return self.r_minus_value_at_zero_of_squares(np.asarray(np.square(delta)))

    def r_minus_value_at_zero_of_squares(self, squares: FloatArray) -> FloatArray:
        r"""Return :math:`\exp(-\theta \cdot \text{squares}) - 1`, in place."""
        exponent = np.multiply(squares, -self.theta, out=squares)
        return np.expm1(exponent, out=exponent)

    def r_inverse(self, values: FloatArray) -> FloatArray:
        r"""Return :math:`\delta = \sqrt{-\log(r) / \theta}`."""
        return np.sqrt(-np.log(_unit_range(values)) / self.theta)


@dataclass(frozen=True)
class Exponential(IsotropicKernel):
    r"""The kernel :math:`k(x, y) = \exp(-\theta \|x - y\|)`.

    Parameters
    ----------
    theta : float
        Positive, in units of 1 / distance.

    Notes
    -----
    Used in Chapter 8, Kernel multidimensional scaling. Profile :math:`r(\delta) = \exp(-\theta
    \delta)`, :math:`r(0) = 1`. Positive definite in every dimension. The distance is Euclidean:
    scikit-learn's ``laplacian`` kernel uses the city-block distance instead, so that the two agree
    only in one dimension.

    Examples
    --------
    >>> np.round(Exponential(theta=1.0).profile([0.0, 1.0, 2.0]), 4)
    array([1.    , 0.3679, 0.1353])
    """

    theta: float

    definiteness = POSITIVE

    def __post_init__(self) -> None:
        check_field(self, "theta", positive=True)

    def r(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`\exp(-\theta \delta)`."""
        return np.exp(-self.theta * delta)

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`\exp(-\theta \delta) - 1`, without cancellation."""
        return np.expm1(-self.theta * delta)

    def r_inverse(self, values: FloatArray) -> FloatArray:
        r"""Return :math:`\delta = -\log(r) / \theta`."""
        return -np.log(_unit_range(values)) / self.theta


@dataclass(frozen=True)
class DampedCosine(IsotropicKernel):
    r"""The kernel :math:`k(x, y) = \exp(-\alpha d) \cos(\omega d)` with :math:`d = \|x - y\|`.

    Parameters
    ----------
    alpha : float
        Rate of the damping, not negative, in units of 1 / distance.
    omega : float
        Angular frequency, not negative, in units of 1 / distance.

    Notes
    -----
    Derived in Chapter 8, Kernel multidimensional scaling. :math:`r(0) = 1`, and r is not monotone.
    Positive definite on :math:`\mathbb R^d` exactly when :math:`\alpha \ge \omega \cot(\pi /
    (2d))`: any alpha on the line, :math:`\alpha \ge \omega` in the plane, :math:`\alpha \ge
    \sqrt3\, \omega` in space. The bound is compared with a relative tolerance of 1e-12. Source:
    Yaglom (1987); Williams (2001), Remark 2, names the kernel without the bound.

    Examples
    --------
    >>> DampedCosine(alpha=1.8, omega=1.0).definiteness.max_dimension
    3
    """

    alpha: float
    omega: float

    def __post_init__(self) -> None:
        check_field(self, "alpha")
        check_field(self, "omega")

    @property
    def definiteness(self) -> Definiteness:
        r"""Return the largest dimension d with :math:`\alpha \ge \omega \cot(\pi/(2d))`."""
        angle = math.atan2(self.omega, self.alpha)
        bound = math.pi / (2 * angle) if angle else math.inf
        if bound > _LARGEST_DIMENSION:
            return POSITIVE
        dimension = math.floor(bound * (1 + 1e-12))
        return Definiteness(dimension, dimension)

    def r(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`\exp(-\alpha \delta) \cos(\omega \delta)`."""
        return np.exp(-self.alpha * delta) * np.cos(self.omega * delta)

    def r_minus_value_at_zero(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`e^{-\alpha\delta} - 1 - 2 e^{-\alpha\delta} \sin^2(\omega\delta/2)`."""
        damped = 2 * np.exp(-self.alpha * delta) * np.sin(0.5 * self.omega * delta) ** 2
        return np.asarray(np.expm1(-self.alpha * delta) - damped)


@dataclass(frozen=True)
class Power(IsotropicKernel):
    r"""The kernel :math:`k(x, y) = -\|x - y\|^\beta`.

    Parameters
    ----------
    beta : float
        Positive exponent.

    Notes
    -----
    Derived in Chapter 8, Kernel multidimensional scaling. :math:`r(\delta) = -\delta^\beta` with
    :math:`r(0) = 0`. Never positive definite; conditionally positive definite in every dimension
    exactly when :math:`0 < \beta \le 2`. With beta = 2 kernel MDS is classical scaling of
    :math:`\sqrt2\, \delta`. Source: Schoenberg (1938); Williams (2001), Section 2.3, prints the
    condition without its lower end.

    Examples
    --------
    >>> Power(beta=1.0)([[0.0], [1.0], [3.0]])
    array([[ 0., -1., -3.],
           [-1.,  0., -2.],
           [-3., -2.,  0.]])
    """

    beta: float

    def __post_init__(self) -> None:
        check_field(self, "beta", positive=True)

    @property
    def definiteness(self) -> Definiteness:
        """Return conditional definiteness in every dimension if beta <= 2, else none."""
        return CONDITIONAL if self.beta <= 2 else UNKNOWN

    def r(self, delta: FloatArray) -> FloatArray:
        r"""Return :math:`-\delta^\beta`."""
        return 0.0 - np.power(delta, self.beta)

    def r_of_squares(self, squares: FloatArray) -> FloatArray:
        r"""Return :math:`-\text{squares}^{\beta / 2}`, in place."""
        powers = np.power(squares, self.beta / 2, out=squares)
        return np.subtract(0.0, powers, out=powers)

    r_minus_value_at_zero = r  # since r(0) = 0
    r_minus_value_at_zero_of_squares = r_of_squares

    def r_inverse(self, values: FloatArray) -> FloatArray:
        r"""Return :math:`\delta = (-r)^{1 / \beta}`."""
        return np.power(np.maximum(-values, 0.0), 1 / self.beta)


FAMILIES = (Linear, Polynomial, RBF, Exponential, DampedCosine, Power)
"""All families. A test lists what else a new family needs."""


def _unit_range(values: FloatArray) -> FloatArray:
    """Return values of a profile, clipped to the range from the smallest positive float to 1."""
    return np.clip(values, np.finfo(float).tiny, 1.0)
