"""Kernels as small objects: callable, with their profile and what is known of them.

A kernel is a function k(x, y) of two points. Each kernel here is a frozen object that turns
points into kernel matrices, gives its profile r(delta) where it depends on distance alone, and
states in which dimensions it is known to be positive definite or conditionally so. A kernel of
one's own is a subclass with one method: see `Kernel` and `IsotropicKernel`.

Derived in Chapter 6, A kernel is a dot product after a map, and Chapter 8, Kernel MDS.
"""

from kmds_lib.kernels._algebra import Multiple, Product, Sum
from kmds_lib.kernels._base import Kernel
from kmds_lib.kernels._definiteness import Definiteness, DefinitenessWarning
from kmds_lib.kernels._families import (
    FAMILIES,
    RBF,
    DampedCosine,
    Exponential,
    Linear,
    Polynomial,
    Power,
)
from kmds_lib.kernels._isotropic import IsotropicKernel

__all__ = [
    "FAMILIES",
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
