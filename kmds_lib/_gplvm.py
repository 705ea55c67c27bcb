"""Models that fit the latent positions: dual probabilistic PCA, and the same with a kernel.

The dual integrates the map W out and fits the positions; these are the coordinates of classical
scaling, shrunk by the noise. In the Gaussian process latent variable model a kernel stands in the
place of their inner products.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import svd

from kmds_lib._checks import FloatArray, as_points
from kmds_lib._fast.gplvm_likelihood import LEAST_NOISE, LatentModel, climb
from kmds_lib._labels import Labelled, carry_labels
from kmds_lib._linalg import canonical_signs
from kmds_lib._pca import discarded_sum, pca
from kmds_lib._probabilistic_pca import profile_log_likelihood
from kmds_lib.kernels import RBF, Kernel, Linear, Multiple

__all__ = ["GPLVMResult", "dual_probabilistic_pca", "gplvm"]


@dataclass(frozen=True, eq=False)
class GPLVMResult(Labelled):
    r"""Latent positions of maximum likelihood: what `gplvm` and `dual_probabilistic_pca` return.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Latent positions Z, turned to their principal axes.
    kernel : Kernel
        The fitted kernel: ``amplitude * RBF(theta)``, or ``Linear()``.
    noise_variance : float
        :math:`\sigma^2`.
    log_likelihoods : ndarray of shape (iterations + 1,)
        Log-likelihood at the start and after each iteration, in nats; it never falls. The dual
        takes no iteration.
    converged : bool
        Whether the optimiser stopped at a point where the likelihood no longer rises.
    """

    points: FloatArray
    kernel: Kernel
    noise_variance: float
    log_likelihoods: FloatArray = field(repr=False)
    converged: bool

    @property
    def covariance(self) -> FloatArray:
        r"""Covariance between objects, :math:`K(Z) + \sigma^2 I`, shape (n, n)."""
        return self.kernel.gram(self.points) + self.noise_variance * np.eye(len(self.points))

    def log_likelihood(self) -> float:
        """Log-likelihood of the centred training data at the end, in nats.

        Returns
        -------
        float
            Total over the p columns.

        Raises
        ------
        ValueError
            If no eigenvalue was left for the noise of the dual, so that the likelihood is
            unbounded.
        """
        if np.isinf(self.log_likelihoods[-1]):
            raise ValueError(
                "Nothing is left for the noise: noise_variance is 0 and the likelihood is "
                "unbounded. Keep fewer components."
            )
        return float(self.log_likelihoods[-1])


@carry_labels
def dual_probabilistic_pca(X: ArrayLike, n_components: int = 2) -> GPLVMResult:
    r"""Fit the latent positions of probabilistic PCA, with W integrated out.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one per row.
    n_components : int, default 2
        Latent dimensions k, at most min(n - 1, p).

    Returns
    -------
    GPLVMResult
        ``points``, ``noise_variance``, ``covariance``, ``log_likelihood``; its kernel is
        ``Linear()``.

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
    Derived in Chapter 13, Models behind the map. With a standard normal prior on each row of W,
    the columns of the centred data are p independent draws from
    :math:`N(0, Z Z^\top + \sigma^2 I)`. Their second-moment matrix is ``B / p``, so the algebra of
    probabilistic PCA gives :math:`Z = V_k (\Lambda_k / p - \sigma^2 I)^{1/2} R` with
    :math:`\sigma^2` the mean of the n - k discarded eigenvalues of ``B / p``. Each axis is the
    axis of classical scaling times :math:`(1/p - \sigma^2 / \lambda_i)^{1/2}`: same directions,
    shrunk lengths.

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
    noise = discarded_sum(principal) / (p * (n - len(kept)))
    shrink = np.sqrt(np.maximum(1 / p - noise / kept, 0))
    highest = profile_log_likelihood(kept / p, noise, p, n) if noise else np.inf
    return GPLVMResult(
        points=principal.points * shrink,
        kernel=Linear(),
        noise_variance=noise,
        log_likelihoods=np.array([highest]),
        converged=True,
    )


@carry_labels
def gplvm(
    X: ArrayLike,
    n_components: int = 2,
    kernel: Kernel | None = None,
    *,
    init: ArrayLike | GPLVMResult | None = None,
    max_iter: int = 1000,
) -> GPLVMResult:
    r"""Fit the latent positions of a Gaussian process latent variable model.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one per row; all variables in comparable units.
    n_components : int, default 2
        Latent dimensions k, at most min(n - 1, p).
    kernel : RBF or Linear, optional
        Kernel on the latent positions; ``RBF(0.5)`` if left out, or that of `init`. Its theta is
        kept: it is the unit of the latent space, since a change of theta can be undone by scaling
        Z. The amplitude in front of the RBF kernel is fitted.
    init : array_like of shape (n, k) or GPLVMResult, optional
        Latent positions to start from, or a fit to go on from, with its positions, kernel and
        noise. Without it the start is `dual_probabilistic_pca`, scaled
        for the RBF kernel so that the first axis has the kernel's length scale
        :math:`1 / \sqrt{2 \theta}` as its standard deviation.
    max_iter : int
        Iterations after which the optimiser stops with a warning.

    Returns
    -------
    GPLVMResult
        ``points``, ``kernel``, ``noise_variance``, ``log_likelihoods``, ``converged``,
        ``covariance``, ``log_likelihood``.

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
    Derived in Chapter 13, Models behind the map. The columns of the centred data are p
    independent draws from :math:`N(0, C)` with :math:`C = K(Z) + \sigma^2 I`. With
    :math:`\nabla = \tfrac12 (C^{-1} X_c X_c^\top C^{-1} - p\, C^{-1})`, the derivatives of the
    log-likelihood by the entries of C, the gradient with respect to Z is :math:`2 \nabla Z` for
    the linear kernel, and :math:`-4 \theta\, (\operatorname{diag}(M \mathbf 1) - M) Z` with
    :math:`M = \nabla \odot K` entry by entry for the RBF kernel. The optimiser is L-BFGS, on data
    of mean square 1. It finds a local maximum: other starts may end higher. It stops where one
    more iteration gains next to nothing; positions are then known to about three digits. With the
    linear kernel the maximum is that of `dual_probabilistic_pca`. The noise variance is kept above
    1e-6 of the mean square of the centred data, because without noise the likelihood may grow
    without bound.

    Source: Lawrence (2005).

    Examples
    --------
    >>> t = np.linspace(-1, 1, 12)
    >>> fit = gplvm(np.column_stack([t, t**2, t**3]), n_components=1)
    >>> order = np.argsort(fit.points[:, 0])
    >>> bool(np.all(np.abs(np.diff(order)) == 1)), fit.converged
    (True, True)
    """
    kernel = _as_latent_kernel(kernel, init)
    X = np.ascontiguousarray(as_points(X, min_points=2))
    centred = X - X.mean(axis=0)
    scale = float(np.sqrt(np.mean(centred**2)))
    standard = centred / (scale or 1.0)
    dual = dual_probabilistic_pca(standard, n_components)
    if scale == 0 or dual.points.shape[1] == 0:
        raise ValueError("All rows of X are equal: there is nothing to fit.")
    unit = 1 / np.sqrt(2 * kernel.theta) if isinstance(kernel, RBF) else scale
    model = LatentModel(standard, isinstance(kernel, RBF))
    start = _start(dual, kernel) if init is None else _given_start(init, dual, unit, scale)
    Z, amplitude, noise, history, settled = climb(model, start, max_iter)
    points, likelihoods = _principal_axes(unit * Z, kernel), history - X.size * np.log(scale)
    fitted = amplitude * scale**2 * kernel if isinstance(kernel, RBF) else kernel
    return GPLVMResult(points, fitted, noise * scale**2, likelihoods, settled)


def _packed(Z: FloatArray, amplitude: float, noise: float) -> FloatArray:
    return np.append(Z.ravel(), np.log([amplitude, noise]))


def _start(dual: GPLVMResult, kernel: Kernel) -> FloatArray:
    """Return the parameters of the dual; with an RBF the first axis gets its length scale."""
    noise = max(dual.noise_variance, 10 * LEAST_NOISE)
    if isinstance(kernel, Linear):
        return _packed(dual.points, 1.0, noise)
    size = np.sqrt(np.mean(dual.points[:, 0] ** 2))
    return _packed(dual.points / (size or 1.0), 1.0, noise)


def _given_start(
    init: ArrayLike | GPLVMResult, dual: GPLVMResult, unit: float, scale: float
) -> FloatArray:
    """Return the parameters of given positions, or all those of a fit."""
    Z = as_points(init.points if isinstance(init, GPLVMResult) else init, "init")
    if Z.shape != dual.points.shape:
        raise ValueError(
            f"init has shape {Z.shape}, but the fit has {dual.points.shape[0]} points in "
            f"{dual.points.shape[1]} dimensions."
        )
    if not isinstance(init, GPLVMResult):
        return _packed(Z / unit, 1.0, max(dual.noise_variance, 10 * LEAST_NOISE))
    amplitude = init.kernel.factor / scale**2 if isinstance(init.kernel, Multiple) else 1.0
    return _packed(Z / unit, amplitude, init.noise_variance / scale**2)


def _as_latent_kernel(kernel: Kernel | None, init: ArrayLike | GPLVMResult | None) -> Kernel:
    default: Kernel = RBF(0.5)
    if isinstance(init, GPLVMResult):
        default = init.kernel.kernel if isinstance(init.kernel, Multiple) else init.kernel
        if kernel not in (None, default):
            raise ValueError(
                f"kernel is {kernel!r}, but init was fitted with {default!r}: leave the kernel "
                "out to go on, or give init=fit.points to begin anew."
            )
    kernel = default if kernel is None else kernel
    if not isinstance(kernel, (RBF, Linear)):
        raise ValueError(
            f"kernel is {kernel!r}: give RBF(theta) or Linear(), for which gradients are known."
        )
    return kernel


def _principal_axes(Z: FloatArray, kernel: Kernel) -> FloatArray:
    """Turn positions to their principal axes; about the mean where only distances count."""
    moved = Z - Z.mean(axis=0) if kernel.isotropic else Z
    left, values, _ = svd(moved, full_matrices=False)
    return canonical_signs(left) * values
