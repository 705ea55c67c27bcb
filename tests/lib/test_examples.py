"""The examples of the API pages run, and end with the right picture or number."""

import runpy

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.spatial.distance import braycurtis

from tools.chapters import ROOT

EXAMPLES = ROOT / "chapters" / "api" / "examples"


def check_confusion_matrix(found, printed):
    assert found["fit"].stress == pytest.approx(0.112, abs=5e-4)
    assert [text.get_text() for text in plt.gca().texts] == list("0123456789")


def check_passive_sample(found, printed):
    """Place the site by Gower's formula, after Lingoes's constant."""
    sites = found["sites"].to_numpy()
    d = np.array([[braycurtis(x, y) for y in sites] for x in sites])
    rows = [site for site in range(14) if site != 12]
    H = np.eye(13) - 1 / 13
    A = -0.5 * d[np.ix_(rows, rows)] ** 2
    c = -np.linalg.eigvalsh(H @ A @ H)[0]
    A -= c * (1 - np.eye(13))
    values, vectors = np.linalg.eigh(H @ A @ H)
    b = H @ (-0.5 * d[12, rows] ** 2 - c - A.mean(axis=0))
    place = (vectors.T @ b / np.sqrt(np.abs(values)))[[-1, -2]]
    assert found["fit"].additive_constant == pytest.approx(c)
    np.testing.assert_allclose(np.abs(found["place"][0]), np.abs(place), atol=1e-9)
    assert [line.get_xydata().shape for line in plt.gca().lines] == [(13, 2), (1, 2)]


def check_survey_dimensions(found, printed):
    agreement = np.array([float(line.split()[1]) for line in printed.splitlines()])
    np.testing.assert_allclose(agreement, [0.713, 0.944, 0.907], atol=0.02)
    assert np.count_nonzero(np.isnan(found["D"])) == 2 * 15


def check_denoising(found, printed):
    """The selected parameters denoise unseen images as well as the images of the selection."""
    assert found["best"] == (1, 80, 10)
    assert float(printed.split()[-1]) == pytest.approx(2.05, abs=0.03)
    error = found["error"](found["validation"], *found["best"])
    assert error == pytest.approx(2.05, abs=0.1)


def check_dependence(found, printed):
    """Compute Holm's p-values one by one."""
    table, holm = found["table"], found["holm"]
    for rank, name in enumerate(table.index):
        products = [(12 - i) * table["p"].iloc[i] for i in range(rank + 1)]
        assert holm[name] == pytest.approx(min(1, max(products)))
    assert list(table.index[holm > 0.05]) == ["proanthocyanins"]
    uncorrelated = table[table["correlation"].abs() < 0.06]
    assert (uncorrelated["p"] <= 0.002).sum() == 2


CHECKS = {
    "confusion_matrix": check_confusion_matrix,
    "passive_sample": check_passive_sample,
    "survey_dimensions": check_survey_dimensions,
    "denoising": check_denoising,
    "dependence": check_dependence,
}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_end_with_the_right_number(path, capsys, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.switch_backend("agg")
    source = path.read_text("utf-8")
    assert len(source.splitlines()) <= 25
    assert source.splitlines()[-1].startswith(("print(", "plt.show()", "    print("))
    found = runpy.run_path(str(path))
    CHECKS[path.stem](found, capsys.readouterr().out)
    plt.close("all")
