"""What chapter 2's explorer shows agrees with NumPy and with the library."""

import numpy as np
from numpy.testing import assert_allclose

from kmds_figures.explorers import rank_explorer
from kmds_lib import nearest_psd
from tests.figures.under_node import ask

RNG = np.random.default_rng(11)
IMAGE = np.clip(RNG.random((20, 3)) @ RNG.random((3, 30)) / 2 + 0.1 * RNG.random((20, 30)), 0, 1)
SEEN = RNG.random(IMAGE.shape) < 0.6
WIDGET = rank_explorer(IMAGE, SEEN)
STATE = {"pixels": WIDGET.pixels, "seen": WIDGET.seen, "shape": WIDGET.shape}
PHOTO = np.rint(4095 * IMAGE) / 4095
SHOWN = np.where(SEEN, PHOTO, 0)
TABLE = SHOWN @ SHOWN.T / (SEEN.astype(float) @ SEEN.T)
TRUTH = PHOTO @ PHOTO.T / PHOTO.shape[1]
LAMBDA = np.linalg.eigvalsh(TABLE)
LAMBDA = LAMBDA[np.argsort(-np.abs(LAMBDA))]
POSITIVE = np.flatnonzero(LAMBDA > 0).tolist()
CHOICES = [
    [],
    [0],
    [0, 1, 2, 3],
    [1, 2, 3, 4],
    [0, 5, 19],
    [*range(0, 20, 2)],
    [*range(20)],
    POSITIVE[:6],
]


def results(source):
    """Return what the explorer computes for each choice of picture and table, with its words."""
    chosen = """{
      const { picture, table } = m.prepared(state);
      const of = (terms) => choices.map((kept) => {
        const found = m.resultOf(terms, kept);
        return { ...found, words: m.rankVerdict(found, terms) };
      });
      return { picture: of(picture), table: of(table) };
    }"""
    return ask(source, chosen, state=STATE, choices=CHOICES)


def tail(values, kept):
    return np.sqrt(np.sum(np.delete(values, kept) ** 2))


def compare(found):
    """Compare with NumPy and the library, to 1e-9 of the size of the picture or the table."""
    V, s, Ut = np.linalg.svd(PHOTO, full_matrices=False)
    size = np.linalg.norm(PHOTO)
    for kept, shown in zip(CHOICES, found["picture"], strict=True):
        part = (V[:, kept] * s[kept]) @ Ut[kept]
        assert_allclose(shown["values"], s, rtol=0, atol=1e-7 * s[0])
        assert_allclose(shown["part"], part.ravel(), rtol=0, atol=1e-9 * size)
        assert_allclose(shown["near"], np.linalg.norm(PHOTO - part), rtol=0, atol=1e-9 * size)
        assert_allclose(shown["least"], tail(s, range(len(kept))), rtol=0, atol=1e-9 * size)
        assert shown["isBest"] == (kept == [*range(len(kept))])
    lam, W = np.linalg.eigh(TABLE)
    order = np.argsort(-np.abs(lam))
    lam, W = lam[order], W[:, order]
    assert POSITIVE[5] > 5
    for kept, shown in zip(CHOICES, found["table"], strict=True):
        part = (W[:, kept] * lam[kept]) @ W[:, kept].T
        clipped = nearest_psd(part)
        close = dict(rtol=0, atol=1e-9 * lam[0])
        assert_allclose(shown["values"], lam, **close)
        assert_allclose(shown["part"], part.ravel(), **close)
        gaps = [np.linalg.norm(M - N) for M in (part, clipped) for N in (TABLE, TRUTH)]
        assert_allclose([shown["near"], shown["far"], *shown["clipped"]], gaps, **close)
        negative = np.sum(lam[kept] < 0)
        assert shown["negative"] == negative
        best = np.arange(len(kept)) if negative else np.flatnonzero(lam > 0)[: len(kept)]
        assert shown["best"] == best.tolist()
        assert_allclose(shown["least"], tail(lam, best), **close)
        if not negative and kept:
            nearest = np.linalg.norm(TABLE - nearest_psd(TABLE, rank=len(kept)))
            assert_allclose(shown["least"], nearest, **close)


def test_the_rank_explorer_computes_what_the_library_does():
    compare(results(WIDGET._esm))


def test_the_words_follow_what_is_kept():
    found = results(WIDGET._esm)
    n, p = IMAGE.shape
    for shown in found["picture"]:
        k, size = shown["rank"], np.linalg.norm(PHOTO) / 100
        error, least = shown["near"] / size, shown["least"] / size
        assert shown["words"]["head"] == f"Rank {k}: error {error:.1f} %."
        if 0 < k < n:
            best = f"takes {k * (n + p + 1)} numbers; the photograph has {n * p}."
            other = f"The {k} largest leave {least:.1f} %: you"
            assert (best if shown["isBest"] else other) in shown["words"]["reason"]
    holds = [shown["words"]["holds"] for shown in found["picture"]]
    assert holds == [shown["isBest"] and shown["rank"] > 0 for shown in found["picture"]]
    assert "you dropped s₁ and kept s₅" in found["picture"][3]["words"]["reason"]
    for shown in found["table"]:
        said = shown["words"]["head"]
        gaps = f"{shown['near']:.2f} from the measured, {shown['far']:.2f} from the true one"
        assert gaps in shown["words"]["reason"]
        if shown["negative"]:
            assert said == f"No points: {shown['negative']} of the {shown['rank']} are negative."
            without = "{:.2f} and {:.2f}.".format(*shown["clipped"])
            assert shown["words"]["reason"].endswith(without)
        elif not shown["isBest"]:
            assert f"lie {shown['least']:.2f} from" in shown["words"]["reason"]
    assert found["table"][0]["words"]["head"] == "A table of zeros."
    assert found["table"][1]["words"]["head"] == "Points in 1 dimension."


def test_a_bar_keeps_its_name():
    words = (
        "[[0, true, false], [1, false, true]].map((one) => m.barWords([12.345, -0.0512], ...one))"
    )
    assert ask(WIDGET, words) == ["s₁ = 12.35, kept", "λ₂ = −0.051, dropped"]


def test_rank_explorer_keeps_twelve_bits_and_all_that_is_seen():
    n = IMAGE.size
    shades, mask = ask(
        WIDGET, "[m.unpacked(state.pixels, 12, n), m.unpacked(state.seen, 1, n)]", state=STATE, n=n
    )
    assert_allclose(np.divide(shades, 4095), PHOTO.ravel(), rtol=0, atol=1e-12)
    assert np.array_equal(mask, SEEN.ravel())
    assert len(WIDGET.pixels) == 2 * n
    assert (WIDGET.kept, WIDGET.shows, WIDGET.rule) == ([*range(8)], "picture", "size")
