"""Sets 1 and 2 are as hard for every seed: what must differ differs, and no two axes are near."""

import numpy as np
import pytest

from coursework.sets import load_set

pytestmark = pytest.mark.nightly

SPECTRA, CLASSICAL = (load_set(name).reference for name in ("1-spectra", "2-classical"))


def gap(S, T):
    """Return how far two spectra are apart, by the size of the first matrix."""
    return np.abs(np.linalg.eigvalsh(S) - np.linalg.eigvalsh(T)).max() / np.abs(S).max()


@pytest.mark.parametrize("seed", range(50))
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


@pytest.mark.parametrize("seed", range(50))
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
