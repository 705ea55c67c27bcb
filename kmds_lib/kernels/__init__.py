"""Kernels, with their profiles and their definiteness.

A kernel is a function k(x, y) of two points. Each kernel here is a frozen object that can be
called on points to compute a kernel matrix. It states in which dimensions it is known to be
(conditionally) positive definite, and has a profile r(delta) if it depends on the distance alone.
To define a kernel of your own, write a subclass with one method: see `Kernel` and
`IsotropicKernel`.

Derived in Chapter 6, Kernels and feature maps, and Chapter 8, Kernel multidimensional scaling.
"""

from kmds_lib.kernels._bandwidth import choose_theta
from kmds_lib.kernels._base import Kernel, Multiple, Product, Sum
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
    "choose_theta",
]
