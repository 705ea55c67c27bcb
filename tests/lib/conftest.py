"""Reference values that nobody here computed: R and textbooks.

``data/reference_values.json`` holds each case with its provenance: program, version and call.

The USPS images are not in this repository. They are looked for in the file that the environment
variable KMDS_USPS names, and in a data folder beside the checkout. Without them, the tests that
need them are deselected, and pytest counts them as such.
"""

import json
import math
import os
import tracemalloc
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris

from kmds_lib.datasets import load_eurodist
from kmds_lib.kernels import Definiteness, IsotropicKernel

CASES = json.loads((Path(__file__).parent / "data" / "reference_values.json").read_text("utf-8"))[
    "cases"
]
BESIDE = Path(__file__).parents[3] / "shared" / "data" / "usps_test.npz"
USPS = Path(os.environ.get("KMDS_USPS", BESIDE))


def pytest_configure(config):
    """Know a mark of scikit-learn's own tests."""
    config.addinivalue_line("markers", "thread_unsafe: not to be run in threads")


def pytest_collection_modifyitems(config, items):
    """Leave out the tests on the USPS images where there are none."""
    if not USPS.exists():
        without = [item for item in items if "usps_file" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if item not in without]


@pytest.fixture(scope="session")
def usps_file():
    """Path of the USPS test images."""
    return USPS


@pytest.fixture
def oracle():
    """Return the output of a case, by its id."""
    return lambda case: CASES[case]["output"]


@pytest.fixture
def iris():
    """The iris measurements, 150 x 4, which are the same in R and in scikit-learn."""
    return load_iris().data


@pytest.fixture
def eurodist():
    """R's road distances between 21 cities, in km."""
    return load_eurodist().distances


coordinates = st.floats(-100, 100).map(lambda x: round(x, 6))
point_sets = st.tuples(st.integers(2, 12), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=coordinates)
)


@lru_cache(maxsize=64)
def rotation(n, seed):
    """Return a random orthogonal matrix."""
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]


def sample(n=60, p=3, seed=0):
    """Return points from the standard normal law."""
    return np.random.default_rng(seed).standard_normal((n, p))


def cloud(rng, n):
    """Return points of one hard kind."""
    X = rng.standard_normal((n, int(rng.integers(1, 12))))
    kinds = [
        lambda: X,
        lambda: np.repeat(X, 2, axis=0)[:n],
        lambda: X * 10.0 ** rng.uniform(-4, 1),
        lambda: X + 30.0,
        lambda: np.outer(np.arange(n), X[0]) / n,
        lambda: np.where(rng.random(X.shape) < 0.5, 0.0, 1.0),
    ]
    return kinds[rng.integers(len(kinds))]()


def slanted(n=30, p=5, seed=0):
    """Return points whose variables are correlated, off the origin."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, p)) @ rng.standard_normal((p, p)) + rng.standard_normal(p)


def symmetric(values, seed=0):
    """Return a matrix with this spectrum."""
    Q = rotation(len(values), seed)
    M = (Q * values) @ Q.T
    return 0.5 * (M + M.T)


def wigner(n, seed=0):
    """Return a matrix whose spectrum has no gaps."""
    M = np.random.default_rng(seed).standard_normal((n, n))
    return M + M.T


def ring(n):
    """Return points on a circle, at equal distances."""
    angles = 2 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angles), np.sin(angles)])


class Cauchy(IsotropicKernel):
    """A profile of a reader's own, which says nothing of r(0) - r(delta)."""

    definiteness = Definiteness(math.inf, math.inf)

    def r(self, delta):
        """Return the profile."""
        return 1 / (1 + delta**2)


def noisy(n):
    """Return dissimilarities that no points have."""
    rng = np.random.default_rng(0)
    D = cdist(*[rng.standard_normal((n, 4))] * 2) * (1 + 0.3 * rng.random((n, n)))
    return np.tril(D) + np.tril(D, -1).T


def assert_same_columns(ours, theirs, **tolerances):
    """Compare coordinates whose columns may be mirrored."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    signs = np.where(np.sum(ours * theirs, axis=0) < 0, -1, 1)
    np.testing.assert_allclose(ours * signs, theirs, **tolerances)


def refusals(*cases):
    """Return a test that each call is refused in these words."""

    @pytest.mark.parametrize(("call", "words"), cases)
    def test_of_refusals(call, words):
        with pytest.raises(ValueError, match=words):
            call()

    return test_of_refusals


def with_memory(call, *arguments, **options):
    """Return what a call gives, and the most bytes that it held meanwhile."""
    tracemalloc.start()
    try:
        return call(*arguments, **options), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
