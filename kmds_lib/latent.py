"""PCA as a Gaussian model: probabilistic PCA, its dual, and the dual with a kernel.

One likelihood, two ways to use it. Probabilistic PCA integrates the latent positions out and
fits the map W. Dual probabilistic PCA integrates W out and fits the latent positions; these are
the coordinates of classical scaling, shrunk by the noise. With a kernel in the place of the
inner products of the positions, the dual becomes the Gaussian process latent variable model.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve, solve_triangular, svd
from scipy.optimize import OptimizeResult, minimize

from kmds_lib._checks import (
    EPS,
    FloatArray,
    as_gram,
    as_numbers,
    as_points,
    check_count,
    warn_caller,
)
from kmds_lib.embedding import NotConvergedWarning
from kmds_lib.kernels import RBF, Kernel, Linear
from kmds_lib.linalg import canonical_signs
from kmds_lib.principal import PCAResult, discarded_sum, pca

__all__ = [
    "DualProbabilisticPCAResult",
    "GPLVMResult",
    "ProbabilisticPCAResult",
    "dual_probabilistic_pca",
    "gaussian_log_likelihood",
    "gplvm",
    "probabilistic_pca",
]

_LEAST_NOISE = 1e-6
"""Smallest noise variance of a GP-LVM, relative to the mean square of the centred data."""

_LARGEST_AMPLITUDE = 1e4
"""Largest amplitude of its kernel, in the same unit: with the noise, 10 digits of condition."""

_SETTLED = 1e-7
"""Rise of the log-likelihood in one iteration, per entry of X, below which a fit has converged."""


def gaussian_log_likelihood(X: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> float:
    """Log-likelihood of the rows of X under one Gaussian.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Observations, one per row.
    mean : array_like of shape (p,)
        Mean of the Gaussian.
    covariance : array_like of shape (p, p)
        Covariance of the Gaussian, symmetric positive definite.

    Returns
    -------
    float
        Total over the n rows, in nats. Divide by n for the mean per observation.

    Raises
    ------
    ValueError
        If the shapes disagree, or the covariance is not symmetric or not positive definite.

    Notes
    -----
    With ``S`` the 1/n covariance of the rows about ``mean``, and ``C`` the given one, this is
    ``-n/2 (p log 2 pi + log det C + tr(C^{-1} S))``. Derived in Chapter 5, PCA and classical
    scaling are one computation.

    Examples
    --------
    >>> round(gaussian_log_likelihood([[0.0], [1.0]], [0.0], [[1.0]]), 4)
    -2.3379
    """
    X = as_points(X)
    n, p = X.shape
    centre, C = np.atleast_1d(as_numbers(mean, "mean")), as_gram(covariance, "covariance")
    if centre.shape != (p,) or C.shape != (p, p):
        raise ValueError(
            f"X has {p} columns, so mean must have shape ({p},) and covariance ({p}, {p}); "
            f"got {centre.shape} and {C.shape}."
        )
    centred = X - as_points(centre[None], "mean", smallest=0.0)
    factor = _cholesky(C)
    whitened = solve_triangular(factor, centred.T, lower=True)
    log_det = 2 * np.log(np.diag(factor)).sum()
    return float(-0.5 * (n * (p * np.log(2 * np.pi) + log_det) + (whitened**2).sum()))


def _cholesky(covariance: FloatArray) -> FloatArray:
    """Lower Cholesky factor; refuses a matrix that is singular to rounding."""
    try:
        factor = np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)
    except np.linalg.LinAlgError:
        factor = np.zeros_like(covariance)
    pivots, floor = np.diag(factor) ** 2, len(covariance) * EPS * np.abs(np.diag(covariance))
    if not (pivots > floor).all():
        raise ValueError(
            "covariance is not positive definite, so the Gaussian has no density: "
            "keep fewer components, or give the model a positive noise variance."
        )
    return factor


def _profile_log_likelihood(
    eigenvalues: FloatArray, noise_variance: float, n_samples: int, size: int
) -> float:
    """Log-likelihood of a Gaussian model at its maximum, from the model's spectrum.

    At the maximum ``tr(C^{-1} S) = size``, and ``C`` (size x size) has the given leading
    eigenvalues and ``noise_variance`` for all the others.
    """
    n_discarded = size - len(eigenvalues)
    if n_discarded and noise_variance == 0:
        raise ValueError(
            f"the data has rank {len(eigenvalues)}, so nothing is left for the noise: "
            "noise_variance is 0 and the likelihood is unbounded. Keep fewer components."
        )
    log_det = np.log(eigenvalues).sum()
    if n_discarded:
        log_det += n_discarded * np.log(noise_variance)
    return float(-0.5 * n_samples * (size * np.log(2 * np.pi) + log_det + size))


@dataclass(frozen=True, eq=False)
class ProbabilisticPCAResult:
    """A fitted probabilistic PCA: x = W z + mean + noise, with z standard normal.

    Attributes
    ----------
    W : ndarray of shape (p, k)
        Maximum-likelihood map from latent to data coordinates, ``U (Lambda/n - sigma^2)^{1/2}``.
        Any ``W @ R`` with R orthogonal fits as well; this is the one with R = I.
    noise_variance : float
        ``sigma^2``, the mean of the discarded variances.
    principal : PCAResult
        The PCA that the model is built on.
    """

    W: FloatArray
    noise_variance: float
    principal: PCAResult

    @property
    def mean(self) -> FloatArray:
        """Mean of the data, shape (p,)."""
        return self.principal.mean

    @property
    def eigenvalues(self) -> FloatArray:
        """Kept eigenvalues of B, shape (k,): n times the kept variances."""
        return self.principal.eigenvalues

    @property
    def covariance(self) -> FloatArray:
        """Model covariance ``C = W W^T + sigma^2 I``, shape (p, p)."""
        return self.W @ self.W.T + self.noise_variance * np.eye(len(self.W))

    @property
    def posterior_covariance(self) -> FloatArray:
        """Covariance of z given x, ``sigma^2 (W^T W + sigma^2 I)^{-1}``, the same for every x."""
        return np.diag(self.noise_variance / self.principal.variances)

    @property
    def points(self) -> FloatArray:
        """Posterior means of the training points, (n, k): the scores, whitened and shrunk."""
        return self._shrink(self.principal.points)

    def _shrink(self, scores: FloatArray) -> FloatArray:
        variances = self.principal.variances
        excess = np.maximum(variances - self.noise_variance, 0)
        return scores * (np.sqrt(excess) / variances)

    def transform(self, new: ArrayLike) -> FloatArray:
        """Posterior mean of z for new points, ``(W^T W + sigma^2 I)^{-1} W^T (x - mean)``.

        Parameters
        ----------
        new : array_like of shape (m, p)
            New points, in the variables of the training points.

        Returns
        -------
        ndarray of shape (m, k)
            Latent coordinates, without unit.
        """
        return self._shrink(self.principal.transform(new))

    def log_likelihood(self, X: ArrayLike | None = None) -> float:
        """Log-likelihood of the training points, or of other points.

        Parameters
        ----------
        X : array_like of shape (m, p), optional
            Points to judge; the training points if left out.

        Returns
        -------
        float
            Total over the points, in nats. Divide by their number for the mean.

        Raises
        ------
        ValueError
            If the model covariance is singular: the data has no more dimensions than were kept,
            and fewer than variables.
        """
        if X is not None:
            return gaussian_log_likelihood(X, self.mean, self.covariance)
        n, p = len(self.principal.points), len(self.W)
        return _profile_log_likelihood(self.principal.variances, self.noise_variance, n, p)

    def sample(self, n: int, seed: int | np.random.Generator | None = None) -> FloatArray:
        """Draw new points from the fitted model.

        Parameters
        ----------
        n : int
            Number of points.
        seed : int or numpy.random.Generator, optional
            Seed of the draw; without it every call draws anew.

        Returns
        -------
        ndarray of shape (n, p)
            The points.

        Raises
        ------
        ValueError
            If `n` is not a positive integer.
        """
        n = check_count(n, "n")
        generator = np.random.default_rng(seed)
        p, k = self.W.shape
        signal: FloatArray = generator.standard_normal((n, k)) @ self.W.T
        noise = np.sqrt(self.noise_variance) * generator.standard_normal((n, p))
        return np.asarray(self.mean + signal + noise)


def probabilistic_pca(X: ArrayLike, n_components: int = 2) -> ProbabilisticPCAResult:
    """Fit probabilistic PCA by maximum likelihood, in closed form.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one per row.
    n_components : int, default 2
        Latent dimensions k, at most min(n - 1, p).

    Returns
    -------
    ProbabilisticPCAResult
        ``W``, ``noise_variance``, ``mean``, ``covariance``, ``points``, ``transform``,
        ``log_likelihood``, ``sample``.

    Raises
    ------
    ValueError
        If X is not a finite real matrix of at least two rows, or ``n_components`` is out of
        range.

    Warns
    -----
    FewerComponentsWarning
        If the centred data has fewer dimensions than asked.

    Notes
    -----
    Derived in Chapter 5, PCA and classical scaling are one computation. With ``lambda_i / n``
    the eigenvalues of the 1/n covariance, largest first, and ``U`` its eigenvectors,
    ``sigma^2 = (1/(p - k)) sum_{i > k} lambda_i / n`` and
    ``W = U_k (Lambda_k / n - sigma^2 I)^{1/2} R``, for any orthogonal R. The square root matters,
    and so does the mean being over the discarded eigenvalues.

    Dividing by n - 1, as scikit-learn does, multiplies ``noise_variance`` and ``covariance`` by
    ``n / (n - 1)``; the likelihood is highest at n. When k = p there is no noise: the model is
    the full Gaussian with covariance S.

    Source: Tipping & Bishop (1999).

    Examples
    --------
    >>> X = [[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> model = probabilistic_pca(X, n_components=1)
    >>> round(model.noise_variance, 6)
    0.5
    >>> model.covariance.round(3)
    array([[2. , 0. ],
           [0. , 0.5]])
    """
    principal = pca(X, n_components)
    p, k = principal.axes.shape
    n = len(principal.points)
    noise_variance = discarded_sum(principal) / (n * (p - k)) if k < p else 0.0
    W = principal.axes * np.sqrt(np.maximum(principal.variances - noise_variance, 0))
    return ProbabilisticPCAResult(W=W, noise_variance=noise_variance, principal=principal)


@dataclass(frozen=True, eq=False)
class DualProbabilisticPCAResult:
    """Latent positions of maximum likelihood, with the map W integrated out.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Latent positions ``Z = V_k (Lambda_k / p - sigma^2 I)^{1/2}``. Any ``Z @ R`` with R
        orthogonal is as likely; this is the one with R = I.
    eigenvalues : ndarray of shape (k,)
        Kept eigenvalues of B.
    noise_variance : float
        ``sigma^2``, the mean of the n - k discarded eigenvalues of B / p.
    n_variables : int
        p, the number of independent draws of the model: one per column of X.
    """

    points: FloatArray
    eigenvalues: FloatArray
    noise_variance: float
    n_variables: int

    @property
    def covariance(self) -> FloatArray:
        """Covariance between objects, ``Z Z^T + sigma^2 I``, shape (n, n)."""
        return self.points @ self.points.T + self.noise_variance * np.eye(len(self.points))

    def log_likelihood(self) -> float:
        """Log-likelihood of the centred training data, total over its p columns, in nats.

        Returns
        -------
        float
            The maximum over all configurations of k dimensions and all noise variances.

        Raises
        ------
        ValueError
            If no eigenvalue is left for the noise, so that the likelihood is unbounded.
        """
        n, p = len(self.points), self.n_variables
        return _profile_log_likelihood(self.eigenvalues / p, self.noise_variance, p, n)


def dual_probabilistic_pca(X: ArrayLike, n_components: int = 2) -> DualProbabilisticPCAResult:
    """Fit the latent positions of probabilistic PCA, with W integrated out.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one per row.
    n_components : int, default 2
        Latent dimensions k, at most min(n - 1, p).

    Returns
    -------
    DualProbabilisticPCAResult
        ``points``, ``eigenvalues``, ``noise_variance``, ``covariance``, ``log_likelihood``.

    Raises
    ------
    ValueError
        If X is not a finite real matrix of at least two rows, or ``n_components`` is out of
        range.

    Warns
    -----
    FewerComponentsWarning
        If the centred data has fewer dimensions than asked.

    Notes
    -----
    Derived in Chapter 5, PCA and classical scaling are one computation. With a standard normal
    prior on each row of W, the columns of the centred data are p independent draws from
    ``N(0, Z Z^T + sigma^2 I)``. Their second-moment matrix is ``B / p``, so the algebra of
    probabilistic PCA gives ``Z = V_k (Lambda_k / p - sigma^2 I)^{1/2} R`` with ``sigma^2`` the
    mean of the n - k discarded eigenvalues of ``B / p``. Each axis is the axis of classical
    scaling times ``(1/p - sigma^2 / lambda_i)^{1/2}``: same directions, shrunk lengths.

    Centring costs nothing: the model's best mean for each column is its average, because the
    vector of ones is an eigenvector of the fitted covariance. It does count as one of the n - k
    discarded directions, with eigenvalue 0.

    Source: Lawrence (2005).

    Examples
    --------
    >>> X = [[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> dual = dual_probabilistic_pca(X, n_components=1)
    >>> round(dual.noise_variance, 4)
    0.3333
    >>> dual.points.round(3) + 0.0
    array([[ 1.354],
           [-1.354],
           [ 0.   ],
           [ 0.   ]])
    """
    principal = pca(X, n_components)
    n, p, kept = len(principal.points), len(principal.axes), principal.eigenvalues
    noise_variance = discarded_sum(principal) / (p * (n - len(kept)))
    shrink = np.sqrt(np.maximum(1 / p - noise_variance / kept, 0))
    return DualProbabilisticPCAResult(
        points=principal.points * shrink,
        eigenvalues=kept,
        noise_variance=noise_variance,
        n_variables=p,
    )


@dataclass(frozen=True, eq=False)
class GPLVMResult:
    """A fitted Gaussian process latent variable model.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Latent positions Z, turned to their principal axes.
    kernel : Kernel
        The fitted kernel: ``amplitude * RBF(theta)``, or ``Linear()``.
    noise_variance : float
        ``sigma^2``.
    log_likelihoods : ndarray of shape (iterations + 1,)
        Log-likelihood at the start and after each iteration, in nats; it never falls.
    converged : bool
        Whether the optimiser stopped at a point where the likelihood no longer rises.
    mean : ndarray of shape (p,)
        Mean of the data.
    """

    points: FloatArray
    kernel: Kernel
    noise_variance: float
    log_likelihoods: FloatArray = field(repr=False)
    converged: bool
    mean: FloatArray = field(repr=False)
    _centred: FloatArray = field(repr=False)

    @property
    def covariance(self) -> FloatArray:
        """Covariance between objects, ``K(Z) + sigma^2 I``, shape (n, n)."""
        return self.kernel.gram(self.points) + self.noise_variance * np.eye(len(self.points))

    def log_likelihood(self) -> float:
        """Log-likelihood of the centred training data at the end, in nats.

        Returns
        -------
        float
            Total over the p columns.
        """
        return float(self.log_likelihoods[-1])

    def predict(self, positions: ArrayLike) -> FloatArray:
        """Return the data that belong to latent positions: the mean of the Gaussian process.

        Parameters
        ----------
        positions : array_like of shape (m, k)
            Latent positions.

        Returns
        -------
        ndarray of shape (m, p)
            ``mean + K(positions, Z) (K(Z) + sigma^2 I)^{-1} X_c``.

        Raises
        ------
        ValueError
            If `positions` is not a finite real matrix of k columns.
        """
        Z = as_points(positions, "positions", smallest=0.0)
        if Z.shape[1] != self.points.shape[1]:
            raise ValueError(
                f"positions has {Z.shape[1]} columns, but the latent space has "
                f"{self.points.shape[1]} dimensions."
            )
        weights = np.linalg.solve(self.covariance, self._centred)
        return np.asarray(self.mean + self.kernel.cross(Z, self.points) @ weights)


def gplvm(
    X: ArrayLike,
    n_components: int = 2,
    kernel: Kernel | None = None,
    *,
    init: ArrayLike | None = None,
    max_iter: int = 1000,
) -> GPLVMResult:
    """Fit the latent positions of a Gaussian process latent variable model.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one per row; all variables in comparable units.
    n_components : int, default 2
        Latent dimensions k, at most min(n - 1, p).
    kernel : RBF or Linear, optional
        Kernel on the latent positions; ``RBF(0.5)`` if left out. Its theta is kept: it is the
        unit of the latent space, since a change of theta can be undone by scaling Z. The
        amplitude in front of the RBF kernel is fitted.
    init : array_like of shape (n, k), optional
        Latent positions to start from. Without it the start is `dual_probabilistic_pca`, scaled
        for the RBF kernel so that the first axis has the kernel's length scale
        ``1 / sqrt(2 theta)`` as its standard deviation.
    max_iter : int
        Iterations after which the optimiser stops with a warning.

    Returns
    -------
    GPLVMResult
        ``points``, ``kernel``, ``noise_variance``, ``log_likelihoods``, ``converged``,
        ``covariance``, ``log_likelihood``, ``predict``.

    Raises
    ------
    ValueError
        If X is not a finite real matrix of at least two rows that differ, ``n_components`` is out
        of range, the kernel is neither RBF nor Linear, or `init` has another shape or
        is too large for the linear kernel.

    Warns
    -----
    NotConvergedWarning
        If the optimiser stopped early.
    FewerComponentsWarning
        If the centred data has fewer dimensions than asked.

    Notes
    -----
    Derived in Chapter 12, One matrix, many statistics. The columns of the centred data are p
    independent draws from ``N(0, C)`` with ``C = K(Z) + sigma^2 I``. With
    ``nabla = (C^{-1} X_c X_c^T C^{-1} - p C^{-1}) / 2``, the derivatives of the log-likelihood
    by the entries of C, the gradient with respect to Z is ``2 nabla Z`` for the linear kernel,
    and ``-4 theta (diag(M 1) - M) Z`` with ``M = nabla * K`` entry by entry for the RBF kernel.
    The optimiser is L-BFGS. It finds a local maximum: other starts may end higher. With the
    linear kernel the maximum is that of `dual_probabilistic_pca`. The noise variance is kept
    above 1e-6 of the mean square of the centred data, because without noise the likelihood may
    grow without bound.

    Source: Lawrence (2005).

    Examples
    --------
    >>> t = np.linspace(-1, 1, 12)
    >>> fit = gplvm(np.column_stack([t, t**2, t**3]), n_components=1)
    >>> order = np.argsort(fit.points[:, 0])
    >>> bool(np.all(np.abs(np.diff(order)) == 1)), fit.converged
    (True, True)
    """
    kernel = _as_latent_kernel(kernel)
    X = np.ascontiguousarray(as_points(X, min_points=2))
    mean = X.mean(axis=0)
    dual = dual_probabilistic_pca(X, n_components)
    scale = float(np.sqrt(np.mean((X - mean) ** 2)))
    if scale == 0 or dual.points.shape[1] == 0:
        raise ValueError("All rows of X are equal: there is nothing to fit.")
    unit = 1 / np.sqrt(2 * kernel.theta) if isinstance(kernel, RBF) else scale
    positions = _start(dual, unit, kernel) if init is None else _as_init(init, dual)
    noise = max(dual.noise_variance / scale**2, 10 * _LEAST_NOISE)
    model = _LatentModel((X - mean) / scale, isinstance(kernel, RBF))
    try:
        result, history = _climb(model, positions / unit, noise, max_iter)
    except np.linalg.LinAlgError:
        raise ValueError(
            "init is so large that the covariance is singular to rounding: give positions in "
            "the unit of the data."
        ) from None
    Z, amplitude, noise = model.unpack(result.x)
    return GPLVMResult(
        points=_principal_axes(unit * Z, kernel),
        kernel=amplitude * scale**2 * kernel if isinstance(kernel, RBF) else kernel,
        noise_variance=noise * scale**2,
        log_likelihoods=history - X.size * np.log(scale),
        converged=bool(result.success),
        mean=mean,
        _centred=X - mean,
    )


@dataclass(frozen=True, eq=False)
class _LatentModel:
    """The likelihood of a GP-LVM and its gradient, for centred data of mean square 1.

    The kernel is RBF(1/2), or the inner product. Parameters are the positions, row by row, then
    the logarithms of amplitude and noise. The loss is minus the log-likelihood per entry of X.
    """

    X: FloatArray
    isotropic: bool

    def unpack(self, parameters: FloatArray) -> tuple[FloatArray, float, float]:
        """Return positions, amplitude and noise variance."""
        amplitude, noise = np.exp(parameters[-2:])
        return parameters[:-2].reshape(len(self.X), -1), float(amplitude), float(noise)

    def loss(self, parameters: FloatArray) -> tuple[float, FloatArray]:
        """Return minus the log-likelihood per entry, and its gradient."""
        Z, amplitude, noise = self.unpack(parameters)
        n, p = self.X.shape
        K = amplitude * (RBF(0.5) if self.isotropic else Linear()).gram(Z)
        factor = np.linalg.cholesky(K + noise * np.eye(n))
        inverse = cho_solve((factor, True), np.eye(n))
        solved = inverse @ self.X
        log_det = 2 * np.log(np.diag(factor)).sum()
        likelihood = -0.5 * (p * (n * np.log(2 * np.pi) + log_det) + np.vdot(solved, self.X))
        nabla = 0.5 * (solved @ solved.T - p * inverse)
        by_position = self._by_position(nabla, K, Z, amplitude)
        gradient = np.append(by_position.ravel(), [np.vdot(nabla, K), noise * np.trace(nabla)])
        return -float(likelihood) / self.X.size, -gradient / self.X.size

    def _by_position(
        self, nabla: FloatArray, K: FloatArray, Z: FloatArray, amplitude: float
    ) -> FloatArray:
        """Return the gradient for the positions, from that for the covariance."""
        if not self.isotropic:
            return 2 * amplitude * nabla @ Z
        M = nabla * K
        return np.asarray(-2 * (M.sum(axis=1)[:, None] * Z - M @ Z))


def _climb(
    model: _LatentModel, positions: FloatArray, noise: float, max_iter: int
) -> tuple[OptimizeResult, FloatArray]:
    """Maximise the likelihood, and return its value at the start and after each iteration."""
    limit = check_count(max_iter, "max_iter")
    start = np.append(positions.ravel(), [0.0, np.log(noise)])
    history = [model.loss(start)[0]]
    free: list[tuple[float | None, float | None]] = [(None, None)] * positions.size
    largest = np.log(_LARGEST_AMPLITUDE) if model.isotropic else 0.0
    result = minimize(
        model.loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[*free, (-largest, largest), (np.log(_LEAST_NOISE), None)],
        callback=lambda intermediate_result: history.append(intermediate_result.fun),
        options={"maxiter": limit, "maxfun": 20 * limit, "maxcor": 20, "ftol": _SETTLED},
    )
    if not result.success:
        warn_caller(
            f"The fit stopped after {result.nit} iterations, before the likelihood had settled: "
            f"{result.message}. Raise max_iter, or go on with init=fit.points.",
            NotConvergedWarning,
        )
    return result, -model.X.size * np.array(history)


def _start(dual: DualProbabilisticPCAResult, unit: float, kernel: Kernel) -> FloatArray:
    """Return the positions of the dual; for an RBF kernel the first axis gets its length scale."""
    if isinstance(kernel, Linear):
        return dual.points
    size = np.sqrt(np.mean(dual.points[:, 0] ** 2))
    return np.asarray(dual.points * (unit / (size or 1.0)))


def _as_init(init: ArrayLike, dual: DualProbabilisticPCAResult) -> FloatArray:
    Z = as_points(init, "init")
    if Z.shape != dual.points.shape:
        raise ValueError(
            f"init has shape {Z.shape}, but the fit has {dual.points.shape[0]} points in "
            f"{dual.points.shape[1]} dimensions."
        )
    return Z


def _as_latent_kernel(kernel: Kernel | None) -> Kernel:
    kernel = RBF(0.5) if kernel is None else kernel
    if not isinstance(kernel, (RBF, Linear)):
        raise ValueError(
            f"kernel is {kernel!r}: give RBF(theta) or Linear(), for which gradients are known."
        )
    return kernel


def _principal_axes(Z: FloatArray, kernel: Kernel) -> FloatArray:
    """Turn positions to their principal axes; about the mean where only distances count."""
    moved = Z - Z.mean(axis=0) if kernel.isotropic else Z
    left, values, _ = svd(moved, full_matrices=False)
    return np.asarray(canonical_signs(left) * values)
