"""Sentences of Chapter 8 about dealt images and drawn points, tried on seeds not looked at before.

A seed gives the place of the file where the 300 images of a map begin, or the points of a cloud,
or the clusters and outliers. Each row holds a sentence, the function that tells whether it holds
for a seed, and the share of sixty seeds, three blocks of twenty, for which it must hold.
"""

import numpy as np
import pytest

from tests.trials.conftest import ALL, SEEDS

pytestmark = pytest.mark.weekly

NEEDED = ("images, digits = load_digits(",)
WIDTHS = (0.02, 0.2, 1.0)
PICTURES = ("flat", 0.02, 0.2)


@pytest.fixture(scope="module")
def deals(chapter):
    """Return for each seed what each map keeps, and the shares of images that it names."""
    return [one_deal(chapter, seed) for seed in SEEDS]


def one_deal(chapter, seed):
    start = int(np.random.default_rng(seed).integers(len(chapter["images"])))
    kernels = {"flat": chapter["Linear"]()} | {theta: chapter["RBF"](theta) for theta in WIDTHS}
    found = {}
    for name, kernel in kernels.items():
        order, kept = chapter["order_and_gamma"](kernel, start)
        new = chapter["named"](chapter["in_fit"], kernel, start)
        found[name] = {"order": order, "gamma": kept, "new": new}
    return found


def narrow_is_behind_the_first_three(deal):
    return all(deal[1.0]["new"] < deal[name]["new"] for name in PICTURES)


def gamma_falls_with_theta(deal):
    return (np.diff([one["gamma"] for one in deal.values()]) < 0).all()


def the_order_falls_with_theta(deal):
    return (np.diff([one["order"] for one in deal.values()]) < 0).all()


@pytest.mark.parametrize(
    ("holds", "share"),
    [
        (narrow_is_behind_the_first_three, 1.0),
        (gamma_falls_with_theta, 1.0),
        (the_order_falls_with_theta, 1.0),
    ],
)
def test_sentence_holds_on_fresh_deals(deals, holds, share):
    assert np.mean([holds(deal) for deal in deals]) >= share


def test_the_first_three_pictures_name_the_same_share(deals):
    means = [np.mean([deal[name]["new"] for deal in deals]) for name in PICTURES]
    assert np.ptp(means) < 0.01


def test_around_the_file_the_leak_adds_six_points_to_the_fourth(chapter):
    kernel = chapter["RBF"](1.0)
    new, leaked = (
        np.mean([chapter["named"](chapter[way], kernel, start) for start in range(0, 537, 9)])
        for way in ("in_fit", "leaked")
    )
    assert abs(new - 0.83) < 0.005
    assert abs(leaked - new - 0.06) < 0.005


def worst_ratio(chapter, seed, mu):
    clouds = np.random.default_rng(seed).normal(size=(20, 60, 3))
    matrices = (chapter["power_matrix"](chapter["distances"](cloud), mu) for cloud in clouds)
    return min(chapter["smallest_over_largest"](K) for K in matrices)


@pytest.mark.parametrize("mu", [1.1, 1.5])
def test_twenty_clouds_refute_a_power_outside_the_range(chapter, mu):
    assert np.mean([worst_ratio(chapter, seed, mu) < -0.03 for seed in SEEDS]) == 1


def interior(chapter, seed):
    points, _ = chapter["two_clusters_and_outliers"](seed=seed)
    table = chapter["distances"](points)
    where = chapter["predicted"](45, 10, 2 * 11 * 0.0035**2)
    at_peak = chapter["peak_of"](table, where)
    gammas = [
        chapter["kernel_mds"](table, chapter["RBF"](theta), 1).explained
        for theta in (1e-4, at_peak, 1e3)
    ]
    return abs(at_peak - where), gammas[1] - max(gammas[0], gammas[2])


def test_an_interior_width_beats_both_ends_and_sits_where_predicted(chapter):
    found = [interior(chapter, seed) for seed in SEEDS]
    assert np.mean([off < 0.2 and lead > 0.1 for off, lead in found]) >= ALL


def knot_of(chapter, seed):
    """Return medians of distances of twos less zeros, of images and map, and the zeros' share."""
    start = int(np.random.default_rng(seed).integers(len(chapter["images"])))
    rows = chapter["deal"](start)[0]
    of, pictures = chapter["digits"][rows], chapter["images"][rows]
    fitted = chapter["kernel_pca"](pictures, chapter["RBF"](1.0)).points
    apart = (chapter["distances"](pictures), chapter["distances"](fitted))
    within = {digit: np.outer(of == digit, of == digit) for digit in (0, 2)}
    gains = [np.median(one[within[2]]) - np.median(one[within[0]]) for one in apart]
    squares = fitted**2
    return *gains, squares[of == 0].sum() / squares.sum()


def test_twos_are_farther_apart_and_nearer_on_the_map_and_the_knot_depends_on_the_sample(chapter):
    images, on_map, share = np.array([knot_of(chapter, seed) for seed in SEEDS]).T
    assert images.min() > 0.3
    assert np.mean(on_map < 0) >= 0.8
    assert share.min() < 0.5 < 0.7 < share.max()


def shares_of_three_deals(chapter, seed):
    start = int(np.random.default_rng(seed).integers(len(chapter["images"])))
    kernels = (chapter["Linear"](), *map(chapter["RBF"], WIDTHS))
    return [
        np.mean([chapter["named"](chapter["in_fit"], one, start + at) for at in (0, 179, 358)])
        for one in kernels
    ]


def test_three_deals_put_the_fourth_picture_behind_and_the_first_three_together(chapter):
    found = np.array([shares_of_three_deals(chapter, seed) for seed in SEEDS])
    assert np.mean(found[:, 3] < found[:, :3].min(axis=1) - 0.05) == 1
    assert np.mean(np.ptp(found[:, :3], axis=1) < 0.03) >= ALL
