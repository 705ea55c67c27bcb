"""Data sets: reference values, geometry, seeds and invalid input."""

import numpy as np
import pytest

from kmds_lib import load_eurodist, project_equal_area, rings, swiss_roll, three_clusters
from kmds_lib.datasets import load_coastline
from tests.lib.conftest import refused


def great_circle(coordinates):
    phi, lam = np.radians(coordinates).T
    unit = np.column_stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])
    chord = np.linalg.norm(unit[:, None] - unit[None], axis=2)
    return 2 * 6371.0 * np.arcsin(chord / 2)


def test_eurodist_has_six_implausible_distances():
    """Check that roads are longer than great circles, and rarely 1.8 times as long."""
    roads = load_eurodist()
    i, j = np.triu_indices(21, 1)
    ratio = roads.distances[i, j] / great_circle(roads.coordinates)[i, j]
    odd = np.flatnonzero((ratio < 1.05) | (ratio > 1.8))
    assert {(roads.labels[i[t]], roads.labels[j[t]]) for t in odd} == {
        ("Copenhagen", "Hook of Holland"),
        ("Athens", "Rome"),
        ("Lisbon", "Lyons"),
        ("Milan", "Munich"),
        ("Lyons", "Milan"),
        ("Cologne", "Geneva"),
    }
    assert 1.2 < np.median(ratio) < 1.35


def test_projection_preserves_areas():
    step = 1e-4
    corner = np.array([60.0, 20.0])
    square = corner + step * np.array([[0, 0], [1, 0], [0, 1]])
    origin, north, east = project_equal_area(square)
    area = abs(np.linalg.det(np.column_stack([north - origin, east - origin])))
    expected = (6371.0 * np.radians(step)) ** 2 * np.cos(np.radians(60.0))
    assert area == pytest.approx(expected, rel=1e-5)


def test_rings_covariance_is_exact():
    X, ring = rings(n_per_ring=50, radii=(1.0, 2.0, 4.0))
    assert X.shape == (150, 2)
    assert ring.tolist() == sorted(ring.tolist())
    assert np.allclose(np.linalg.norm(X, axis=1), np.array([1.0, 2.0, 4.0])[ring], rtol=1e-14)
    assert np.allclose(X.T @ X / 150, (1 + 4 + 16) / 6 * np.eye(2), atol=1e-13)


def test_standard_deviation_of_three_clusters():
    X, cluster = three_clusters(n_per_cluster=4000, spread=0.2, seed=1)
    assert X.shape == (12000, 2)
    for c in range(3):
        assert X[cluster == c].std(axis=0) == pytest.approx(0.2, rel=0.05)


def test_swiss_roll_is_isometric_to_the_sheet():
    X, sheet = swiss_roll(8000, seed=2)
    assert np.array_equal(X[:, 1], sheet[:, 1])
    angle = np.hypot(X[:, 0], X[:, 2])
    assert angle.min() > 1.5 * np.pi
    assert angle.max() < 4.5 * np.pi
    assert np.allclose(np.cos(angle), X[:, 0] / angle, atol=1e-12)
    grid = np.linspace(1.5 * np.pi, angle, 801)
    speed = np.sqrt(1 + grid**2)
    steps = (speed[1:] + speed[:-1]) / 2 * np.diff(grid, axis=0)
    assert np.allclose(sheet[:, 0], steps.sum(axis=0), atol=1e-3)
    parts, _, _ = np.histogram2d(*sheet.T, bins=4, range=[[0, 90.4], [0, 21]])
    assert np.allclose(parts, 500, rtol=0.15)
    noisy = swiss_roll(8000, 0.3, seed=2)
    assert np.array_equal(noisy[1], sheet)
    assert np.allclose((noisy[0] - X).std(axis=0), 0.3, rtol=0.03)


test_invalid_input_is_named = refused(
    (lambda: rings(radii=(1.0, -1.0)), r"radii\[1\] is -1.0"),
    (lambda: rings(5, ()), r"radii is \(\): give the radius"),
    (lambda: project_equal_area([[1.0, 2.0, 3.0]]), "column"),
    (lambda: project_equal_area([[120.0, 3.0]]), r"coordinates\[0, 0\] = 120 is not a lat"),
    (lambda: project_equal_area([[-48.0, -172.0]]), "Row 0 of coordinates is the antipode"),
)


def test_coastline_is_close_to_the_ports_of_eurodist():
    coast = load_coastline()
    shore = project_equal_area(np.vstack(coast.lines))
    roads = load_eurodist()
    ports = [roads.labels.index(name) for name in ("Athens", "Barcelona", "Calais", "Lisbon")]
    for port in project_equal_area(roads.coordinates)[ports]:
        assert np.linalg.norm(shore - port, axis=1).min() < 60
