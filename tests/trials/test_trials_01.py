"""Sentences of Chapter 1 about drawn data, tried on seeds not looked at before."""

import numpy as np
import pytest

from tests.trials.conftest import ALL, sentences

pytestmark = pytest.mark.nightly

NEEDED = (
    "import matplotlib",
    "rng = np.random.default_rng(1)",
    "def eigenbasis(M):",
    "flowers = load_iris().data",
    "lam4, V4 = np.linalg.eigh(S4)",
    "def best_quotient(vectors):",
)


def proof_finds_repeated_eigenvalues(chapter, seed):
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    matrix = turn @ np.diag([2.0, -1.0, -1.0]) @ turn.T
    values, basis = chapter["eigenbasis"](matrix)
    right_angles = np.allclose(basis.T @ basis, np.eye(3), rtol=0, atol=1e-8)
    return right_angles and np.allclose(basis @ np.diag(values) @ basis.T, matrix, atol=1e-8)


def best_sample_comes_near(chapter, seed):
    samples = np.random.default_rng(seed).normal(size=(20_000, 4))
    first = chapter["V4"][:, 0]
    across = samples - np.outer(samples @ first, first)
    best = [chapter["best_quotient"](drawn) for drawn in (samples, across)]
    return np.all(best >= 0.99 * chapter["lam4"][:2])


test_sentence_holds_on_fresh_seeds = sentences(
    ("The proof runs where eigenvalues repeat.", proof_finds_repeated_eigenvalues, ALL),
    ("The best of 20 000 comes within one per cent.", best_sample_comes_near, ALL),
)
