"""Frequencies that a chapter states for a few seeds hold for sixty others."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from kmds_lib import RBF, gplvm

pytestmark = pytest.mark.weekly

SEEDS = [*range(100, 120), *range(2000, 2020), *range(30_000, 30_020)]
WINES = load_wine().data
WINES = (WINES - WINES.mean(axis=0)) / WINES.std(axis=0)


@pytest.mark.parametrize(
    ("size", "low", "high", "share"), [(1.0, -np.inf, -100, 1), (0.03, -120, 0, 0.9)]
)
def test_random_starts_rarely_beat_the_start_from_dual_pca(size, low, high, share):
    """Chapter 13: large random starts end far below, and small ones slightly below (in nats)."""
    from_dual_pca = gplvm(WINES, 2, RBF(0.5)).log_likelihood()
    starts = [size * np.random.default_rng(seed).normal(size=(len(WINES), 2)) for seed in SEEDS]
    gains = [gplvm(WINES, 2, RBF(0.5), init=Z).log_likelihood() - from_dual_pca for Z in starts]
    assert np.mean([low < gain < high for gain in gains]) >= share
