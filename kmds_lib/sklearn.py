"""Scikit-learn's doors: the book's scalings as estimators for pipelines and grid searches.

The library's functions return frozen results; these classes wrap them in scikit-learn's ``fit``
and ``transform``. New objects are placed by `transform` alone, so that in a cross-validation no
held-out object has a part in the configuration.

Importing this module needs scikit-learn, which the rest of the library does not use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from kmds_lib._additive_constant import Method
from kmds_lib._checks import FloatArray, Metric, as_dissimilarities
from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._disparities import Ties, Transform
from kmds_lib._gram import distances
from kmds_lib._initial_configurations import Start
from kmds_lib._kernel_mds import kernel_mds, kernel_mds_from_points
from kmds_lib._landmarks import Choice
from kmds_lib._nystroem import landmark_scaling
from kmds_lib._sklearn_base import EstimatorMetric, RandomState, Scaling, SpectralScaling, seed_of
from kmds_lib._smacof import smacof
from kmds_lib.kernels import RBF, Kernel
from kmds_lib.kernels._bandwidth import Rule, theta_by_rule

__all__ = ["ClassicalScaling", "KernelMDS", "LandmarkScaling", "Stress"]


class ClassicalScaling(SpectralScaling):
    """Classical scaling as an estimator: `kmds_lib.classical_scaling`.

    Parameters
    ----------
    n_components : int
        Number of coordinates, from 1 to n - 1.
    additive : {"cailliez", "lingoes"}, optional
        Make the dissimilarities Euclidean first, with the smallest constant of that kind.
    metric : str or callable
        What is scaled: the distances of points by a metric that `kmds_lib.distances` takes; or,
        with "precomputed", dissimilarities.
    metric_params : dict, optional
        Options of the metric. Those that it would estimate from the data have to be given.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        Coordinates of the training objects; k is less than `n_components` where fewer
        eigenvalues are positive, which is said in a `FewerComponentsWarning`.
    eigenvalues_ : ndarray of shape (k,)
        Positive eigenvalues of B.
    result_ : ClassicalScalingResult
        What `classical_scaling` returned: explained fraction, spectrum, and the rest.

    Notes
    -----
    Derived in Chapter 4, Classical scaling; new objects are placed as in Gower (1968).

    Examples
    --------
    >>> scaling = ClassicalScaling(1, metric="precomputed").fit([[0.0, 2.0], [2.0, 0.0]])
    >>> scaling.transform([[1.0, 1.0], [0.0, 2.0]]).round(6)
    array([[0.],
           [1.]])
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        additive: Method | None = None,
        metric: EstimatorMetric = "euclidean",
        metric_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_components = n_components
        self.additive = additive
        self.metric = metric
        self.metric_params = metric_params

    def _fit(self, X: FloatArray) -> Any:
        return classical_scaling(self._table(X), self.n_components, additive=self.additive)


class KernelMDS(SpectralScaling):
    r"""Kernel MDS as an estimator: `kmds_lib.kernel_mds`, or `kmds_lib.kernel_mds_from_points`.

    Parameters
    ----------
    n_components : int
        Number of coordinates, from 1 to n - 1.
    kernel : callable
        Called as ``kernel(theta)``, it gives the `Kernel`: a class such as `RBF`, or a function
        such as ``lambda theta: 0.5 * RBF(theta) + 0.5 * Linear()``; one that is to be pickled is
        a function of a module. All but Euclidean distances need an isotropic kernel.
    theta : {"median", "scale"} or float
        Parameter of the kernel, which a grid search can vary. A rule fits it to the training
        objects: :math:`r(\delta) = e^{-1/2}\, r(0)` at a typical distance. With "median" that is
        the median distance between objects that differ; with "scale" half the root of the mean
        squared distance. `RBF` has :math:`\theta = 1 / (2 \delta^2)`.
    metric, metric_params
        As `ClassicalScaling` takes them.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        Coordinates of the training objects; k is less than `n_components` where fewer
        eigenvalues are positive, which is said in a `FewerComponentsWarning`.
    eigenvalues_ : ndarray of shape (k,)
        Positive eigenvalues of :math:`HKH`.
    theta_ : float
        Parameter of the fitted kernel.
    result_ : KernelPCAResult
        What `kernel_mds` returned, or `kernel_mds_from_points`: explained fraction, Shepard
        diagram, and the rest.

    Notes
    -----
    Derived in Chapter 8, Kernel MDS, which starts at the median rule and warns of staying there.
    Where all columns have one mean, as after standardisation, "scale" gives `RBF` the ``gamma``
    that scikit-learn's ``SVC`` calls "scale"; elsewhere that depends on the origin of the data,
    and kernel MDS does not. Source: Williams (2001).

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
        n_components: int = 2,
        *,
        kernel: Callable[[float], Kernel] = RBF,
        theta: Rule | float = "median",
        metric: EstimatorMetric = "euclidean",
        metric_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.theta = theta
        self.metric = metric
        self.metric_params = metric_params

    @available_if(lambda self: self._of_points)  # type: ignore[untyped-decorator]
    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """Return points whose places come close to given ones: pre-images.

        Parameters
        ----------
        X : array_like of shape (m, k)
            Places, such as `transform` returns.

        Returns
        -------
        ndarray of shape (m, p)
            Each fixed by the ten training points nearest in feature space.

        Raises
        ------
        AttributeError
            If `fit` takes dissimilarities, or another metric than the Euclidean one.
        ValueError
            If the kernel's profile has no inverse, or `X` does not have k columns.

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
        placed: FloatArray = self.result_.preimage(X, min(10, len(self.embedding_)))
        return placed

    def _fit(self, X: FloatArray) -> Any:
        if isinstance(self.kernel, Kernel) or not callable(self.kernel):
            raise ValueError(
                f"kernel is {self.kernel!r}: give what makes a kernel of theta, such as the class "
                "RBF, or a function such as lambda theta: 0.5 * RBF(theta) + Linear()."
            )
        D = None if self._of_points else as_dissimilarities(self._table(X), "X", min_objects=2)
        if isinstance(self.theta, str):
            self.theta_ = theta_by_rule(self.theta, self.kernel, distances(X) if D is None else D)
        else:
            self.theta_ = self.theta
        kernel = self.kernel(self.theta_)
        if D is None:
            return kernel_mds_from_points(X, kernel, self.n_components)
        return kernel_mds(D, kernel, self.n_components)

    def _given(self, X: FloatArray) -> FloatArray:
        return X if self._of_points else super()._given(X)

    @property
    def _of_points(self) -> bool:
        return self.metric == "euclidean" and not self.metric_params


class Stress(Scaling):
    r"""Scaling by stress as an estimator: `kmds_lib.smacof`.

    Parameters
    ----------
    n_components : int
        Number of coordinates, from 1 to n - 1.
    disparities : {"identity", "ratio", "interval", "polynomial", "ordinal"}
        What the distances come close to: the dissimilarities themselves, or a function of them.
        It is what `smacof` calls ``transform``, here the name of a method.
    weights : array_like of shape (n, n) or callable, optional
        Weights of the pairs; or a function of the dissimilarities that returns them, which in a
        cross-validation weighs each set of training objects. With weights, dissimilarities may be
        missing (NaN): in `fit` where the weight is zero. New pairs count alike.
    ties, init, n_init, max_iter, tol
        As `smacof` takes them.
    metric, metric_params
        As `ClassicalScaling` takes them.
    random_state : int, Generator, RandomState or None
        Seed of the random starts.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        Coordinates of the training objects.
    stress_ : float
        Stress-1.
    n_iter_ : int
        Number of steps taken.
    result_ : StressResult
        What `smacof` returned: disparities, Shepard diagram, and the rest.

    Notes
    -----
    Derived in Chapter 9, MDS is three losses. New objects are placed by a search, each by itself,
    while the others stay. A training object comes back to its own place where that search finds
    nothing lower. Source: de Leeuw (1977); Kruskal (1964).

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
        init: Start | ArrayLike = "classical",
        n_init: int = 1,
        max_iter: int = 1000,
        tol: float = 1e-5,
        metric: EstimatorMetric = "euclidean",
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
        """Stress-1 of the configuration."""
        return float(self.result_.stress)

    @property
    def n_iter_(self) -> int:
        """Number of steps taken."""
        return int(self.result_.n_iter)

    def _fit(self, X: FloatArray) -> Any:
        D = self._table(X)
        return smacof(
            D,
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
    """Landmark scaling as an estimator: `kmds_lib.landmark_scaling`.

    Parameters
    ----------
    n_components : int
        Number of coordinates, from 1 to m - 1.
    landmarks : int or array_like of int, optional
        How many, or which rows of the training objects. 200 by default, or all where there are
        fewer.
    choose : {"random", "farthest", "kmeans"}
        How landmarks are found where their number is given.
    metric : {"euclidean", "precomputed"}
        What is scaled: points, or a square table of dissimilarities.
    random_state : int, Generator, RandomState or None
        Makes the choice repeat.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, k)
        Coordinates of all n training objects; k is less than `n_components` where the landmarks
        have fewer positive eigenvalues, which is said in a `FewerComponentsWarning`.
    eigenvalues_ : ndarray of shape (k,)
        Positive eigenvalues of the landmarks' B.
    result_ : LandmarkEmbedding
        What `landmark_scaling` returned: landmarks, their own fit, and the rest.

    Notes
    -----
    Derived in Chapter 10, A new point is projected. Source: de Silva & Tenenbaum (2004).

    Examples
    --------
    >>> scaling = LandmarkScaling(1, landmarks=[0, 1, 2]).fit([[0.0], [2.0], [7.0], [4.0]])
    >>> scaling.transform([[3.0], [4.0]]).round(6)
    array([[0.],
           [1.]])
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        landmarks: int | ArrayLike | None = None,
        choose: Choice = "random",
        metric: Metric = "euclidean",
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
                f"X has shape {X.shape}: a table of dissimilarities has one row and one column "
                "for each object, landmarks or not."
            )
        return landmark_scaling(
            X,
            self.n_components,
            metric=self.metric,
            landmarks=self.landmarks,
            choose=self.choose,
            seed=seed_of(self.random_state),
        )

    def _given(self, X: FloatArray) -> FloatArray:
        return X[:, self.result_.landmarks] if self.metric == "precomputed" else X
