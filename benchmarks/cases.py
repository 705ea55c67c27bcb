"""Benchmark cases: a function of the library and a peer that get the same input.

To add a family, write a generator of cases and name it in `FAMILIES`.
"""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from scipy.sparse.linalg import eigsh
from sklearn.decomposition import PCA, KernelPCA
from sklearn.manifold import ClassicalMDS, Isomap, LocallyLinearEmbedding, SpectralEmbedding
from sklearn.manifold import smacof as sklearn_smacof

from kmds_lib import (
    RBF,
    classical_scaling,
    distances,
    gram_from_distances,
    isomap,
    kernel_pca,
    laplacian_eigenmaps,
    locally_linear_embedding,
    pca,
    smacof,
    swiss_roll,
)
from kmds_lib.results import NotConvergedWarning, StressResult

THETA = 1 / 680
"""Rate of the RBF kernel: about 1 / (median squared distance) for `ten_variables`."""

SIZES = (500, 1000, 2000, 4000)


@dataclass(frozen=True)
class Case:
    """A comparison of the library with a peer on one input of n points.

    `ours` and `theirs` are timed, and `error` and `peer_error` return a residual of their results.
    """

    family: str
    peer: str
    n: int
    k: int
    ours: Callable
    theirs: Callable
    error: Callable
    input_bytes: int
    peer_error: Callable | None = None


def eigen_residual(multiply: Callable) -> Callable:
    """Return a function that computes the largest eigenpair residual of coordinates."""

    def residual(points: np.ndarray) -> float:
        values = np.square(points).sum(axis=0)
        vectors = points / np.sqrt(values)
        errors = np.linalg.norm(multiply(vectors) - vectors * values, axis=0)
        return float(errors.max() / values.max())

    return residual


def arpack_scaling(D: np.ndarray, k: int) -> np.ndarray:
    """Return classical scaling as a user of SciPy writes it: form B and call `eigsh`."""
    B = np.square(D)
    B *= -0.5
    B -= B.mean(axis=0)
    B -= B.mean(axis=1)[:, None]
    start = np.random.default_rng(0).standard_normal(len(D))
    values, vectors = eigsh(B, k=k, which="LA", v0=start)
    return vectors * np.sqrt(values)


def scaling(name: str, table: Callable) -> Iterator[Case]:
    """Yield classical scaling from distances, against both peers.

    The full decomposition of scikit-learn is omitted for n > 2000, where it takes half a minute.
    """
    peers = {
        "scikit-learn ClassicalMDS": lambda D, k: ClassicalMDS(
            k, metric="precomputed"
        ).fit_transform(D),
        "ARPACK on B": arpack_scaling,
    }
    for k, n in product((2, 10), SIZES):
        D = table(np.random.default_rng(0), n)
        residual = eigen_residual(lambda V, D=D: gram_from_distances(D) @ V)
        for peer, call in peers.items():
            if "ClassicalMDS" in peer and n > 2000:
                continue
            yield Case(
                family=f"classical scaling, {name}, k = {k}",
                peer=peer,
                n=n,
                k=k,
                ours=lambda D=D, k=k: classical_scaling(D, k).points,
                theirs=lambda D=D, k=k, call=call: call(D, k),
                error=residual,
                input_bytes=D.nbytes,
                peer_error=residual,
            )


def ten_variables(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return points with ten variables whose standard deviations are 10, 9, ..., 1."""
    return rng.standard_normal((n, 10)) * np.arange(10, 0, -1)


def low_rank_distances(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return distances between points with ten variables: B has rank ten."""
    return distances(ten_variables(rng, n))


def flat_spectrum_distances(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return distances between points with 300 variables of equal variance: flat spectrum."""
    return distances(rng.standard_normal((n, 300)))


def random_dissimilarities(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return random dissimilarities, which are not Euclidean: B has a semicircular spectrum."""
    half = np.triu(rng.random((n, n)), 1)
    return half + half.T


def principal_components() -> Iterator[Case]:
    """Yield PCA against the solver that scikit-learn chooses and against its exact solver."""
    for n in SIZES[1:]:
        X = np.random.default_rng(0).standard_normal((n, 784)) * np.linspace(3, 0.1, 784)
        centred = X - X.mean(axis=0)
        residual = eigen_residual(lambda V, X=centred: X @ (X.T @ V))
        for solver in ("auto", "covariance_eigh"):
            peer = PCA(2, svd_solver=solver, random_state=0)
            found = peer.fit(X)._fit_svd_solver
            chosen = f"{solver} ({found})" if found == "randomized" else solver
            yield Case(
                family="PCA, p = 784",
                peer=f"scikit-learn PCA, {chosen}",
                n=n,
                k=2,
                ours=lambda X=X: pca(X).points,
                theirs=lambda X=X, peer=peer: peer.fit_transform(X),
                error=residual,
                input_bytes=X.nbytes,
                peer_error=residual,
            )


def kernel_fit() -> Iterator[Case]:
    """Yield kernel PCA with ten components."""
    for n in SIZES:
        X = ten_variables(np.random.default_rng(0), n)
        peer = KernelPCA(10, kernel="rbf", gamma=THETA)
        yield Case(
            family="kernel PCA fit, RBF",
            peer="scikit-learn KernelPCA",
            n=n,
            k=10,
            ours=lambda X=X: kernel_pca(X, RBF(THETA), 10),
            theirs=lambda X=X, peer=peer: peer.fit(X),
            error=lambda fit: fit.residual,
            input_bytes=8 * n * n,
        )


def kernel_transform() -> Iterator[Case]:
    """Yield the projection of 1000 new points onto ten components."""
    for n in SIZES:
        rng = np.random.default_rng(0)
        X, X_new = ten_variables(rng, n), ten_variables(rng, 1000)
        fit = kernel_pca(X, RBF(THETA), 10)
        peer = KernelPCA(10, kernel="rbf", gamma=THETA, eigen_solver="arpack").fit(X)
        scores = np.abs(peer.transform(X_new))
        yield Case(
            family="kernel PCA transform, 1000 points",
            peer="scikit-learn KernelPCA",
            n=n,
            k=10,
            ours=lambda fit=fit, X_new=X_new: fit.transform(X_new),
            theirs=lambda peer=peer, X_new=X_new: peer.transform(X_new),
            error=lambda Y, scores=scores: float(np.abs(np.abs(Y) - scores).max() / scores.max()),
            input_bytes=8 * 1000 * n,
        )


def smacof_steps(D: np.ndarray, start: np.ndarray, steps: int) -> StressResult:
    """Return the fit of the library after a given number of steps."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)
        return smacof(D, init=start, max_iter=steps, tol=1e-12)


def peer_smacof(D: np.ndarray, start: np.ndarray) -> tuple:
    """Return the points and the raw stress of scikit-learn's SMACOF from the same start."""
    return sklearn_smacof(D, init=start, n_init=1, normalized_stress=False)


def stress_to_equal_value() -> Iterator[Case]:
    """Yield SMACOF until it has at most the stress of the peer at the peer's default tolerance.

    The error is the relative excess of the raw stress over the peer's, which should be 0.
    """
    for n in SIZES[:3]:
        D = low_rank_distances(np.random.default_rng(0), n)
        start = classical_scaling(D).points
        goal = 2 * peer_smacof(D, start)[1]
        steps = int(np.argmax(smacof_steps(D, start, 300).history <= goal))
        yield Case(
            family="SMACOF, to equal stress",
            peer="scikit-learn smacof",
            n=n,
            k=2,
            ours=lambda D=D, X=start, steps=steps: smacof_steps(D, X, steps),
            theirs=lambda D=D, X=start: peer_smacof(D, X),
            error=lambda fit, goal=goal: max(0.0, fit.raw_stress / goal - 1),
            input_bytes=D.nbytes,
        )


def manifold_methods() -> Iterator[Case]:
    """Yield manifold methods on the swiss roll with ten neighbours and two components."""
    spectral = SpectralEmbedding(affinity="nearest_neighbors", n_neighbors=10, random_state=0)
    methods = (
        ("Isomap", isomap, Isomap(n_neighbors=10)),
        (
            "locally linear embedding",
            locally_linear_embedding,
            LocallyLinearEmbedding(n_neighbors=10, random_state=0),
        ),
        ("Laplacian eigenmaps", partial(laplacian_eigenmaps, weights="binary"), spectral),
    )
    for (name, call, peer), n in product(methods, (500, 1000, 2000)):
        X = swiss_roll(n)[0]
        yield Case(
            family=f"{name}, swiss roll",
            peer=f"scikit-learn {type(peer).__name__}",
            n=n,
            k=2,
            ours=lambda X=X, call=call: call(X, n_neighbors=10),
            theirs=lambda X=X, peer=peer: peer.fit(X),
            error=lambda fit: fit.residual,
            input_bytes=8 * n * n,
        )


FAMILIES: dict[str, Callable[[], Iterator[Case]]] = {
    "easy_scaling": partial(scaling, "easy", low_rank_distances),
    "flat_scaling": partial(scaling, "flat", flat_spectrum_distances),
    "noisy_scaling": partial(scaling, "noise", random_dissimilarities),
    "principal_components": principal_components,
    "kernel_fit": kernel_fit,
    "kernel_transform": kernel_transform,
    "stress_to_equal_value": stress_to_equal_value,
    "manifold_methods": manifold_methods,
}
