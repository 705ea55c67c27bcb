"""Fixtures and sample data of the library's tests.

``data/reference_values.json`` contains values from R, each with its provenance: program, version
and call.

The USPS images are not in this repository. The environment variable KMDS_USPS names their file,
which `kmds_lib.datasets.load_usps` describes. By default, it is ``usps_test.npz`` in the folder
``shared/data`` beside the project. Without the file, the tests that need it are deselected.
"""

import json
import math
import os
import tracemalloc
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from kmds_lib.datasets import load_eurodist
from kmds_lib.kernels import Definiteness, IsotropicKernel

CASES = json.loads((Path(__file__).parent / "data" / "reference_values.json").read_text("utf-8"))
BESIDE_THE_CLONE = Path(__file__).parents[3]
USPS = Path(os.environ.get("KMDS_USPS", BESIDE_THE_CLONE / "shared" / "data" / "usps_test.npz"))
TRANSFORMS = ["identity", "ratio", "interval", "polynomial", "ordinal"]
each_transform = pytest.mark.parametrize("transform", TRANSFORMS)
# Dissimilarities of three groups of three objects: 1 within a group and 2 between groups.
EQUAL_GROUPS = (2 - np.kron(np.eye(3), np.ones((3, 3)))) * (1 - np.eye(9))


def pytest_collection_modifyitems(config, items):
    """Deselect the tests on the USPS images if their file is missing."""
    if not USPS.exists():
        without = [item for item in items if "usps_file" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if item not in without]


@pytest.fixture(scope="session")
def usps_file():
    """Return the path of the USPS test images."""
    return USPS


@pytest.fixture
def eurodist():
    """Return R's road distances between 21 cities, in km."""
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
    """Return points from the standard normal distribution."""
    return np.random.default_rng(seed).standard_normal((n, p))


def random_distances(n=12, seed=0, p=4):
    """Return the distances between points from the standard normal distribution."""
    X = sample(n, p, seed=seed)
    return cdist(X, X)


def random_weights(n, seed, missing=0.2):
    """Return symmetric weights, some of them zero; a path of ones connects the objects."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.uniform(0.1, 3, (n, n)) * (rng.uniform(size=(n, n)) > missing), 1)
    W[np.arange(n - 1), np.arange(1, n)] = 1.0
    return W + W.T


def on_line(*positions):
    """Return the distances between points on a line."""
    return np.abs(np.subtract.outer(positions, positions)).astype(float)


def difficult_points(rng, n):
    """Return points of a random type that is numerically difficult."""
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


def correlated(n=30, p=5, seed=0):
    """Return points with correlated variables and a mean that is not zero."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, p)) @ rng.standard_normal((p, p)) + rng.standard_normal(p)


def symmetric(values, seed=0):
    """Return a symmetric matrix with the given eigenvalues."""
    Q = rotation(len(values), seed)
    M = (Q * values) @ Q.T
    return 0.5 * (M + M.T)


def random_symmetric(n, seed=0):
    """Return a random symmetric matrix, whose spectrum has no gaps."""
    M = np.random.default_rng(seed).standard_normal((n, n))
    return M + M.T


def ring(n):
    """Return points on a circle, at equal distances."""
    angles = 2 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angles), np.sin(angles)])


class Cauchy(IsotropicKernel):
    """A user-defined kernel that does not define r(0) - r(delta)."""

    definiteness = Definiteness(math.inf, math.inf)

    def r(self, delta):
        """Return the profile."""
        return 1 / (1 + delta**2)


def noisy(n):
    """Return dissimilarities that are not Euclidean."""
    rng = np.random.default_rng(0)
    D = cdist(*[rng.standard_normal((n, 4))] * 2) * (1 + 0.3 * rng.random((n, n)))
    return np.tril(D) + np.tril(D, -1).T


def assert_same_columns(ours, theirs, **tolerances):
    """Compare coordinates up to the signs of the columns."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    signs = np.where(np.sum(ours * theirs, axis=0) < 0, -1, 1)
    np.testing.assert_allclose(ours * signs, theirs, **tolerances)


def name_call(value):
    """Return what a case of `refused` calls, for the report; a pattern is its own name."""
    if isinstance(value, partial):
        return f"{value.func.__name__}{value.args}"
    return next(iter(value.__code__.co_names), None) if callable(value) else None


def refused(*cases):
    """Return a test of pairs of a call and the pattern of the ValueError that it must raise."""

    @pytest.mark.parametrize(("call", "pattern"), cases, ids=name_call)
    def test(call, pattern):
        with pytest.raises(ValueError, match=pattern):
            call()

    return test


def with_memory(call, *arguments, **options):
    """Return the result of a call and its peak memory in bytes."""
    tracemalloc.start()
    try:
        return call(*arguments, **options), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
