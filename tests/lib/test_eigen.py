"""Single-vector Lanczos: the pairs of LAPACK, and a second look that misses no copy."""

import numpy as np
import pytest
from scipy import linalg

from kmds_lib._eigen import lanczos
from kmds_lib.kernels import RBF, Exponential
from kmds_lib.linalg import leading_eigenpairs

TARGET = 2e-11


def start(n):
    return np.random.default_rng(0).standard_normal((n, 2))


def centred(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


def circle(n):
    angle = 2 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angle), np.sin(angle)])


@pytest.mark.parametrize("kernel", [RBF(0.05), RBF(1.0), Exponential(0.5)], ids=repr)
@pytest.mark.parametrize("k", [1, 5, 12])
def test_it_agrees_with_lapack(kernel, k):
    K = kernel(np.random.default_rng(0).normal(size=(500, 3)))
    found = lanczos(K, start(500), k, centred=True, target=TARGET)
    values, vectors = linalg.eigh(centred(K), subset_by_index=[500 - k, 499])
    np.testing.assert_allclose(found.values, values[::-1], rtol=1e-10)
    overlap = np.abs(np.einsum("ir,ir->r", found.vectors, vectors[:, ::-1]))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-8)
    measured = centred(K) @ found.vectors - found.vectors * found.values
    assert linalg.norm(measured, axis=0).max() <= 2 * TARGET * found.values[0]
    assert found.errors.max() <= TARGET * found.values[0]


@pytest.mark.parametrize("theta", [0.5, 5.0, 50.0, 500.0])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 9])
def test_the_pairs_of_a_circle_are_found_twice(theta, k):
    """On equally spaced points every eigenvalue but the last has multiplicity two."""
    K = RBF(theta)(circle(800))
    values = linalg.eigvalsh(centred(K))[::-1][:k]
    pairs = leading_eigenpairs(K, k, form="centered")
    np.testing.assert_allclose(pairs.values, values, rtol=1e-9)
    found = lanczos(K, start(800), k, centred=True, target=TARGET)
    assert found is None or np.allclose(found.values, values, rtol=1e-9)


def test_the_simplex_is_left_to_the_block_method():
    K = np.eye(600)
    assert lanczos(K, start(600), 3, centred=True, target=TARGET) is None
    np.testing.assert_allclose(leading_eigenpairs(K, 3, form="centered").values, 1.0)


def test_low_rank_is_left_to_the_block_method():
    X = np.random.default_rng(0).normal(size=(600, 2))
    assert lanczos(X @ X.T, start(600), 4, centred=True, target=TARGET) is None
    values = leading_eigenpairs(X @ X.T, 4, form="centered").values
    expected = linalg.eigvalsh(centred(X @ X.T))[::-1][:4]
    np.testing.assert_allclose(values, expected, atol=1e-10 * expected[0])


def test_large_negative_eigenvalues_do_not_disturb():
    rng = np.random.default_rng(0)
    Q = linalg.qr(rng.normal(size=(400, 400)))[0]
    spectrum = np.concatenate([[5.0, 3.0, 2.0], rng.uniform(0, 1, 300), -rng.uniform(0, 50, 97)])
    M = Q * spectrum @ Q.T
    M = 0.5 * (M + M.T)
    pairs = leading_eigenpairs(M, 3)
    np.testing.assert_allclose(pairs.values, [5.0, 3.0, 2.0], rtol=1e-9)
    assert pairs.scale == pytest.approx(np.abs(spectrum).max(), rel=0.1)


def test_memory_order_does_not_matter():
    K = RBF(0.1)(np.random.default_rng(0).normal(size=(500, 3)))
    expected = lanczos(K, start(500), 3, centred=True, target=TARGET).values
    fortran = lanczos(np.asfortranarray(K), start(500), 3, centred=True, target=TARGET)
    np.testing.assert_allclose(fortran.values, expected, rtol=1e-12)
    strided = np.zeros((1000, 1000))
    strided[::2, ::2] = K
    assert lanczos(strided[::2, ::2], start(500), 3, centred=True, target=TARGET) is None
    values = leading_eigenpairs(strided[::2, ::2], 3, form="centered").values
    np.testing.assert_allclose(values, expected, rtol=1e-10)
