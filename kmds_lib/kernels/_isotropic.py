"""Kernels that depend on the distance alone: of one's own, or those of the book."""

from __future__ import annotations

from abc import abstractmethod

from kmds_lib._checks import FloatArray
from kmds_lib.kernels._base import Kernel, of_distances


class IsotropicKernel(Kernel):
    r"""A kernel :math:`k(x, y) = r(\|x - y\|)`.

    A subclass gives the profile `r`, and that is enough. It may give `r_of_squares` where the
    square root is a detour, and `r_inverse` where the profile has an inverse, which pre-images
    need. What is known of its definiteness stands in the class attribute ``definiteness``.

    Notes
    -----
    Defined in Chapter 6, A kernel is a dot product after a map.

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
        return of_distances(self, X, Y)

    def gram(self, X: FloatArray) -> FloatArray:
        """Return the profile of the distances; see `Kernel.gram`."""
        return of_distances(self, X, X)
