"""Statistics of two samples or of pairs under many permutations; matrices are centred once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kmds_lib._types import FloatArray

Estimator = Literal["V", "U"]

_BLOCK = 128
"""Number of permutations multiplied at once, and of rows of a matrix permuted at once."""


@dataclass(frozen=True, eq=False)
class TwoSamples:
    """The centred kernel matrix of two samples together; the labels are permuted.

    ``HKH`` has a zero diagonal for the U-statistic. ``second`` is True for the objects of the
    second sample. Statistics between ``-tolerance`` and 0 are replaced by 0.
    """

    HKH: FloatArray
    second: NDArray[np.bool_]
    estimator: Estimator
    tolerance: float

    @property
    def observed(self) -> float:
        """Return the sum of the means of HKH within each sample, minus twice that between them."""
        return float(self._values(self.second[:, None])[0])

    def permuted(self, q: int, rng: np.random.Generator) -> FloatArray:
        """Return the statistic for q random permutations of the labels."""
        blocks = []
        for start in range(0, q, _BLOCK):
            labels = np.tile(self.second, (min(_BLOCK, q - start), 1))
            blocks.append(self._values(rng.permuted(labels, axis=1).T))
        return np.concatenate(blocks)

    def _values(self, second: NDArray[np.bool_]) -> FloatArray:
        """Return the statistic for each column of labels, from the sums over blocks of HKH."""
        v = second.astype(np.float64)
        n, rows = int(self.second.sum()), self.HKH.sum(axis=1)
        m = len(self.HKH) - n
        yy = np.einsum("ij,ij->j", v, self.HKH @ v)
        xy = rows @ v - yy
        xx = rows.sum() - 2 * xy - yy
        drop = 1 if self.estimator == "U" else 0
        within = xx / (m * (m - drop)) + yy / (n * (n - drop))
        return _round_to_range(np.asarray(within - 2 * xy / (m * n)), self.tolerance)


@dataclass(frozen=True, eq=False)
class PairedSamples:
    """Two centred kernel matrices of the same objects; the order of one is permuted.

    ``fixed`` is already divided by the divisor of the statistic. Statistics between ``-tolerance``
    and 0 are replaced by 0, and those above ``upper_bound`` by it.
    """

    fixed: FloatArray
    permutable: FloatArray
    tolerance: float
    upper_bound: float = math.inf

    @property
    def observed(self) -> float:
        """Return the trace of the product, which is the sum of the products of entries."""
        value = np.asarray(np.vdot(self.fixed, self.permutable))
        return float(_round_to_range(value, self.tolerance, self.upper_bound))

    def permuted(self, q: int, rng: np.random.Generator) -> FloatArray:
        """Return the statistic for q random permutations of the pairing."""
        n = len(self.fixed)
        values = np.array([self._value(rng.permutation(n)) for _ in range(q)])
        return _round_to_range(values, self.tolerance, self.upper_bound)

    def _value(self, order: NDArray[np.intp]) -> float:
        """Return the statistic for one order, from the blocks on and above the diagonal."""
        total = 0.0
        for top in range(0, len(order), _BLOCK):
            rows = slice(top, top + _BLOCK)
            permuted = self.permutable[order[rows]].take(order[top:], axis=1)
            fixed = self.fixed[rows, top:]
            diagonal_block = np.vdot(fixed[:, :_BLOCK], permuted[:, :_BLOCK])
            total += 2 * float(np.vdot(fixed, permuted)) - float(diagonal_block)
        return total


CentredMatrices = TwoSamples | PairedSamples


def _round_to_range(values: FloatArray, tolerance: float, upper: float = math.inf) -> FloatArray:
    """Replace statistics that rounding errors took below 0 or above the upper bound."""
    at_zero = (values < 0) & (values >= -tolerance)
    return np.minimum(np.where(at_zero, 0.0, values), upper)
