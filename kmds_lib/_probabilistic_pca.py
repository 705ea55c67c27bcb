"""Probabilistic PCA, the Gaussian model behind PCA.

The model integrates out the latent positions and fits the map W. Its dual, in `kmds_lib._gplvm`,
integrates out W and fits the positions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from kmds_lib._labels import Labelled, check_columns, check_variables, column_labels, store_labels
from kmds_lib._messages import plural
from kmds_lib._numbers import as_numbers
from kmds_lib._parameters import check_count, random_generator
from kmds_lib._pca import PCAResult, discarded_sum, pca
from kmds_lib._rounding import EPS
from kmds_lib._types import FloatArray
from kmds_lib._validation import as_gram, as_points


def gaussian_log_likelihood(X: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> float:
    r"""Return the log-likelihood of the rows of X under one Gaussian.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Observations, one in each row.
    mean : array_like of shape (p,)
        Mean of the Gaussian.
    covariance : array_like of shape (p, p)
        Covariance of the Gaussian, symmetric positive definite.

    Returns
    -------
    float
        Total over the n rows, in nats.

    Raises
    ------
    ValueError
        If an input is not finite, the shapes or the labels of the variables do not match, or the
        covariance is not symmetric positive definite.

    Notes
    -----
    Derived in Chapter 13, Probabilistic models. The log-likelihood is :math:`-\tfrac n2 (p \log
    2\pi + \log \det C + \operatorname{tr}(C^{-1} S))`, where ``C`` is the given covariance and
    ``S`` the 1/n covariance of the rows about ``mean``.

    Examples
    --------
    >>> round(gaussian_log_likelihood([[0.0], [1.0]], [0.0], [[1.0]]), 4)
    -2.3379
    """
    check_variables({"mean": mean, "covariance": covariance}, column_labels(X))
    X = as_points(X)
    n, p = X.shape
    centre, C = np.atleast_1d(as_numbers(mean, "mean")), as_gram(covariance, "covariance")
    if centre.shape != (p,) or C.shape != (p, p):
        raise ValueError(
            f"mean has shape {centre.shape} and covariance {C.shape}: give {(p,)} and {(p, p)}, "
            f"because X has {plural(p, 'column')}."
        )
    centred = X - as_points(centre[None], "mean", smallest=0.0)
    factor = _cholesky(C)
    whitened = solve_triangular(factor, centred.T, lower=True)
    log_det = 2 * np.log(np.diag(factor)).sum()
    return float(-0.5 * (n * (p * np.log(2 * np.pi) + log_det) + (whitened**2).sum()))


def _cholesky(covariance: FloatArray) -> FloatArray:
    """Return the lower Cholesky factor of a matrix that is not singular to rounding."""
    try:
        factor = np.asarray(np.linalg.cholesky(covariance), dtype=np.float64)
    except np.linalg.LinAlgError:
        factor = np.zeros_like(covariance)
    pivots, floor = np.diag(factor) ** 2, len(covariance) * EPS * np.abs(np.diag(covariance))
    if not (pivots > floor).all():
        raise ValueError(
            "covariance is not positive definite, so the Gaussian has no density: "
            "keep fewer components, or use a positive noise variance."
        )
    return factor


def profile_log_likelihood(
    eigenvalues: FloatArray, noise_variance: float, n_samples: int, size: int
) -> float:
    """Return the maximum of the log-likelihood of a Gaussian model, from its eigenvalues.

    At the maximum ``tr(C^{-1} S) = size``. The eigenvalues of ``C`` (size x size) are the given
    ones, and ``noise_variance`` for all others.
    """
    n_discarded = size - len(eigenvalues)
    if n_discarded and noise_variance == 0:
        raise ValueError(
            f"The likelihood is unbounded, because noise_variance is 0: the data have rank "
            f"{len(eigenvalues)}. Keep fewer components."
        )
    log_det = np.log(eigenvalues).sum()
    if n_discarded:
        log_det += n_discarded * np.log(noise_variance)
    return float(-0.5 * n_samples * (size * np.log(2 * np.pi) + log_det + size))


@dataclass(frozen=True, eq=False, repr=False)
class ProbabilisticPCAResult(Labelled):
    r"""Result of `probabilistic_pca`: the model x = W z + mean + noise, with z standard normal.

    Attributes
    ----------
    W : ndarray of shape (p, k)
        Maximum-likelihood map from latent to data coordinates, :math:`U (\Lambda / n - \sigma^2
        I)^{1/2}`. ``W @ R`` has the same likelihood for every orthogonal R.
    noise_variance : float
        :math:`\sigma^2`, the mean of the discarded variances.
    principal : PCAResult
        The PCA from which the model is computed.
    """

    _printed = ("noise_variance",)
    W: FloatArray
    noise_variance: float
    principal: PCAResult

    @property
    def mean(self) -> FloatArray:
        """Return the mean of the data, shape (p,)."""
        return self.principal.mean

    @property
    def eigenvalues(self) -> FloatArray:
        """Return the kept eigenvalues of B, shape (k,): n times the kept variances."""
        return self.principal.eigenvalues

    @property
    def explained_variance_ratio(self) -> FloatArray:
        """Return the share of each principal axis in the total variance, shape (k,)."""
        return self.principal.explained_variance_ratio

    @property
    def covariance(self) -> FloatArray:
        r"""Return the model covariance :math:`C = W W^\top + \sigma^2 I`, shape (p, p)."""
        return self.W @ self.W.T + self.noise_variance * np.eye(len(self.W))

    @property
    def points(self) -> FloatArray:
        """Return the posterior means of z for the training points, shape (n, k)."""
        return self._posterior_means(self.principal.points)

    def _posterior_means(self, scores: FloatArray) -> FloatArray:
        """Return the scores, divided by their standard deviations and shrunk."""
        variances = self.principal.variances
        excess = np.maximum(variances - self.noise_variance, 0)
        return scores * (np.sqrt(excess) / variances)

    def transform(self, new: ArrayLike) -> FloatArray:
        r"""Return the posterior mean of z for new points.

        It is :math:`(W^\top W + \sigma^2 I)^{-1} W^\top (x - \text{mean})`.

        Parameters
        ----------
        new : array_like of shape (m, p)
            New points, in the variables of the training points.

        Returns
        -------
        ndarray of shape (m, k)
            Latent coordinates.
        """
        self._check_columns(new)
        return self._posterior_means(self.principal.transform(new))

    def log_likelihood(self, X: ArrayLike | None = None) -> float:
        """Return the log-likelihood of the training points, or of other points.

        Parameters
        ----------
        X : array_like of shape (m, p), optional
            Other points. By default the training points.

        Returns
        -------
        float
            Total over the points, in nats.

        Raises
        ------
        ValueError
            If the model covariance is singular, because the rank of the data is k and less than p.
        """
        if X is not None:
            check_columns(X, "X", self.columns, "the fit", "X[list(fit.columns)]")
            return gaussian_log_likelihood(X, self.mean, self.covariance)
        n, p = len(self.principal.points), len(self.W)
        return profile_log_likelihood(self.principal.variances, self.noise_variance, n, p)

    def sample(self, n: int, seed: int | np.random.Generator | None = None) -> FloatArray:
        """Draw new points from the fitted model.

        Parameters
        ----------
        n : int
            Number of points, at least 1.
        seed : int or numpy.random.Generator, optional
            Seed of the draw; without it every call draws anew.

        Returns
        -------
        ndarray of shape (n, p)
        """
        n = check_count(n, "n")
        generator = random_generator(seed)
        p, k = self.W.shape
        signal: FloatArray = generator.standard_normal((n, k)) @ self.W.T
        noise = np.sqrt(self.noise_variance) * generator.standard_normal((n, p))
        return np.asarray(self.mean + signal + noise)


@store_labels()
def probabilistic_pca(X: ArrayLike, n_components: int | float = 2) -> ProbabilisticPCAResult:
    r"""Fit probabilistic PCA by maximum likelihood, in closed form.

    Parameters
    ----------
    X, n_components
        As in `pca`, with the same errors and warnings.

    Returns
    -------
    ProbabilisticPCAResult
        The model, with `transform`, `log_likelihood` and `sample`.

    Notes
    -----
    Derived in Chapter 13, Probabilistic models. Let :math:`\lambda_i / n` be the eigenvalues of
    the 1/n covariance S in descending order, and U its eigenvectors. The likelihood is largest for
    :math:`\sigma^2 = \tfrac1{p - k} \sum_{i > k} \lambda_i / n`, the mean of the discarded
    eigenvalues, and :math:`W = U_k (\Lambda_k / n - \sigma^2 I)^{1/2} R` with any orthogonal R.
    This function takes R = I.

    In scikit-learn, which divides by n - 1, ``noise_variance`` and ``covariance`` are
    ``n / (n - 1)`` times as large. For k = p there is no noise, and the model is the Gaussian with
    covariance S.

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
