"""Test all pairs of variables and of varieties of the wines (Chapter 12); called by hand.

    python -m tools.wine_p_values

writes ``kmds_figures/data/wine_p_values.csv``, which takes about a minute on one core: 78 tests of
independence by the distance covariance and 39 two-sample tests by the energy distance.
"""

from itertools import combinations

from sklearn.datasets import load_wine

from kmds_lib import distance_covariance, energy_distance, permutation_test
from tools.stored_tables import DATA, replace_rows

TABLE = DATA / "wine_p_values.csv"
WINE = load_wine()
VARIABLES = (WINE.data - WINE.data.mean(axis=0)) / WINE.data.std(axis=0)
PAIRS = tuple(combinations(range(13), 2))
COMPARISONS = tuple((i, two) for i in range(13) for two in combinations(range(3), 2))


def row(statistic, sides, *names):
    """Return a row of the table: a statistic, the names of both sides, and the p-value."""
    test = permutation_test(statistic, *sides, n_permutations=9999, seed=0)
    return ",".join((statistic.__name__.replace("_", " "), *names, f"{test.p_value:.4f}"))


def row_of_pair(i, j):
    """Return the row for the distance covariance of variables i and j."""
    sides = VARIABLES[:, [i]], VARIABLES[:, [j]]
    return row(distance_covariance, sides, WINE.feature_names[i], WINE.feature_names[j])


def row_of_varieties(i, two):
    """Return the row for the energy distance of two varieties in variable i."""
    sides = (VARIABLES[WINE.target == one][:, [i]] for one in two)
    return row(energy_distance, sides, WINE.feature_names[i], f"{two[0]} and {two[1]}")


if __name__ == "__main__":
    pairs = (row_of_pair(*pair) for pair in PAIRS)
    replace_rows(TABLE, [*pairs, *(row_of_varieties(*comparison) for comparison in COMPARISONS)])
