"""Landmark methods on Dask arrays: in blocks and in two processes."""

import logging
import subprocess
import sys

import dask
import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster

from kmds_lib import RBF, distances, landmark_scaling, nystroem
from kmds_lib._fast import blocks
from tests.lib.conftest import refusals, sample

X = sample(900, 5) * np.arange(5, 0, -1) + 3
LAZY = da.from_array(X, chunks=((200, 1, 399, 300), (2, 3)))
D = distances(X)
CHOICES = ["random", "farthest", "kmeans"]
FITS = {
    "landmark_scaling": lambda X, **options: landmark_scaling(X, 3, **options),
    "nystroem": lambda X, **options: nystroem(X, RBF(0.01), 3, **options),
}


@pytest.fixture(scope="module")
def client():
    """Return a client of two worker processes on this machine."""
    cluster = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )
    with cluster, Client(cluster) as client:
        yield client


@pytest.mark.parametrize("choose", CHOICES)
@pytest.mark.parametrize("name", FITS)
def test_dask_array_gives_the_same_result(name, choose):
    options = {"landmarks": 30, "choose": choose, "seed": 4}
    fit, lazy = FITS[name](X, **options), FITS[name](LAZY, **options)
    np.testing.assert_array_equal(lazy.landmarks, fit.landmarks)
    np.testing.assert_array_equal(lazy.eigenvalues, fit.eigenvalues)
    assert isinstance(lazy.points, da.Array)
    assert lazy.points.chunks == (LAZY.chunks[0], (3,))
    assert lazy.points.dtype == float
    np.testing.assert_allclose(lazy.points.compute(), fit.points, rtol=0, atol=1e-12)
    new = lazy.transform(LAZY[100:700])
    assert isinstance(new, da.Array)
    np.testing.assert_allclose(new.compute(), fit.points[100:700], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(lazy.transform(X), fit.transform(X))
    np.testing.assert_allclose(fit.transform(LAZY).compute(), fit.points, rtol=0, atol=1e-12)


@pytest.mark.parametrize("choose", CHOICES[:2])
def test_dask_dissimilarities_give_the_same_result(choose):
    options = {"metric": "precomputed", "choose": choose, "seed": 4}
    table = da.from_array(D, chunks=(250, 170))
    fit = landmark_scaling(D, 3, landmarks=30, **options)
    lazy = landmark_scaling(table, 3, landmarks=30, **options)
    columns = landmark_scaling(table[:, fit.landmarks], 3, landmarks=fit.landmarks, **options)
    np.testing.assert_array_equal(lazy.landmarks, fit.landmarks)
    for other in (lazy, columns):
        assert isinstance(other.points, da.Array)
        np.testing.assert_allclose(other.points.compute(), fit.points, rtol=0, atol=1e-12)
    new = lazy.transform(table[:, fit.landmarks])
    np.testing.assert_allclose(new.compute(), fit.points, rtol=0, atol=1e-12)


def test_points_are_computed_lazily():
    sizes = []

    def recorded(chunk):
        sizes.append(len(chunk))
        return chunk

    lazy = LAZY.rechunk((90, 5)).map_blocks(recorded, dtype=float, meta=np.empty((0, 0)))
    fit = landmark_scaling(lazy, 2, landmarks=[3, 7, 8, 300])
    transformed = fit.transform(lazy)
    assert sizes == [90, 90]
    fit.points[:5].compute()
    assert sizes == [90, 90, 90]
    transformed.compute()
    assert len(sizes) == 13


def test_chunk_is_computed_in_blocks(monkeypatch):
    sizes = []

    def recorded(kernel, X, Y):
        sizes.append(len(X) * len(Y))
        return minus_value_at_zero(kernel, X, Y)

    minus_value_at_zero = RBF.minus_value_at_zero
    fit = nystroem(LAZY, RBF(0.1), 2, landmarks=10, seed=0)
    monkeypatch.setattr(RBF, "minus_value_at_zero", recorded)
    sizes.clear()
    monkeypatch.setattr(blocks, "BLOCK_ENTRIES", 500)
    np.testing.assert_allclose(fit.points.compute(), fit.transform(X), rtol=0, atol=1e-12)
    assert max(sizes) == 500
    assert sum(sizes) == 2 * 900 * 10


@pytest.mark.parametrize("choose", CHOICES)
def test_missing_value_is_reported_with_its_row(choose):
    holes = X.copy()
    holes[777, 2] = np.nan
    lazy = da.from_array(holes, chunks=(100, 5))
    with pytest.raises(ValueError, match=r"X\[(700:800\]\[77|777:778\]\[0), 2\] is nan"):
        landmark_scaling(lazy, 2, landmarks=20, choose=choose, seed=0).points.compute()


def test_empty_chunks_are_ignored():
    late = np.arange(900) > 200
    lazy = LAZY[da.from_array(late, chunks=LAZY.chunks[0])].compute_chunk_sizes()
    assert lazy.chunks[0] == (0, 0, 399, 300)
    options = {"landmarks": 10, "choose": "kmeans", "seed": 4}
    fit, plain = FITS["nystroem"](lazy, **options), FITS["nystroem"](X[late], **options)
    np.testing.assert_array_equal(fit.landmarks, plain.landmarks)
    np.testing.assert_allclose(fit.points.compute(), plain.points, rtol=0, atol=1e-12)
    assert fit.transform(lazy[:0]).compute().shape == (0, 3)


def test_invalid_call_reads_no_data():
    def fail(chunk):
        raise AssertionError("read")

    lazy = LAZY.map_blocks(fail, dtype=float, meta=np.empty((0, 0)))
    for landmarks, k in ((5, 5), ([1, 2], 2), (5, "two"), (901, 2), ([0, 900], 1)):
        with pytest.raises(ValueError, match=r"n_components|landmarks"):
            landmark_scaling(lazy, k, landmarks=landmarks, choose="farthest")


test_unsuitable_arrays_are_refused = refusals(
    (
        lambda: landmark_scaling(LAZY, 2, landmarks=10, seed=0).transform(LAZY[:, :2]),
        "new has 2 column",
    ),
    (lambda: landmark_scaling(LAZY[LAZY[:, 0] > 0]), "compute_chunk_sizes"),
    (lambda: landmark_scaling(LAZY[:1]), "at least 2 row"),
    (lambda: landmark_scaling(LAZY[:, 0]), "a matrix of at least"),
    (lambda: landmark_scaling(dask.delayed(X)), r"X is a Delayed.* of dask\..*dask\.array"),
)


def test_landmark_methods_work_without_dask():
    program = """
import sys
sys.modules["dask"] = sys.modules["distributed"] = None
import numpy as np, kmds_lib
X = np.arange(40.0).reshape(20, 2) ** 2
for choose in ("random", "farthest", "kmeans"):
    assert kmds_lib.landmark_scaling(X, landmarks=5, choose=choose).points.shape == (20, 2)
    assert kmds_lib.nystroem(X, kmds_lib.Linear(), choose=choose).points.shape == (20, 2)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_two_processes_give_the_same_result(client):
    options = {"landmarks": 8, "choose": "kmeans", "seed": 4}
    for fit in FITS.values():
        plain, lazy = fit(X, **options), fit(LAZY, **options)
        np.testing.assert_array_equal(lazy.landmarks, plain.landmarks)
        np.testing.assert_allclose(lazy.points.compute(), plain.points, rtol=0, atol=1e-10)
    assert len(client.scheduler_info()["workers"]) == 2
