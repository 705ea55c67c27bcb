"""PCA as a Gaussian model: probabilistic PCA.

It integrates the latent positions out and fits the map W. Its dual, in `kmds_lib._gplvm`, does it
the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from kmds_lib._checks import EPS, FloatArray, as_gram, as_numbers, as_points, check_count
from kmds_lib._labels import Labelled, carry_labels
from kmds_lib._pca import PCAResult, discarded_sum, pca

__all__ = ["ProbabilisticPCAResult", "gaussian_log_likelihood", "probabilistic_pca"]


def gaussian_log_likelihood(X: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> float:
    r"""Log-likelihood of the rows of X under one Gaussian.

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
    :math:`-\tfrac n2 (p \log 2\pi + \log \det C + \operatorname{tr}(C^{-1} S))`. Derived in
    Chapter 13, Models behind the map.

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


def profile_log_likelihood(
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
class ProbabilisticPCAResult(Labelled):
    r"""A fitted probabilistic PCA: x = W z + mean + noise, with z standard normal.

    Attributes
    ----------
    W : ndarray of shape (p, k)
        Maximum-likelihood map from latent to data coordinates,
        :math:`U (\Lambda / n - \sigma^2 I)^{1/2}`. Any ``W @ R`` with R orthogonal fits as well;
        this is the one with R = I.
    noise_variance : float
        :math:`\sigma^2`, the mean of the discarded variances.
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
        r"""Model covariance :math:`C = W W^\top + \sigma^2 I`, shape (p, p)."""
        return self.W @ self.W.T + self.noise_variance * np.eye(len(self.W))

    @property
    def points(self) -> FloatArray:
        """Posterior means of the training points, (n, k): the scores, whitened and shrunk."""
        return self._shrink(self.principal.points)

    def _shrink(self, scores: FloatArray) -> FloatArray:
        variances = self.principal.variances
        excess = np.maximum(variances - self.noise_variance, 0)
        return scores * (np.sqrt(excess) / variances)

    def transform(self, new: ArrayLike) -> FloatArray:
        r"""Posterior mean of z for new points.

        It is :math:`(W^\top W + \sigma^2 I)^{-1} W^\top (x - \text{mean})`.

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
        return profile_log_likelihood(self.principal.variances, self.noise_variance, n, p)

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


@carry_labels
def probabilistic_pca(X: ArrayLike, n_components: int = 2) -> ProbabilisticPCAResult:
    r"""Fit probabilistic PCA by maximum likelihood, in closed form.

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
    Derived in Chapter 13, Models behind the map. With :math:`\lambda_i / n`
    the eigenvalues of the 1/n covariance, largest first, and ``U`` its eigenvectors,
    :math:`\sigma^2 = \tfrac1{p - k} \sum_{i > k} \lambda_i / n` and
    :math:`W = U_k (\Lambda_k / n - \sigma^2 I)^{1/2} R`, for any orthogonal R. The square root
    matters, and so does the mean being over the discarded eigenvalues.

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
