"""Scikit-learn's own tests for kernel PCA and for distances and kernels, run on this library.

The test modules that scikit-learn ships are loaded a second time with adapters in the place of
its ``KernelPCA``, ``euclidean_distances`` and kernel functions. Where the library differs on
purpose, the test is in `DIFFERENT` with the reason, runs all the same, and has to fail. Tests that
call nothing of the adapters, such as those of other distances and of missing values, are left out.
"""

import importlib.util
import re
import warnings
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import fixes
from sklearn.utils.validation import validate_data

import kmds_lib
from kmds_lib import Definiteness, Kernel, distances, kernel_pca, kernel_pca_from_gram
from kmds_lib._embedding import FewerComponentsWarning
from kmds_lib._gram import squared_distances

DIFFERENT = {
    "test_kernel_pca_invalid_parameters": "there are no pre-images by ridge regression to refuse",
    "test_remove_zero_eig": "components of eigenvalue zero are dropped, with a warning",
    "test_leave_zero_eig": "more than n - 1 components of n points are refused",
    "test_kernel_pca_precomputed_non_symmetric": "a matrix that is not symmetric is refused",
    "test_kernel_conditioning": "components of eigenvalue zero are dropped, not set to zero",
    "test_precomputed_kernel_not_psd": "negative eigenvalues are reported, and are no error",
    "test_euclidean_distances_with_norms": "norms are not taken: points are centred first",
    "test_euclidean_distances_float32_norms": "norms are not taken: points are centred first",
    "test_euclidean_distances_norm_shapes": "norms are not taken: points are centred first",
}
SPARSE_REFUSED = pytest.mark.xfail(
    reason="sparse matrices are refused: centred, they are not sparse", raises=ValueError
)
SPARSE_CONTAINERS = [
    *fixes.CSR_CONTAINERS,
    *fixes.CSC_CONTAINERS,
    *fixes.BSR_CONTAINERS,
    *fixes.COO_CONTAINERS,
]
# Scikit-learn's tests stop a perceptron early.
pytestmark = [
    pytest.mark.weekly,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]
PAIRWISE = "sklearn.metrics.pairwise"
Case = type(pytest.param())


class Callable(Kernel):
    """A function of two points as a kernel, as scikit-learn takes one."""

    definiteness = Definiteness(np.inf, np.inf)

    def __init__(self, function):
        self.function = function

    def evaluate(self, X, Y):
        return np.array([[self.function(x, y) for y in Y] for x in X])


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """The library's kernel PCA behind scikit-learn's names."""

    def __init__(
        self,
        n_components=None,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        alpha=1.0,
        fit_inverse_transform=False,
        eigen_solver="auto",
        remove_zero_eig=False,
        random_state=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state

    def fit(self, X, y=None):
        validate_data(self, X, skip_check_array=True)
        self.gamma_ = 1 / np.shape(X)[1] if self.gamma is None else self.gamma
        k = np.shape(X)[0] - 1 if self.n_components is None else self.n_components
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewerComponentsWarning)
            if self.kernel == "precomputed":
                self.result_ = kernel_pca_from_gram(X, k)
            else:
                self.result_ = kernel_pca(X, self._kernel(), k)
        self.eigenvalues_ = self.result_.eigenvalues
        self.eigenvectors_ = self.result_.pairs.vectors
        self._n_features_out = len(self.eigenvalues_)
        if self.fit_inverse_transform:
            K = self._kernel()(self.result_.points)
            K[np.diag_indices_from(K)] += self.alpha
            self.dual_ = np.linalg.solve(K, X)
        return self

    def fit_transform(self, X, y=None):
        return self.fit(X).result_.points

    def transform(self, X):
        return self.result_.transform(X)

    def inverse_transform(self, Y):
        if not self.fit_inverse_transform:
            raise NotFittedError
        return self._kernel()(Y, self.result_.points) @ self.dual_

    def _kernel(self):
        if callable(self.kernel):
            return Callable(self.kernel)
        return {
            "linear": kmds_lib.Linear(),
            "poly": kmds_lib.Polynomial(self.degree, self.coef0, self.gamma_),
            "rbf": kmds_lib.RBF(self.gamma_),
        }[self.kernel]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def euclidean_distances(X, Y=None, *, squared=False):
    return (squared_distances if squared else distances)(X, Y)


def _euclidean_distances_upcast(X, Y=None, batch_size=None):
    return squared_distances(X, Y)


def linear_kernel(X, Y=None, dense_output=True):
    return kmds_lib.Linear()(X, Y)


def polynomial_kernel(X, Y=None, degree=3, gamma=None, coef0=1):
    return kmds_lib.Polynomial(degree, coef0, gamma or 1 / np.shape(X)[1])(X, Y)


def rbf_kernel(X, Y=None, gamma=None):
    return kmds_lib.RBF(gamma or 1 / np.shape(X)[1])(X, Y)


def laplacian_kernel(X, Y=None, gamma=None):
    return kmds_lib.Exponential(gamma or 1 / np.shape(X)[1])(X, Y)


ADAPTERS = {
    function.__name__: function
    for function in (
        euclidean_distances,
        _euclidean_distances_upcast,
        linear_kernel,
        polynomial_kernel,
        rbf_kernel,
        laplacian_kernel,
    )
}


def shipped(path, target, adapters):
    """Return the test functions of a module of scikit-learn, loaded with the adapters."""
    file = Path(sklearn.__file__).parent / path
    spec = importlib.util.spec_from_file_location(f"{__name__}.{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.multiple(target, **adapters):
        spec.loader.exec_module(module)
    return {name: test for name, test in vars(module).items() if name.startswith("test_")}


def adapted(name, test):
    """Return the test with the marks that the tables ask for."""
    marks = [
        parametrized(mark) if mark.name == "parametrize" else mark
        for mark in getattr(test, "pytestmark", [])
    ]
    if name in DIFFERENT:
        marks.append(pytest.mark.xfail(reason=DIFFERENT[name]).mark)
    test.pytestmark = marks
    return test


def parametrized(mark):
    """Return the mark without kernels of others, and with sparse cases that have to be refused.

    One sparse format stands for the others, which are refused in the same line. Marks of single
    cases are dropped: scikit-learn expects to lose the digits of
    ``test_euclidean_distances_extreme_values`` in float64, and the library does not.
    """
    names, values = mark.args
    dense, sparse = [], []
    for value in values:
        whole = value.values if type(value) is Case else value
        case = tuple(whole) if "," in names or type(value) is Case else (whole,)
        if any(getattr(part, "__module__", "") == PAIRWISE for part in case):
            continue
        if any(part in SPARSE_CONTAINERS for part in case if callable(part)):
            sparse.append(pytest.param(*case, marks=SPARSE_REFUSED))
        else:
            dense.append(case if "," in names else case[0])
    return pytest.mark.parametrize(names, dense + sparse[:1]).mark


SUITES = {
    **shipped(
        "decomposition/tests/test_kernel_pca.py",
        "sklearn.decomposition",
        {"KernelPCA": KernelPCA},
    ),
    **shipped("metrics/tests/test_pairwise.py", PAIRWISE, ADAPTERS),
}


def concerned(test):
    """Tell whether a test calls an adapter, by name or as what it is parametrized with."""
    given = re.findall(r"<function (\w+)", str(getattr(test, "pytestmark", "")))
    return {"KernelPCA", *ADAPTERS} & {*test.__code__.co_names, *given}


RUN = {name: adapted(name, test) for name, test in SUITES.items() if concerned(test)}
globals().update(RUN)


@pytest.fixture
def global_random_seed():
    """Scikit-learn's default."""
    return 42


@pytest.fixture
def global_dtype():
    """Float64 alone: the library's results are float64, whatever the input."""
    return np.float64


def test_what_differs_is_run():
    assert set(DIFFERENT) <= set(RUN)
    assert len(RUN) >= 40
