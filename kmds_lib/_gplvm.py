"""Dual probabilistic PCA and the Gaussian process latent variable model (GP-LVM).

The dual integrates out the map W and fits the latent positions, which are the coordinates of
classical scaling, shrunk by the noise. The GP-LVM replaces the inner products between positions by
a kernel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import svd

from kmds_lib._eigen import with_canonical_signs
from kmds_lib._gplvm_likelihood import MIN_NOISE, LatentModel, maximize_likelihood
from kmds_lib._labels import Labelled, store_labels
from kmds_lib._pca import discarded_sum, pca
from kmds_lib._probabilistic_pca import profile_log_likelihood
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_points
from kmds_lib.kernels import RBF, Kernel, Linear


@dataclass(frozen=True, eq=False, repr=False)
class GPLVMResult(Labelled):
    r"""Result of `gplvm` and `dual_probabilistic_pca`: latent positions of maximum likelihood.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        Latent positions Z, rotated to their principal axes.
    kernel : Kernel
        The fitted kernel: ``amplitude * RBF(theta)``, or ``Linear()``.
    noise_variance : float
        :math:`\sigma^2`.
    log_likelihoods : ndarray of shape (iterations + 1,)
        Log-likelihood at the start and after each iteration, in nats; it never decreases. The
        dual needs no iteration.
    converged : bool
        True if the optimiser stopped because the likelihood no longer increased.
    explained_variance_ratio : ndarray of shape (k,) or None
        Share of each principal axis in the total variance for `dual_probabilistic_pca`; None for
        `gplvm`, whose positions are not those of principal axes of the data.
    """

    _printed = ("noise_variance", "converged")
    points: FloatArray
    kernel: Kernel
    noise_variance: float
    log_likelihoods: FloatArray
    converged: bool
    explained_variance_ratio: FloatArray | None = None

    @property
    def covariance(self) -> FloatArray:
        r"""Return the covariance between objects, :math:`K(Z) + \sigma^2 I`, shape (n, n)."""
        return self.kernel.gram(self.points) + self.noise_variance * np.eye(len(self.points))

    def log_likelihood(self) -> float:
        """Return the log-likelihood of the centred training data after the last iteration.

        Returns
        -------
        float
            Total over the p columns, in nats.

        Raises
        ------
        ValueError
            If the noise variance of the dual is 0, so that the likelihood is unbounded.
        """
        if np.isinf(self.log_likelihoods[-1]):
            raise ValueError(
                "The likelihood is unbounded, because noise_variance is 0. Keep fewer components."
            )
        return float(self.log_likelihoods[-1])


@store_labels()
def dual_probabilistic_pca(X: ArrayLike, n_components: int | float = 2) -> GPLVMResult:
    r"""Fit the latent positions of probabilistic PCA, with the map W integrated out.

    Parameters
    ----------
    X, n_components
        As in `pca`, with the same errors and warnings.

    Returns
    -------
    GPLVMResult
        Latent positions and noise variance; its kernel is ``Linear()``.

    Notes
    -----
    Derived in Chapter 13, Probabilistic models. With a standard normal prior for each row of W,
    the columns of the centred data are p independent draws from :math:`N(0, Z Z^\top + \sigma^2
    I)`. Because their second-moment matrix is ``B / p``, the argument for probabilistic PCA gives
    :math:`Z = V_k (\Lambda_k / p - \sigma^2 I)^{1/2} R`, where :math:`\sigma^2` is the mean of the
    n - k discarded eigenvalues of ``B / p``. Each column of Z is the column of classical scaling
    times :math:`(1/p - \sigma^2 / \lambda_i)^{1/2}`.

    Centring the data maximises the likelihood over the means of the columns, because the vector of
    ones is an eigenvector of the fitted covariance. It is one of the n - k discarded directions,
    with eigenvalue 0.

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
    Z = principal.points * np.sqrt(np.maximum(1 / p - noise_variance / kept, 0))
    maximum = profile_log_likelihood(kept / p, noise_variance, p, n) if noise_variance else np.inf
    shares, history = principal.explained_variance_ratio, np.array([maximum])
    return GPLVMResult(Z, Linear(), noise_variance, history, True, shares)


@store_labels()
def gplvm(
    X: ArrayLike,
    n_components: int | float = 2,
    kernel: Kernel | None = None,
    *,
    init: ArrayLike | None = None,
    max_iter: int = 1000,
) -> GPLVMResult:
    r"""Fit the latent positions of a Gaussian process latent variable model.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Points, one in each row; all variables in comparable units.
    n_components : int or float
        As in `pca`.
    kernel : RBF or Linear, optional
        Kernel between the latent positions, by default ``RBF(0.5)``. The amplitude of an RBF
        kernel is fitted. Its theta is not, because it only determines the unit of the latent
        space: a change of theta is equivalent to scaling Z.
    init : array_like of shape (n, k), optional
        Latent positions to start from. By default those of `dual_probabilistic_pca`; for an RBF
        kernel they are scaled such that the standard deviation of the first column is the length
        scale :math:`1 / \sqrt{2 \theta}` of the kernel.
    max_iter : int
        Number of iterations after which the optimiser stops with a warning.

    Returns
    -------
    GPLVMResult
        Latent positions, fitted kernel, noise variance, and the course of the log-likelihood.

    Raises
    ------
    ValueError
        If X is not a finite real matrix with at least two different rows, another argument is not
        as above, or `init` is too large for the linear kernel.

    Warns
    -----
    NotConvergedWarning
        If the optimiser stopped before it converged.
    FewerComponentsWarning
        As in `pca`.

    Notes
    -----
    Derived in Chapter 13, Probabilistic models. The columns of the centred data are p independent
    draws from :math:`N(0, \Omega)` with :math:`\Omega = K(Z) + \sigma^2 I`. Let
    :math:`\nabla = \tfrac12 (\Omega^{-1} X_c X_c^\top \Omega^{-1} - p\, \Omega^{-1})` be the
    derivatives of the log-likelihood with respect to the entries of :math:`\Omega`. The gradient
    with respect to Z is :math:`2 \nabla Z` for the linear kernel, and :math:`-4 \theta\,
    (\operatorname{diag}(M \mathbf 1) - M) Z` for the RBF kernel, where :math:`M = \nabla \odot K`
    is the entrywise product.

    The optimiser is L-BFGS, applied to data with mean square 1. It finds a local maximum; another
    start may lead to a larger one. It stops when an iteration hardly increases the likelihood;
    positions are then accurate to about three digits. With the linear kernel, the maximum is that
    of `dual_probabilistic_pca`. The noise variance is at least 1e-6 of the mean square of the
    centred data, because without noise the likelihood may be unbounded.

    Source: Lawrence (2005).

    Examples
    --------
    >>> t = np.linspace(-1, 1, 12)
    >>> fit = gplvm(np.column_stack([t, t**2, t**3]), n_components=1)
    >>> order = np.argsort(fit.points[:, 0])
    >>> bool(np.all(np.abs(np.diff(order)) == 1)), fit.converged
    (True, True)
    """
    kernel = RBF(0.5) if kernel is None else kernel
    if not isinstance(kernel, (RBF, Linear)):
        raise ValueError(
            f"kernel is {kernel!r}: give RBF(theta) or Linear(), for which gradients are known."
        )
    X = np.ascontiguousarray(as_points(X, min_points=2))
    centred = X - X.mean(axis=0)
    scale = float(np.sqrt(np.mean(centred**2)))
    standardized = centred / (scale or 1.0)
    dual = dual_probabilistic_pca(standardized, n_components)
    if scale == 0 or dual.points.shape[1] == 0:
        raise ValueError("All rows of X are equal: give objects of which at least two differ.")
    latent_scale = 1 / np.sqrt(2 * kernel.theta) if isinstance(kernel, RBF) else scale
    model = LatentModel(standardized, isinstance(kernel, RBF))
    Z = _default_start(dual, kernel) if init is None else _given_start(init, dual) / latent_scale
    start = np.append(Z.ravel(), np.log([1.0, max(dual.noise_variance, 10 * MIN_NOISE)]))
    Z, amplitude, noise, history, converged = maximize_likelihood(model, start, max_iter)
    points = _principal_axes(latent_scale * Z, kernel)
    likelihoods = history - X.size * np.log(scale)
    fitted = amplitude * scale**2 * kernel if isinstance(kernel, RBF) else kernel
    return GPLVMResult(points, fitted, noise * scale**2, likelihoods, converged)


def _default_start(dual: GPLVMResult, kernel: Kernel) -> FloatArray:
    """Return the positions of the dual, scaled to the length scale of the kernel."""
    if isinstance(kernel, Linear):
        return dual.points
    size = np.sqrt(np.mean(dual.points[:, 0] ** 2))
    return dual.points / (size or 1.0)


def _given_start(init: ArrayLike, dual: GPLVMResult) -> FloatArray:
    """Return the given positions after checking their shape."""
    Z = as_points(init, "init")
    if Z.shape != dual.points.shape:
        raise ValueError(
            f"init has shape {Z.shape}: give shape {dual.points.shape}, with a row for each "
            "object and a column for each dimension."
        )
    return Z


def _principal_axes(Z: FloatArray, kernel: Kernel) -> FloatArray:
    """Rotate positions to their principal axes; centre them first if only distances matter."""
    centred = Z - Z.mean(axis=0) if kernel.isotropic else Z
    V, s, _ = svd(centred, full_matrices=False)
    return with_canonical_signs(V) * s
