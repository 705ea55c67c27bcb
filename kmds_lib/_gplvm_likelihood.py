"""The likelihood of a Gaussian process latent variable model (GP-LVM) and its maximisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotri
from scipy.optimize import minimize

from kmds_lib._messages import NotConvergedWarning, plural, warn_caller
from kmds_lib._parameters import check_count
from kmds_lib._types import FloatArray
from kmds_lib.kernels import RBF, Linear

MIN_NOISE = 1e-6
"""Smallest noise variance, relative to the mean square of the centred data."""

_MAX_AMPLITUDE = 1e4
"""Largest amplitude of the kernel, in the same unit. The condition of C is then at most 1e10 n."""

_TOL = 1e-7
"""Relative change of the log-likelihood per entry of X below which the optimiser stops."""


@dataclass(frozen=True, eq=False)
class LatentModel:
    """The likelihood of a GP-LVM and its gradient, for centred data of mean square 1.

    The kernel is RBF(1/2) if ``isotropic``, and Linear() otherwise. The parameters are the
    positions, row by row, and the logarithms of amplitude and noise variance.
    """

    X: FloatArray
    isotropic: bool

    def unpack(self, parameters: FloatArray) -> tuple[FloatArray, float, float]:
        """Return positions, amplitude and noise variance."""
        amplitude, noise = np.exp(parameters[-2:])
        return parameters[:-2].reshape(len(self.X), -1), float(amplitude), float(noise)

    def loss(self, parameters: FloatArray) -> tuple[float, FloatArray]:
        """Return minus the log-likelihood per entry of X, and its gradient."""
        Z, amplitude, noise = self.unpack(parameters)
        n, p = self.X.shape
        K = amplitude * (RBF(0.5) if self.isotropic else Linear()).gram(Z)
        try:
            factor = np.linalg.cholesky(K + noise * np.eye(n))
        except np.linalg.LinAlgError:
            raise ValueError(
                "init is so large that the covariance is singular to rounding: give positions in "
                "the unit of the data."
            ) from None
        lower, _ = dpotri(factor, lower=True)  # a triangle of the inverse; the other is zero
        inverse = lower + np.tril(lower, -1).T
        solved = inverse @ self.X
        log_det = 2 * np.log(np.diag(factor)).sum()
        likelihood = -0.5 * (p * (n * np.log(2 * np.pi) + log_det) + np.vdot(solved, self.X))
        nabla = 0.5 * (solved @ solved.T - p * inverse)
        by_Z = self._gradient_by_positions(nabla, K, Z, amplitude)
        gradient = np.append(by_Z.ravel(), [np.vdot(nabla, K), noise * np.trace(nabla)])
        return -float(likelihood) / self.X.size, -gradient / self.X.size

    def _gradient_by_positions(
        self, nabla: FloatArray, K: FloatArray, Z: FloatArray, amplitude: float
    ) -> FloatArray:
        """Return the gradient with respect to Z, from that with respect to the covariance."""
        if not self.isotropic:
            return 2 * amplitude * nabla @ Z
        M = nabla * K
        return np.asarray(-2 * (M.sum(axis=1)[:, None] * Z - M @ Z))


def maximize_likelihood(
    model: LatentModel, start: FloatArray, max_iter: int
) -> tuple[FloatArray, float, float, FloatArray, bool]:
    """Return Z, amplitude and noise of a local maximum, the log-likelihoods, and `converged`."""
    limit = check_count(max_iter, "max_iter")
    history = [model.loss(start)[0]]
    free: list[tuple[float | None, float | None]] = [(None, None)] * (len(start) - 2)
    largest = np.log(_MAX_AMPLITUDE) if model.isotropic else 0.0
    result = minimize(
        model.loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[*free, (-largest, largest), (np.log(MIN_NOISE), None)],
        callback=lambda intermediate_result: history.append(intermediate_result.fun),
        options={"maxiter": limit, "maxfun": 20 * limit, "maxcor": 20, "ftol": _TOL},
    )
    if not result.success:
        warn_caller(
            f"The fit stopped after {plural(result.nit, 'iteration')}, before it converged: "
            f"{result.message}. Raise max_iter, or continue with init=fit.points.",
            NotConvergedWarning,
        )
    history_in_nats = -model.X.size * np.array(history)
    return *model.unpack(result.x), history_in_nats, bool(result.success)
