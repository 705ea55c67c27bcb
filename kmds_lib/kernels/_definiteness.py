"""The dimensions in which kernels are known to be definite."""

from __future__ import annotations

import math
from dataclasses import dataclass


class DefinitenessWarning(UserWarning):
    """Warning that a kernel is used in a dimension in which it is not known to be definite."""


@dataclass(frozen=True)
class Definiteness:
    r"""The largest dimensions in which a kernel is known to be definite.

    Parameters
    ----------
    positive : float
        Largest dimension d such that the kernel is positive definite on :math:`\mathbb R^d`; 0 if
        there is no such dimension, infinity if the property holds in every dimension.
    conditional : float
        The same for conditional positive definiteness: :math:`HKH` is positive semidefinite for
        every set of points. Never below ``positive``.

    Notes
    -----
    Defined in Chapter 6, Kernels and feature maps; the conditional case in Chapter 8. The value 0
    means that nothing is known. It does not mean that the kernel is indefinite.

    Examples
    --------
    >>> from kmds_lib.kernels import DampedCosine, Power
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
                "0 <= positive <= conditional, because a positive definite kernel is also "
                "conditionally positive definite."
            )

    @property
    def kind(self) -> str:
        """Return "[conditionally] positive definite" or "not known to be definite"."""
        if self.positive > 0:
            return "positive definite"
        if self.conditional > 0:
            return "conditionally positive definite"
        return "not known to be definite"

    @property
    def max_dimension(self) -> float:
        """Return the largest dimension in which the property in ``kind`` is known to hold."""
        return self.positive if self.positive > 0 else self.conditional

    def __str__(self) -> str:
        if self.max_dimension == 0:
            return self.kind
        if math.isinf(self.max_dimension):
            return f"{self.kind} in every dimension"
        return f"{self.kind} up to dimension {int(self.max_dimension)}"


POSITIVE = Definiteness(math.inf, math.inf)
CONDITIONAL = Definiteness(0, math.inf)
UNKNOWN = Definiteness(0, 0)
