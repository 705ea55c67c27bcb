"""Invariants, signs, the nearest PSD matrix, Procrustes alignment and principal angles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg
from scipy.spatial.transform import Rotation

from kmds_lib._linalg import (
    canonical_signs,
    nearest_psd,
    principal_angles,
    procrustes_align,
    similarity_invariants,
)
from tests.lib.conftest import random_symmetric, refused, sample, symmetric

seeds = st.integers(0, 2**32 - 1)


def test_canonical_signs_make_the_largest_entry_positive():
    V = np.array([[1.0, -3.0, 0.0, 0.5], [-2.0, 3.0, 0.0, -0.5 - 1e-12]])
    assert np.array_equal(np.sign(canonical_signs(V)[:, :2]), [[-1, 1], [1, -1]])
    assert canonical_signs(V)[0, 3] == 0.5
    assert not canonical_signs(V)[:, 2].any()
    assert canonical_signs(V[:, :0]).shape == (2, 0)


@pytest.mark.parametrize("unit", [1e55, -1e55, 1e-55])
@pytest.mark.parametrize("corner", [0, 1])
def test_invariants_outside_the_range_of_floats_are_refused(unit, corner):
    M = unit * np.diag(np.arange(1.0, 7.0))
    M[0, 5] = corner * unit
    with pytest.raises(ValueError, match=r"determinant .* of M .* range of float64.* unit"):
        similarity_invariants(M)
    assert similarity_invariants(M / unit).determinant == pytest.approx(720)
    assert similarity_invariants(1e-55 * np.diag([1.0, 1, 1, 1, 1, 0])).determinant == 0


@given(seeds)
def test_invariants_do_not_depend_on_the_basis(seed):
    M = sample(4, 4, seed=seed)
    P = np.linalg.qr(sample(4, 4, seed=seed + 1))[0] @ np.diag([1, 2, 0.5, 1.5])
    one, two = similarity_invariants(M), similarity_invariants(P @ M @ np.linalg.inv(P))
    assert one.rank == two.rank
    assert one.trace == pytest.approx(two.trace, abs=1e-10)
    assert one.determinant == pytest.approx(two.determinant, abs=1e-9)
    assert np.allclose(one.characteristic_polynomial, two.characteristic_polynomial, atol=1e-8)


def test_invariants_of_a_rotation_are_complex():
    invariants = similarity_invariants([[0.0, -1.0], [1.0, 0.0]])
    assert np.allclose(invariants.eigenvalues, [1j, -1j])
    assert np.allclose(invariants.characteristic_polynomial, [1, 0, 1])


@given(seeds, st.sampled_from([None, 1, 2, 6]))
def test_nearest_psd_is_closer_than_random_matrices(seed, rank):
    rng = np.random.default_rng(seed)
    M = random_symmetric(6, seed)
    nearest = nearest_psd(M, rank)
    assert np.linalg.eigvalsh(nearest).min() >= -1e-12
    assert np.linalg.matrix_rank(nearest, tol=1e-9) <= (rank or 6)
    best = np.linalg.norm(nearest - M)
    for _ in range(20):
        factor = rng.standard_normal((6, rank or 6))
        assert best <= np.linalg.norm(factor @ factor.T - M) + 1e-12
    psd = symmetric(np.arange(6.0))
    assert np.allclose(nearest_psd(psd), psd, atol=1e-13)


@given(seeds, st.booleans())
def test_procrustes_undoes_a_similarity(seed, scaling):
    Y, factor = sample(10, 3, seed), 2.5 if scaling else 1.0
    target = factor * Y @ np.linalg.qr(sample(3, 3, seed + 1))[0] + sample(1, 3, seed)
    aligned = procrustes_align(Y, target=target, scaling=scaling)
    assert np.allclose(aligned.points, target, atol=1e-10)
    assert aligned.residual < 1e-10
    assert np.allclose(aligned.scale * Y @ aligned.rotation + aligned.translation, aligned.points)
    assert aligned.scale == pytest.approx(factor)


@pytest.mark.parametrize("scaling", [False, True])
@given(seeds)
def test_procrustes_without_reflection_equals_kabsch(scaling, seed):
    """Compare with scipy's rotations, on a configuration and on its mirror image."""
    Y, target = sample(8, 3, seed), sample(8, 3, seed + 1)
    for points in (Y, Y * [1, 1, -1]):
        aligned = procrustes_align(points, target=target, scaling=scaling, reflection=False)
        centred, centred_target = points - points.mean(axis=0), target - target.mean(axis=0)
        rotation, _ = Rotation.align_vectors(centred_target, centred)
        assert np.allclose(aligned.rotation, rotation.as_matrix().T, atol=1e-7)
        rotated = centred @ aligned.rotation
        scale = np.sum(rotated * centred_target) / np.sum(centred**2) if scaling else 1.0
        assert aligned.scale == pytest.approx(scale)
        assert aligned.residual == pytest.approx(linalg.norm(scale * rotated - centred_target))


def test_reflection_is_needed_for_a_mirror_image():
    Y = sample(10, 2, seed=3)
    mirrored = Y * [1, -1]
    assert procrustes_align(mirrored, target=Y).residual < 1e-12
    rotated = procrustes_align(mirrored, target=Y, reflection=False)
    assert linalg.det(rotated.rotation) == pytest.approx(1)
    assert rotated.residual > 0.1
    ends = np.array([[1.0], [-1.0]])
    line = procrustes_align(ends, target=-ends, scaling=True, reflection=False)
    assert (line.rotation.item(), line.scale) == (1, 0)


@pytest.mark.parametrize("scaling", [False, np.True_])
def test_procrustes_of_coinciding_points(scaling):
    constant, square = np.ones((4, 2)), np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    for Y, target in ((constant, square), (square, constant), (constant, constant)):
        aligned = procrustes_align(Y, target=target, scaling=scaling)
        assert np.isfinite(aligned.points).all()
        assert np.allclose(aligned.rotation @ aligned.rotation.T, np.eye(2))


def test_principal_angles_of_planes():
    e = np.eye(4)
    tilted = np.column_stack([e[:, 0], np.cos(1e-9) * e[:, 1] + np.sin(1e-9) * e[:, 2]])
    assert np.allclose(principal_angles(e[:, :2], tilted), [0, 1e-9], rtol=1e-6, atol=1e-15)
    assert np.allclose(principal_angles(e[:, :2], e[:, 2:]), [np.pi / 2] * 2)


test_invalid_arguments = refused(
    (lambda: similarity_invariants(1e55 * np.diag([1.0] * 6 + [0])), "range of float64"),
    (lambda: nearest_psd(np.eye(6), 7), "rank = 7"),
    (lambda: procrustes_align(np.eye(2), target=np.ones((2, 1))), "must match"),
    (lambda: principal_angles(np.eye(4), np.eye(3)), "same space"),
)
