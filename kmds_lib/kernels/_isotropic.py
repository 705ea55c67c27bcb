"""The base class of kernels that depend on the distance alone."""

from __future__ import annotations

from abc import abstractmethod

from kmds_lib._types import FloatArray
from kmds_lib.kernels._base import Kernel
from kmds_lib.kernels._profile import apply_to_distances


class IsotropicKernel(Kernel):
    r"""A kernel :math:`k(x, y) = r(\|x - y\|)`.

    A subclass must define the profile `r`. It may also define `r_of_squares`, if r can be computed
    from squared distances without a square root, and `r_inverse`, which pre-images need. The class
    attribute ``definiteness`` states in which dimensions the kernel is known to be definite.

    Notes
    -----
    Defined in Chapter 6, Kernels and feature maps.

    Examples
    --------
    >>> import math
    >>> from kmds_lib.kernels import Definiteness
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
        """Return True: the kernel depends on the distance alone."""
        return True

    @abstractmethod
    def r(self, delta: FloatArray) -> FloatArray:
        r"""Return the profile :math:`r(\delta)`.

        Parameters
        ----------
        delta : ndarray of any shape
            Distances, finite and not negative. They must not be changed.

        Returns
        -------
        ndarray of the shape of delta
            A new array.
        """

    def evaluate(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return the profile of the distances; see `Kernel.evaluate`."""
        return apply_to_distances(self.r_of_squares, X, Y)

    def gram(self, X: FloatArray) -> FloatArray:
        """Return the profile of the distances; see `Kernel.gram`."""
        return self.evaluate(X, X)
