"""Statistics of two samples or of pairs under many permutations of tables centred once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from typing import Literal, ParamSpec

import numpy as np
from numpy.typing import NDArray

from kmds_lib._checks import FloatArray

Estimator = Literal["V", "U"]
Options = ParamSpec("Options")

_BLOCK = 128
"""Permutations multiplied at once, and rows of a table permuted at once."""


@dataclass(frozen=True, eq=False)
class TwoSamples:
    """Two samples in one table, whose labels are permuted.

    ``M`` is HKH, without its diagonal for the U-statistic; ``second`` is true for the objects of
    the second sample. Rounding alone takes a statistic below 0 by up to ``rounding``: it is then
    0.
    """

    M: FloatArray
    second: NDArray[np.bool_]
    estimator: Estimator
    rounding: float

    @property
    def observed(self) -> float:
        """Mean of M within both samples, less twice the mean across."""
        return float(self._values(self.second[:, None])[0])

    def permuted(self, q: int, rng: np.random.Generator) -> FloatArray:
        """Return the statistic of q random arrangements."""
        blocks = []
        for start in range(0, q, _BLOCK):
            labels = np.tile(self.second, (min(_BLOCK, q - start), 1))
            blocks.append(self._values(rng.permuted(labels, axis=1).T))
        return np.concatenate(blocks)

    def _values(self, second: NDArray[np.bool_]) -> FloatArray:
        """Return the statistic for each column of labels, from the sums over three blocks of M."""
        v = second.astype(np.float64)
        n, rows = int(self.second.sum()), self.M.sum(axis=1)
        m = len(self.M) - n
        yy = np.einsum("ij,ij->j", v, self.M @ v)
        xy = rows @ v - yy
        xx = rows.sum() - 2 * xy - yy
        drop = 1 if self.estimator == "U" else 0
        within = xx / (m * (m - drop)) + yy / (n * (n - drop))
        return _settled(np.asarray(within - 2 * xy / (m * n)), self.rounding)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Two tables of the same objects, whose pairing is permuted.

    Both are centred, the first divided by what the statistic divides by. ``rounding`` is as for
    `TwoSamples`; beyond ``highest`` nothing but rounding takes the statistic.
    """

    M: FloatArray
    M_other: FloatArray
    rounding: float
    highest: float = math.inf

    @property
    def observed(self) -> float:
        """Sum of the products of entries, which is the trace of the product."""
        value = np.asarray(np.vdot(self.M, self.M_other))
        return float(_settled(value, self.rounding, self.highest))

    def permuted(self, q: int, rng: np.random.Generator) -> FloatArray:
        """Return the statistic of q random arrangements."""
        n = len(self.M)
        values = np.array([self._value(rng.permutation(n)) for _ in range(q)])
        return _settled(values, self.rounding, self.highest)

    def _value(self, order: NDArray[np.intp]) -> float:
        """Sum over the upper triangle of blocks; both tables are symmetric."""
        total = 0.0
        for top in range(0, len(order), _BLOCK):
            rows = slice(top, top + _BLOCK)
            panel = self.M_other[order[rows]].take(order[top:], axis=1)
            weights = self.M[rows, top:]
            corner = np.vdot(weights[:, :_BLOCK], panel[:, :_BLOCK])
            total += 2 * float(np.vdot(weights, panel)) - float(corner)
        return total


def observed(arrange: Callable[Options, TwoSamples | Pairs]) -> Callable[Options, float]:
    """Let what arranges tables return their statistic; a permutation test unwraps the tables."""

    @wraps(arrange)
    def statistic(*args: Options.args, **options: Options.kwargs) -> float:
        return arrange(*args, **options).observed

    # What is documented is what callers get.
    shown = signature(arrange).replace(return_annotation="float")
    statistic.__signature__ = shown  # type: ignore[attr-defined]
    statistic.__annotations__ = arrange.__annotations__ | {"return": "float"}
    return statistic


def _settled(values: FloatArray, rounding: float, highest: float = math.inf) -> FloatArray:
    """Return statistics without what rounding took below 0 or beyond the highest value."""
    at_zero = (values < 0) & (values >= -rounding)
    return np.minimum(np.where(at_zero, 0.0, values), highest)
