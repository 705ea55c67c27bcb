"""Simulate Barolo wines of one and of two kinds, and map them by the GP-LVM (Chapter 13).

    python -m tools.simulated_barolo

writes ``kmds_figures/data/simulated_barolo.csv``, which takes about twelve minutes on one core.
"""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import multivariate_normal
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture

from kmds_lib import gplvm, pca
from tools.stored_tables import DATA, replace_rows

TABLE = DATA / "simulated_barolo.csv"
WINE = load_wine()
X = (WINE.data - WINE.data.mean(axis=0)) / WINE.data.std(axis=0)
BAROLO = WINE.target == 0
# The distance of the means of the kinds from the overall mean, relative to that of the groups
TYPES = {
    "one kind": 0,
    "two kinds": 1,
    "1.5 times as far apart": 1.5,
    "twice as far apart": 2,
    "three times as far apart": 3,
}
SETS = {"one kind": 500, "two kinds": 500}  # 100 for the other types


def widest_gap(points):
    """Divide Barolo at the widest gap; return the smaller group and the relative gap."""
    tree = linkage(points[BAROLO], "single")
    second = fcluster(tree, 2, "maxclust") == 2
    return second if second.mean() < 0.5 else ~second, tree[-1, 2] / tree[-2, 2]


def real_groups():
    """Return the smaller group of real Barolo wines on the map from the dual start."""
    return widest_gap(gplvm(X, 2).points)[0]


def draws(name, small, seed):
    """Draw Barolo wines of one type from Gaussian distributions."""
    real, means = X[BAROLO], X[BAROLO].mean(axis=0)
    if name != "one kind":
        means = np.where(small[:, None], real[small].mean(axis=0), real[~small].mean(axis=0))
    weights = np.random.default_rng(seed).normal(size=(len(real), len(real)))
    noise = weights @ (real - means) / np.sqrt(len(real))
    return real.mean(axis=0) + TYPES[name] * (means - real.mean(axis=0)) + noise


def mixture_gain(data):
    """Return the mean gain of two Gaussians over one for held-out wines, in two dimensions."""
    gains = []
    for seed in range(5):
        for test in np.array_split(np.random.default_rng(seed).permutation(len(data)), 5):
            old = np.delete(data, test, axis=0)
            plane = pca((old - old.mean(axis=0)) / old.std(axis=0), n_components=2)
            new = (data[test] - old.mean(axis=0)) / old.std(axis=0) @ plane.axes
            two = GaussianMixture(2, covariance_type="tied", n_init=2, random_state=0)
            one = multivariate_normal.logpdf(new, cov=np.diag(plane.variances))
            gains.extend(two.fit(plane.points).score_samples(new) - one)
    return np.mean(gains)


def row(name, small, seed):
    """Return the row of the table for one simulated set or for the real wines."""
    data = X.copy()
    data[BAROLO] = X[BAROLO] if name == "real wines" else draws(name, small, seed)
    group, gap = widest_gap(gplvm(data, 2).points)
    return f"{name},{seed},{gap:.4f},{group.sum()},{mixture_gain(data[BAROLO]):.4f}"


def main():
    """Simulate the sets of each type and write the table."""
    small = real_groups()
    rows = [row(name, small, seed) for name in TYPES for seed in range(SETS.get(name, 100))]
    replace_rows(TABLE, [row("real wines", small, 0), *rows])


if __name__ == "__main__":
    main()
