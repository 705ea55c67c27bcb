"""Compare chapter 2's explorer with NumPy and with the library."""

import numpy as np
from numpy.testing import assert_allclose

from kmds_figures.explorers import truncated_svd_explorer
from kmds_lib import nearest_psd
from tests.web.node import decimals_in, evaluate

RNG = np.random.default_rng(11)
IMAGE = np.clip(RNG.random((20, 3)) @ RNG.random((3, 30)) / 2 + 0.1 * RNG.random((20, 30)), 0, 1)
OBSERVED = RNG.random(IMAGE.shape) < 0.6
WIDGET = truncated_svd_explorer(IMAGE, OBSERVED)
ROUNDED = np.rint(4095 * IMAGE) / 4095
KNOWN = np.where(OBSERVED, ROUNDED, 0)
PRODUCTS = KNOWN @ KNOWN.T / (OBSERVED.astype(float) @ OBSERVED.T)
TRUE_PRODUCTS = ROUNDED @ ROUNDED.T / ROUNDED.shape[1]
KEPT = [[], [0], [0, 1, 2, 3], [1, 2, 3, 4], [0, 5, 19], [*range(0, 20, 2)], [*range(20)]]


def compute(kept):
    """Return the explorer's results for the image and for the matrix, by what is kept."""
    state = {"pixels": WIDGET.pixels, "observed": WIDGET.observed, "shape": WIDGET.shape}
    return evaluate(WIDGET, "m.approximate(state, kept)", state=state, kept=kept)


def root_of_squares_without(values, kept):
    """Return the Frobenius error of an approximation that keeps some of the values."""
    return np.sqrt(np.sum(np.delete(values, kept) ** 2))


def test_truncated_svd_explorer_computes_the_svd_of_the_image():
    V, s, Ut = np.linalg.svd(ROUNDED, full_matrices=False)
    close = {"rtol": 0, "atol": 1e-9 * np.linalg.norm(ROUNDED)}
    for kept, found in zip(KEPT, compute(KEPT)[0], strict=True):
        part = (V[:, kept] * s[kept]) @ Ut[kept]
        assert_allclose(found["values"], s, rtol=0, atol=1e-7 * s[0])
        assert_allclose(found["approximation"], part.ravel(), **close)
        assert_allclose(found["error"], np.linalg.norm(ROUNDED - part), **close)
        assert_allclose(found["minError"], root_of_squares_without(s, range(len(kept))), **close)
        assert found["isBest"] == (kept == [*range(len(kept))])
        errors = [found["error"], *([] if found["isBest"] else [found["minError"]])]
        shown = np.multiply(errors, 100) / np.linalg.norm(ROUNDED)
        assert_allclose(decimals_in(found["said"]), shown, atol=0.06)


def test_truncated_svd_explorer_finds_the_nearest_psd_matrix():
    lam, W = np.linalg.eigh(PRODUCTS)
    order = np.argsort(-np.abs(lam))
    lam, W = lam[order], W[:, order]
    positive = np.flatnonzero(lam > 0)
    assert positive[5] > 5
    choices = [*KEPT, positive[:6].tolist()]
    close = {"rtol": 0, "atol": 1e-9 * lam[0]}
    for kept, found in zip(choices, compute(choices)[1], strict=True):
        part = (W[:, kept] * lam[kept]) @ W[:, kept].T
        clipped = nearest_psd(part)
        assert_allclose(found["values"], lam, **close)
        assert_allclose(found["approximation"], part.ravel(), **close)
        gaps = [np.linalg.norm(M - N) for M in (part, clipped) for N in (PRODUCTS, TRUE_PRODUCTS)]
        assert_allclose([found["error"], found["exactError"], *found["psdErrors"]], gaps, **close)
        negative = np.sum(lam[kept] < 0)
        assert found["negative"] == negative
        best = np.arange(len(kept)) if negative else positive[: len(kept)]
        assert found["best"] == best.tolist()
        assert_allclose(found["minError"], root_of_squares_without(lam, best), **close)
        if not negative and kept:
            nearest = np.linalg.norm(PRODUCTS - nearest_psd(PRODUCTS, rank=len(kept)))
            assert_allclose(found["minError"], nearest, **close)
        nearer = [] if found["isBest"] or not kept else [root_of_squares_without(lam, best)]
        shown = [*gaps[:2], *(gaps[2:] if negative else nearer)]
        assert_allclose(decimals_in(found["said"]), shown, atol=0.006)
