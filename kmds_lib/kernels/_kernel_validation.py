"""Checks of kernels, and of functions that return one, which are given as a parameter."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature

from kmds_lib.kernels._base import Kernel


def check_kernel(kernel: object, name: str, alternative: str) -> None:
    """Refuse an object that is not a `Kernel`; the message names an alternative."""
    if isinstance(kernel, type) and issubclass(kernel, Kernel):
        parameters = ", ".join(signature(kernel).parameters)
        raise ValueError(
            f"{name} is the class {kernel.__name__}({parameters}): give a kernel object with its "
            f"parameters, such as RBF(1.0) or RBF(choose_theta(X)), or {alternative}."
        )
    if not isinstance(kernel, Kernel):
        raise ValueError(
            f"{name} is {kernel!r}: give a kernel object with its parameters, such as RBF(1.0), "
            f"or {alternative}."
        )


def check_takes_theta(kernel: Callable[[float], Kernel]) -> None:
    """Refuse what is not a class or a function."""
    if isinstance(kernel, Kernel) or not callable(kernel):
        raise ValueError(
            f"kernel is {kernel!r}: give a function that returns a kernel for a theta, "
            "such as the class RBF, or lambda theta: 0.5 * RBF(theta) + Linear()."
        )
