"""The eigen-solver on every kind of spectrum, and the linear algebra around it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg

from kmds_lib import linalg as ours
from kmds_lib.gram import center_gram, distances, gram_from_distances
from kmds_lib.linalg import (
    canonical_signs,
    centering_matrix,
    leading_eigenpairs,
    nearest_psd,
    principal_angles,
    procrustes_align,
    similarity_invariants,
)

N = 400


def symmetric(values, seed=0):
    """Matrix with this spectrum."""
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(values),) * 2))[0]
    M = (Q * values) @ Q.T
    return 0.5 * (M + M.T)


def wigner(n, seed=0):
    M = np.random.default_rng(seed).standard_normal((n, n))
    return M + M.T


SPECTRA = {
    "decaying": np.exp(-np.arange(N) / 5),
    "flat": np.linspace(1, 0.9, N),
    "cluster at the top": np.r_[1 - 1e-7 * np.arange(6), np.linspace(0.5, 0, N - 6)],
    "indefinite": np.r_[np.exp(-np.arange(N / 2) / 3), -5 * np.exp(-np.arange(N / 2) / 3)],
    "all negative": -np.linspace(1, 2, N),
    "rank two": np.r_[3.0, 2.0, np.zeros(N - 2)],
    "five copies": np.r_[np.ones(5), np.linspace(0.8, 0, N - 5)],
    "all copies": np.ones(N),
    "tail over many orders": np.logspace(0, -14, N),
}


@pytest.mark.parametrize("k", [1, 2, 5, 15])
@pytest.mark.parametrize("name", SPECTRA)
def test_spectra_known_in_advance(name, k):
    values = np.sort(SPECTRA[name])[::-1]
    M = symmetric(values)
    pairs = leading_eigenpairs(M, k)
    scale = np.abs(values).max()
    assert np.allclose(pairs.values, values[:k], rtol=0, atol=1e-11 * scale)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(k), atol=1e-12)
    residuals = np.linalg.norm(M @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    assert residuals.max() <= 1e-10 * max(values[0], 1e-5 * scale)
    assert pairs.residual <= 1e-10


@pytest.mark.parametrize("n", [301, 640])
def test_semicircle_falls_back_to_lapack(n):
    M = wigner(n)
    pairs = leading_eigenpairs(M, 3)
    assert np.allclose(pairs.values, np.linalg.eigvalsh(M)[-3:][::-1], rtol=1e-11)


@pytest.mark.parametrize("n", [30, 50, 500, 1500])
def test_equilateral_distances_give_every_copy(n):
    D = 1 - np.eye(n)
    pairs = leading_eigenpairs(D, 4, form="distances")
    assert np.allclose(pairs.values, 0.5, rtol=1e-12)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(4), atol=1e-12)
    assert np.allclose(pairs.vectors.sum(axis=0), 0, atol=1e-10)


@pytest.mark.parametrize("far", [(101, 202), (1, 2, 3, 399)])
def test_a_leading_vector_outside_the_sample_is_found(far):
    X = np.zeros((N, len(far)))
    X[far, range(len(far))] = 5.0
    X = np.column_stack([X, 0.01 * np.random.default_rng(0).standard_normal((N, 2))])
    expected = np.linalg.eigvalsh(gram_from_distances(distances(X)))[::-1][:4]
    found = leading_eigenpairs(distances(X), 4, form="distances").values
    assert np.allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("form", ["symmetric", "centered", "distances"])
@pytest.mark.parametrize("n", [40, 700])
def test_forms_equal_the_formed_matrix(form, n):
    M = distances(np.random.default_rng(1).standard_normal((n, 6)) * [5, 4, 3, 2, 1, 0.5])
    M = M if form == "distances" else np.exp(-M)
    full = {"symmetric": np.copy, "centered": center_gram, "distances": gram_from_distances}
    values, vectors = np.linalg.eigh(full[form](M))
    pairs = leading_eigenpairs(M, 3, form=form)
    assert pairs.solver == ("dense" if n == 40 else "krylov")
    assert np.allclose(pairs.values, values[::-1][:3], rtol=1e-11)
    assert np.allclose(pairs.vectors, canonical_signs(vectors[:, ::-1][:, :3]), atol=1e-8)


def test_restarts_reach_the_same_pairs(monkeypatch):
    D = distances(np.random.default_rng(2).standard_normal((600, 40)))
    monkeypatch.setattr(ours, "_BASIS_PART", 10**9)
    restarted = leading_eigenpairs(D, 2, form="distances")
    expected = np.linalg.eigvalsh(gram_from_distances(D))[::-1][:2]
    assert restarted.residual <= 1e-10
    assert np.allclose(restarted.values, expected, rtol=1e-12)


def test_asking_for_many_pairs_uses_lapack():
    D = distances(np.random.default_rng(3).standard_normal((350, 3)))
    pairs = leading_eigenpairs(D, 350, form="distances")
    assert pairs.solver == "dense"
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(350), atol=1e-12)


@pytest.mark.parametrize("n", [50, 500])
def test_same_input_same_output(n):
    D = distances(np.random.default_rng(4).standard_normal((n, 4)))
    first, second = (leading_eigenpairs(D, 2, form="distances") for _ in range(2))
    assert np.array_equal(first.vectors, second.vectors)
    assert np.array_equal(first.values, second.values)


def test_memory_order_does_not_matter():
    D = distances(np.random.default_rng(5).standard_normal((500, 4)))
    for layout in (np.asfortranarray(D), D[::-1, ::-1]):
        found = leading_eigenpairs(layout, 2, form="distances")
        assert np.allclose(found.values, leading_eigenpairs(D, 2, form="distances").values)


@pytest.mark.parametrize("factor", [1e-170, 1e-300, 1e150, 1e300])
def test_values_follow_the_scale(factor):
    M = symmetric(np.r_[3.0, 2.0, np.linspace(1, 0, 348)])
    pairs = leading_eigenpairs(M * factor, 2)
    assert np.allclose(pairs.values / factor, [3, 2], rtol=1e-12)


def test_unknown_form_and_bad_input():
    with pytest.raises(ValueError, match="'gram' is unknown"):
        leading_eigenpairs(np.eye(3), 1, form="gram")
    with pytest.raises(ValueError, match="n_components = 4"):
        leading_eigenpairs(np.eye(3), 4)
    with pytest.raises(ValueError, match="not symmetric"):
        leading_eigenpairs([[1.0, 2.0], [0.0, 1.0]], 1)


def test_input_is_left_alone():
    D = distances(np.random.default_rng(6).standard_normal((350, 3)))
    before = D.copy()
    for form in ("symmetric", "centered", "distances"):
        for k in (2, 300):
            leading_eigenpairs(D, k, form=form)
    assert np.array_equal(D, before)


def test_signs_make_the_largest_entry_positive():
    V = np.array([[1.0, -3.0, 0.0, 0.5], [-2.0, 3.0, 0.0, -0.5 - 1e-12]])
    assert np.array_equal(np.sign(canonical_signs(V)[:, :2]), [[-1, 1], [1, -1]])
    assert canonical_signs(V)[0, 3] == 0.5
    assert not canonical_signs(V)[:, 2].any()


def test_signs_do_not_depend_on_the_sign_given():
    V = np.random.default_rng(7).standard_normal((20, 5))
    assert np.array_equal(canonical_signs(V), canonical_signs(-V))


def test_centring_matrix_is_a_projection():
    H = centering_matrix(7)
    assert np.allclose(H @ H, H)
    assert np.allclose(H @ np.ones(7), 0)
    with pytest.raises(ValueError, match="n = 0"):
        centering_matrix(0)


@given(st.integers(0, 2**32 - 1))
def test_invariants_do_not_change_with_the_basis(seed):
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((4, 4))
    P = np.linalg.qr(rng.standard_normal((4, 4)))[0] @ np.diag([1, 2, 0.5, 1.5])
    one, two = similarity_invariants(M), similarity_invariants(P @ M @ np.linalg.inv(P))
    assert one.rank == two.rank
    assert one.trace == pytest.approx(two.trace, abs=1e-10)
    assert one.determinant == pytest.approx(two.determinant, abs=1e-9)
    assert np.allclose(one.characteristic_polynomial, two.characteristic_polynomial, atol=1e-8)


def test_invariants_of_a_rotation_are_complex():
    invariants = similarity_invariants([[0.0, -1.0], [1.0, 0.0]])
    assert np.allclose(invariants.eigenvalues, [1j, -1j])
    assert np.allclose(invariants.characteristic_polynomial, [1, 0, 1])
    with pytest.raises(ValueError, match="square"):
        similarity_invariants(np.ones((2, 3)))


@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 1, 2, 6]))
def test_nearest_psd_beats_every_other_candidate(seed, rank):
    rng = np.random.default_rng(seed)
    M = wigner(6, seed)
    nearest = nearest_psd(M, rank)
    assert np.linalg.eigvalsh(nearest).min() >= -1e-12
    assert np.linalg.matrix_rank(nearest, tol=1e-9) <= (rank or 6)
    best = np.linalg.norm(nearest - M)
    for _ in range(20):
        factor = rng.standard_normal((6, rank or 6))
        assert best <= np.linalg.norm(factor @ factor.T - M) + 1e-12


def test_nearest_psd_of_psd_is_itself():
    M = symmetric(np.arange(6.0))
    assert np.allclose(nearest_psd(M), M, atol=1e-13)
    with pytest.raises(ValueError, match="rank = 7"):
        nearest_psd(M, 7)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_alignment_undoes_a_similarity(seed, scaling):
    rng = np.random.default_rng(seed)
    Y = rng.standard_normal((10, 3))
    Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    target = (2.5 if scaling else 1.0) * Y @ Q + rng.standard_normal(3)
    moved = procrustes_align(Y, target=target, scaling=scaling)
    assert np.allclose(moved.points, target, atol=1e-10)
    assert moved.residual < 1e-10
    assert np.allclose(moved.scale * Y @ moved.rotation + moved.translation, moved.points)
    assert moved.scale == pytest.approx(2.5 if scaling else 1.0)


def test_alignment_agrees_with_scipy():
    rng = np.random.default_rng(8)
    Y, target = rng.standard_normal((2, 30, 2))
    Y, target = Y - Y.mean(axis=0), target - target.mean(axis=0)
    rotation, _ = linalg.orthogonal_procrustes(Y, target)
    assert np.allclose(procrustes_align(Y, target=target).rotation, rotation)


def test_alignment_of_degenerate_configurations():
    constant = np.ones((4, 2))
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    for scaling in (False, True):
        for Y, target in ((constant, square), (square, constant), (constant, constant)):
            moved = procrustes_align(Y, target=target, scaling=scaling)
            assert np.isfinite(moved.points).all()
            assert np.allclose(moved.rotation @ moved.rotation.T, np.eye(2))
    with pytest.raises(ValueError, match="must match"):
        procrustes_align(square, target=square[:, :1])


def test_principal_angles_are_known_for_planes():
    e = np.eye(4)
    tilted = np.column_stack([e[:, 0], np.cos(1e-9) * e[:, 1] + np.sin(1e-9) * e[:, 2]])
    assert np.allclose(principal_angles(e[:, :2], tilted), [0, 1e-9], rtol=1e-6, atol=1e-15)
    assert np.allclose(principal_angles(e[:, :2], e[:, 2:]), [np.pi / 2] * 2)
    with pytest.raises(ValueError, match="same space"):
        principal_angles(e, np.eye(3))
