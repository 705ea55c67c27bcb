"""Estimators for scikit-learn: classical scaling, kernel MDS, stress and landmark scaling.

The classes wrap the functions of the library, which return frozen results, in scikit-learn's
``fit`` and ``transform``. Since new objects are placed by `transform`, the held-out objects of a
cross-validation do not influence the configuration. Only this module needs scikit-learn, which has
its own estimators of Isomap, locally linear embedding and Laplacian eigenmaps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

try:
    from sklearn.utils import Tags
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise ImportError('Install scikit-learn >= 1.6: pip install "kmds_lib[sklearn]".') from error

from kmds_lib._additive_constant import AdditiveMethod
from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._disparities import Ties, Transform
from kmds_lib._gram import distances
from kmds_lib._initial_configurations import StressStart
from kmds_lib._kernel_mds import kernel_mds
from kmds_lib._kernel_pca import kernel_pca
from kmds_lib._labels import as_labelled_matrix
from kmds_lib._landmark_scaling import landmark_scaling
from kmds_lib._landmarks import LandmarkChoice
from kmds_lib._metrics import MetricOrPrecomputed
from kmds_lib._rounding import rounding_tolerance
from kmds_lib._sklearn_base import RandomState, Scaling, SpectralScaling, seed_of
from kmds_lib._smacof import smacof
from kmds_lib._types import FloatArray
from kmds_lib._validation import EuclideanOrPrecomputed, as_dissimilarities
from kmds_lib.kernels import RBF, Kernel
from kmds_lib.kernels._bandwidth import BandwidthRule, kernel_of_theta, theta_by_rule

__all__ = ["ClassicalScaling", "KernelMDS", "LandmarkScaling", "Stress"]


class ClassicalScaling(SpectralScaling):
    """Estimator for `kmds_lib.classical_scaling`.

    Parameters
    ----------
    n_components, additive
        As in `kmds_lib.classical_scaling`.
    metric : str or callable
        A metric of `kmds_lib.distances`, for points; or "precomputed", for dissimilarities.
    metric_params : dict, optional
        Options of the metric. Options that it would estimate from the data must be given.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        Coordinates of the training objects. If fewer than `n_components` eigenvalues are positive,
        k is their number and a `FewerComponentsWarning` is issued.
    eigenvalues_ : ndarray of shape (k,)
        Positive eigenvalues of B.
    explained_variance_ratio_ : ndarray of shape (k,)
        Share of each of these eigenvalues in the sum of all absolute eigenvalues.
    result_ : ClassicalScalingResult
        Result of `classical_scaling`, with the explained fraction, the spectrum, and more.

    Notes
    -----
    Derived in Chapter 4, Classical scaling. New objects are placed by the formula of Gower (1968).

    Examples
    --------
    >>> scaling = ClassicalScaling(1, metric="precomputed").fit([[0.0, 2.0], [2.0, 0.0]])
    >>> scaling.transform([[1.0, 1.0], [0.0, 2.0]]).round(6)
    array([[0.],
           [1.]])
    """

    def __init__(
        self,
        n_components: int | float = 2,
        *,
        additive: AdditiveMethod | None = None,
        metric: MetricOrPrecomputed = "euclidean",
        metric_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_components = n_components
        self.additive = additive
        self.metric = metric
        self.metric_params = metric_params

    def _fit(self, X: FloatArray) -> Any:
        D = self._dissimilarities(X)
        return classical_scaling(D, self.n_components, additive=self.additive)


class KernelMDS(SpectralScaling):
    r"""Estimator for `kmds_lib.kernel_mds`; for points, it is `kmds_lib.kernel_pca`.

    Parameters
    ----------
    n_components : int or float
        As in `ClassicalScaling`.
    kernel : callable
        Class or function that returns the `Kernel` for a parameter theta, such as `RBF` or
        ``lambda theta: 0.5 * RBF(theta) + 0.5 * Linear()``. For pickling, define the function in a
        module. The kernel must be isotropic unless the input consists of points with the
        Euclidean metric.
    theta : {"median", "scale"} or float
        Parameter of the kernel, which a grid search can vary; or a rule that chooses it from the
        distances between the training objects, as in `kmds_lib.choose_theta`.
    metric, metric_params
        As in `ClassicalScaling`.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        As in `ClassicalScaling`, like `eigenvalues_` and `explained_variance_ratio_`, but with
        :math:`HKH` in place of B.
    theta_ : float
        Parameter of the fitted kernel.
    result_ : KernelPCAResult
        Result of `kernel_mds` or `kernel_pca`, with the explained fraction, the Shepard diagram,
        and more.

    Notes
    -----
    Derived in Chapter 8, Kernel multidimensional scaling, which uses the median rule as a first
    guess only. If all columns have the same mean, as after standardisation, "scale" gives the
    ``gamma`` that scikit-learn's ``SVC`` calls "scale". Otherwise the latter depends on the origin
    of the data, unlike kernel MDS. Source: Williams (2001).

    Examples
    --------
    >>> scaling = KernelMDS(1, theta=0.1).fit([[0.0], [2.0]])
    >>> scaling.transform([[1.0]]).round(6)
    array([[0.]])
    >>> [round(KernelMDS(1).fit([[0.0], [far]]).theta_, 8) for far in (2.0, 20.0)]
    [0.125, 0.00125]
    """

    def __init__(
        self,
        n_components: int | float = 2,
        *,
        kernel: Callable[[float], Kernel] = RBF,
        theta: BandwidthRule | float = "median",
        metric: MetricOrPrecomputed = "euclidean",
        metric_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.theta = theta
        self.metric = metric
        self.metric_params = metric_params

    @available_if(lambda self: self._is_kernel_pca)  # type: ignore[untyped-decorator]
    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """Return pre-images: points whose feature vectors are close to those with given scores.

        Parameters
        ----------
        X : array_like of shape (m, k)
            Scores, such as those of `transform`.

        Returns
        -------
        ndarray of shape (m, p)
            Pre-images, each from the ten training points that are closest in feature space.

        Raises
        ------
        AttributeError
            If the metric is not "euclidean".
        ValueError
            If the profile of the kernel has no inverse, or `X` does not have k columns.

        Notes
        -----
        Derived in Chapter 7, Kernel PCA. Source: Kwok & Tsang (2004).

        Examples
        --------
        >>> import numpy as np
        >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
        >>> scaling = KernelMDS(3).fit(X)
        >>> scaling.inverse_transform(scaling.transform(X)).round(6)[3]
        array([2., 2.])
        """
        check_is_fitted(self)
        preimages: FloatArray = self.result_.preimage(X, min(10, len(self.embedding_)))
        return preimages

    def _fit(self, X: FloatArray) -> Any:
        D = None
        if not self._is_kernel_pca:
            D = as_dissimilarities(self._dissimilarities(X), "X", min_objects=2)
        if isinstance(self.theta, str):
            self.theta_ = theta_by_rule(self.theta, self.kernel, distances(X) if D is None else D)
        else:
            self.theta_ = self.theta
        kernel = kernel_of_theta(self.kernel, self.theta_)
        if D is None:
            return kernel_pca(X, kernel, self.n_components)
        return kernel_mds(D, kernel, self.n_components)

    def _input_of_transform(self, X: FloatArray) -> FloatArray:
        return X if self._is_kernel_pca else super()._input_of_transform(X)

    @property
    def _is_kernel_pca(self) -> bool:
        """Return True for points with Euclidean distances, for which any kernel is allowed."""
        return self.metric == "euclidean" and not self.metric_params


class Stress(Scaling):
    r"""Estimator for `kmds_lib.smacof`, which minimises stress.

    Parameters
    ----------
    n_components : int
        Number of coordinates, from 1 to n - 1.
    disparities : {"identity", "ratio", "interval", "polynomial", "ordinal"}
        Transformation of the dissimilarities that the distances approximate. In `smacof` this
        parameter is called ``transform``, which is a method here.
    weights : array_like of shape (n, n) or callable, optional
        Weights of the pairs; or a function that returns them for given dissimilarities, as needed
        in a cross-validation. With weights, dissimilarities may be missing (NaN); in `fit` their
        weights must be zero. `transform` gives equal weights to all dissimilarities of a new
        object that are not missing.
    ties, init, n_init, max_iter, tol
        As in `smacof`.
    metric, metric_params
        As in `ClassicalScaling`.
    random_state : int, Generator, RandomState or None
        Seed of the random starts.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        Coordinates of the training objects.
    stress_ : float
        Stress-1.
    n_iter_ : int
        Number of iterations.
    result_ : StressResult
        Result of `smacof`, with the disparities, the Shepard diagram, and more.

    Notes
    -----
    Derived in Chapter 9, Stress. Each new object is placed separately by minimising its stress,
    while the configuration is fixed. A training object gets its own coordinates unless another
    place has a smaller stress. Source: de Leeuw (1977); Kruskal (1964).

    Examples
    --------
    >>> import numpy as np
    >>> def observed(D):
    ...     return 1.0 - np.isnan(D)
    >>> D = [[0, 3, 4, np.nan], [3, 0, 5, 4], [4, 5, 0, 3], [np.nan, 4, 3, 0]]
    >>> scaling = Stress(weights=observed, metric="precomputed").fit(D)
    >>> place = scaling.transform([[2.5, 2.5, 2.5, np.nan]])
    >>> np.linalg.norm(place - scaling.embedding_, axis=1).round(3)
    array([2.5, 2.5, 2.5, 2.5])
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        disparities: Transform = "identity",
        weights: ArrayLike | Callable[[FloatArray], ArrayLike] | None = None,
        ties: Ties = "primary",
        init: StressStart | ArrayLike = "classical",
        n_init: int = 1,
        max_iter: int = 1000,
        tol: float = 1e-5,
        metric: MetricOrPrecomputed = "euclidean",
        metric_params: dict[str, Any] | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.disparities = disparities
        self.weights = weights
        self.ties = ties
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.metric = metric
        self.metric_params = metric_params
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.pairwise and self.weights is not None
        return tags

    @property
    def stress_(self) -> float:
        """Return the stress-1 of the configuration."""
        return float(self.result_.stress)

    @property
    def n_iter_(self) -> int:
        """Return the number of iterations."""
        return int(self.result_.n_iter)

    def _fit(self, X: FloatArray) -> Any:
        D = self._dissimilarities(X)
        # smacof compares the labels with those of the weights, and judges ties by the tolerance.
        return smacof(
            as_labelled_matrix(D, self._labels, rounding_tolerance(X)),
            self.n_components,
            weights=self.weights(D) if callable(self.weights) else self.weights,
            transform=self.disparities,
            ties=self.ties,
            init=self.init,
            n_init=self.n_init,
            max_iter=self.max_iter,
            tol=self.tol,
            seed=seed_of(self.random_state),
        )


class LandmarkScaling(SpectralScaling):
    """Estimator for `kmds_lib.landmark_scaling`.

    Parameters
    ----------
    n_components, landmarks, choose
        As in `landmark_scaling`.
    metric : {"euclidean", "precomputed"}
        Whether the input contains points or a square dissimilarity matrix.
    random_state : int, Generator, RandomState or None
        Seed of the choice.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        As in `ClassicalScaling`, like `eigenvalues_` and `explained_variance_ratio_`; the
        eigenvalues are those of the landmarks.
    result_ : LandmarkEmbedding
        Result of `landmark_scaling`, with the landmarks, the fit to them, and more.

    Notes
    -----
    Derived in Chapter 10, New points and landmarks. Source: de Silva & Tenenbaum (2004).

    Examples
    --------
    >>> scaling = LandmarkScaling(1, landmarks=[0, 1, 2]).fit([[0.0], [2.0], [7.0], [4.0]])
    >>> scaling.transform([[3.0], [4.0]]).round(6)
    array([[0.],
           [1.]])
    """

    def __init__(
        self,
        n_components: int | float = 2,
        *,
        landmarks: int | ArrayLike | None = None,
        choose: LandmarkChoice = "random",
        metric: EuclideanOrPrecomputed = "euclidean",
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.landmarks = landmarks
        self.choose = choose
        self.metric = metric
        self.random_state = random_state

    def _fit(self, X: FloatArray) -> Any:
        if self.metric == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"X has shape {X.shape}: give a square dissimilarity matrix, with a row and a "
                "column for each object, whether it is a landmark or not."
            )
        return landmark_scaling(
            X,
            self.n_components,
            metric=self.metric,
            landmarks=self.landmarks,
            choose=self.choose,
            seed=seed_of(self.random_state),
        )

    def _input_of_transform(self, X: FloatArray) -> FloatArray:
        return X[:, self.result_.landmarks] if self.metric == "precomputed" else X
