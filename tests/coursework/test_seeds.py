"""Sets are as hard for every seed: what must differ differs, and there is something to find."""

import numpy as np
import pytest

from coursework.sets import SETS_DIR, load_set, set_names

pytestmark = pytest.mark.weekly

SPECTRA, CLASSICAL, KERNELS, STRESS = (load_set(name).reference for name in set_names(SETS_DIR))
SEEDS = range(50)


def gap(S, T):
    """Return how far two spectra are apart, by the size of the first matrix."""
    return np.abs(np.linalg.eigvalsh(S) - np.linalg.eigvalsh(T)).max() / np.abs(S).max()


@pytest.mark.parametrize("seed", SEEDS)
def test_pairs_of_matrices_are_alike_in_what_does_not_decide(seed):
    inputs, data = SPECTRA.hidden(seed), SPECTRA.data(seed)
    simple, impostor = inputs["simple"], inputs["impostor"]
    assert np.isclose(np.trace(simple), np.trace(impostor))
    assert np.isclose(np.linalg.det(simple), np.linalg.det(impostor))
    assert gap(simple, impostor) > 0.01
    assert 1e-7 < gap(simple, inputs["close"]) < 1e-5
    tied, other = (np.linalg.eigvalsh(inputs[name]) for name in ("tied", "tied_other"))
    assert np.allclose(np.unique(tied.round(9)), np.unique(other.round(9)))
    assert gap(inputs["tied"], inputs["tied_other"]) > 0.1
    assert gap(inputs["signed"], inputs["signed_other"]) > 0.1
    assert (
        gap(simple, inputs["simple_turned"]) < 1e-12 > gap(inputs["tied"], inputs["tied_turned"])
    )
    true = [gap(data["covariance"], claim) < 1e-12 for claim in data["claims"]]
    assert sum(true) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_tables_need_what_the_questions_ask_for(seed):
    inputs = SPECTRA.hidden(seed)
    near, whole, D = inputs["near"], inputs["whole"], inputs["broken"]
    assert np.linalg.eigvalsh(near)[0] < -0.1
    assert np.linalg.eigvalsh(SPECTRA._centred(near))[0] > -1e-12
    assert np.linalg.eigvalsh(whole)[0] > 0
    assert np.abs(SPECTRA._cosines(D, 1)).max() > 1.01


@pytest.mark.parametrize("seed", range(10))
def test_axes_of_the_hidden_flights_are_told_apart(seed):
    inputs = CLASSICAL.hidden(seed)
    for weights in ("weights", "empty"):
        values = CLASSICAL._pairs(inputs["flights"], inputs[weights])[1]
        positive = values[values > 1e-9 * values[0]]
        assert np.diff(values[:3]).max() < -0.01 * values[0]
        assert np.diff(positive).max() < -1e-5 * values[0]
        assert positive[-1] > 1e-7 * values[0]
    assert np.sum(inputs["empty"] == 0) == 3


@pytest.mark.parametrize("seed", SEEDS)
def test_kernel_matrices_have_distinct_leading_eigenvalues(seed):
    inputs = KERNELS.hidden(seed)
    for name, rank in (("K", 5), ("K_copies", 3)):
        values = np.linalg.eigvalsh(KERNELS._centred(inputs[name]))[::-1]
        assert np.diff(values[:rank]).max() < -1e-4 * values[0]
        assert values[rank - 1] > 1e-3 * values[0]
    assert np.linalg.eigvalsh(KERNELS._centred(inputs["K_indefinite"]))[0] < -0.1
    assert np.linalg.eigvalsh(inputs["K"])[0] > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_scanned_and_judged_images_are_different_and_both_digits_are_there(seed):
    data = KERNELS.data(seed)
    assert data["images"].shape == (80, 96)
    assert data["judge"].shape == (120, 96)
    for name, count in (("target", 40), ("judge_target", 60)):
        assert np.array_equal(np.unique(data[name], return_counts=True)[1], [count, count])
    for fold in range(5):
        assert 2 <= np.sum(data["target"][data["folds"] == fold] > 0) <= 14
    every = {KERNELS.moved(x[None], s).tobytes() for x in data["images"] for s in range(12)}
    assert not any(x.tobytes() in every for x in data["judge"])


def test_tolerance_is_worth_something_only_when_the_kernel_is_narrow():
    for seed in SEEDS[:3]:
        data = KERNELS.data(seed)
        wrong = {}
        for theta, steps in ((0.1, [0]), (0.01, range(-2, 3)), (0.3, range(-2, 3))):
            K = KERNELS.tolerant(data["images"], data["images"], theta, steps)
            K_new = KERNELS.tolerant(data["judge"], data["images"], theta, steps)
            drawn = KERNELS.scores(K, K_new, 6)
            guess = KERNELS._predicted(drawn[:80], drawn[80:], data["target"])
            wrong[theta] = np.sum(guess * data["judge_target"] < 0)
        assert wrong[0.3] + 8 < wrong[0.1]
        assert wrong[0.3] + 3 < wrong[0.01]


@pytest.mark.parametrize("seed", SEEDS)
def test_one_pair_alone_has_no_common_neighbour_and_it_is_the_mix_up(seed):
    survey, data = STRESS._survey(seed), STRESS.data(seed)
    measured = ~np.isnan(data["sd"])
    i, j = np.nonzero(np.triu(measured))
    lonely = np.sum(measured[i] & measured[j], axis=1) == 0
    assert set(zip(i[lonely], j[lonely], strict=True)) == {tuple(sorted(survey["wrong"][0]))}
    assert 3 <= len(survey["wrong"]) <= 5
    assert np.isfinite(STRESS._paths(data["ranges"])).all()
    assert not set(data["anchors"]) & set(data["surveyed"])
    for a, b in survey["wrong"][1:]:
        true = np.linalg.norm(survey["points"][a] - survey["points"][b])
        assert data["ranges"][a, b] - true > 3


@pytest.mark.parametrize("seed", SEEDS)
def test_hidden_surveys_are_solvable_and_hold_the_edge_cases(seed):
    inputs = STRESS.hidden(seed)
    _, weights = STRESS._usable(inputs["ranges"], inputs["weights"])
    free = np.setdiff1d(np.arange(len(weights)), inputs["anchors"])
    L = STRESS._laplacian(weights)[np.ix_(free, free)]
    assert np.linalg.cond(L) < 50
    chain, reference_path = inputs["chain"], inputs["apart"]
    assert np.any(STRESS._paths(chain) < np.nan_to_num(chain) - 1)
    assert np.isinf(STRESS._paths(reference_path)).any()
    lengths = inputs["lengths"]
    H = np.eye(len(lengths)) - 1 / len(lengths)
    values = np.linalg.eigvalsh(-0.5 * H @ lengths**2 @ H)[::-1]
    assert -values[-1] > values[0], "The eigenvalue of largest size is negative."
    assert values[2] > max(1.01 * values[3], 0)
    heights = [STRESS._place(inputs["hears"], row)[1] for row in inputs["heard"]]
    assert heights[-1] < -1 < 1 < min(heights[:2])
