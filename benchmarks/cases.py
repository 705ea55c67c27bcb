"""What is timed: each case pairs a function of the library with its peer on the same input.

A new family is one generator of cases, added to `FAMILIES`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import PCA, KernelPCA
from sklearn.manifold import ClassicalMDS
from sklearn.metrics import euclidean_distances
from sklearn.metrics.pairwise import rbf_kernel

from kmds_lib import (
    RBF,
    classical_scaling,
    distances,
    gram_from_distances,
    kernel_pca,
    pca,
)

THETA = 1 / 680
"""About one over the median squared distance of `ten_variables`."""


@dataclass(frozen=True)
class Case:
    """One comparison.

    Attributes
    ----------
    family : str
        Name of the curve in the plot.
    peer : str
        Name of the peer.
    n, k : int
        Number of points; number of components, 0 where there are none.
    ours, theirs : callable
        What is timed; no arguments.
    error : callable
        Takes the result of `ours`; the residual or error that the table shows.
    input_bytes : int
        Size of the input, or of the output where that is what is large.
    """

    family: str
    peer: str
    n: int
    k: int
    ours: Callable
    theirs: Callable
    error: Callable
    input_bytes: int


def eigen_residual(D: np.ndarray) -> Callable:
    """Return a function that measures the residuals of a fit with the formed B."""

    def residual(fit) -> float:
        B = gram_from_distances(D)
        vectors = fit.points / np.sqrt(fit.eigenvalues)
        errors = np.linalg.norm(B @ vectors - vectors * fit.eigenvalues, axis=0)
        return float(errors.max() / fit.eigenvalues[0])

    return residual


def scaling(name: str, points: Callable, sizes: tuple[int, ...]) -> Iterator[Case]:
    """Yield classical scaling from distances, two components."""
    for n in sizes:
        D = distances(points(np.random.default_rng(0), n))
        yield Case(
            family=f"classical scaling, {name}",
            peer="scikit-learn ClassicalMDS",
            n=n,
            k=2,
            ours=lambda D=D: classical_scaling(D),
            theirs=lambda D=D: ClassicalMDS(n_components=2, metric="precomputed").fit(D),
            error=eigen_residual(D),
            input_bytes=D.nbytes,
        )


def ten_variables(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return points of rank ten with spreads from 10 to 1."""
    return rng.standard_normal((n, 10)) * np.arange(10, 0, -1)


def two_directions_in_noise(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return a plane in 300 variables of unit noise: a long flat tail of eigenvalues."""
    plane = rng.standard_normal((n, 2)) @ rng.standard_normal((2, 300))
    return plane + rng.standard_normal((n, 300))


def low_rank_scaling() -> Iterator[Case]:
    """Yield classical scaling of points with few variables."""
    return scaling("10 variables", ten_variables, (500, 1000, 2000, 4000))


def noisy_scaling() -> Iterator[Case]:
    """Yield classical scaling of points whose spectrum has a long tail."""
    return scaling("noise", two_directions_in_noise, (500, 1000, 2000, 4000))


def pairwise_distances() -> Iterator[Case]:
    """Yield Euclidean distances between points with 50 variables."""
    for n in (500, 1000, 2000, 4000):
        X = np.random.default_rng(0).standard_normal((n, 50))
        yield Case(
            family="distances, p = 50",
            peer="scikit-learn euclidean_distances",
            n=n,
            k=0,
            ours=lambda X=X: distances(X),
            theirs=lambda X=X: euclidean_distances(X),
            error=lambda D, X=X: float(np.abs(D - euclidean_distances(X)).max() / D.max()),
            input_bytes=8 * n * n,
        )


def principal_components() -> Iterator[Case]:
    """Yield PCA of points with 50 variables."""
    for n in (500, 1000, 2000, 4000):
        X = np.random.default_rng(0).standard_normal((n, 50)) * np.arange(50, 0, -1)
        yield Case(
            family="PCA, p = 50",
            peer="scikit-learn PCA",
            n=n,
            k=2,
            ours=lambda X=X: pca(X),
            theirs=lambda X=X: PCA(2).fit_transform(X),
            error=lambda fit: fit.residual,
            input_bytes=X.nbytes,
        )


def kernel_fit(solver: str, sizes: tuple[int, ...]) -> Iterator[Case]:
    """Yield kernel PCA with ten components."""
    for n in sizes:
        X = ten_variables(np.random.default_rng(0), n)
        peer = KernelPCA(10, kernel="rbf", gamma=THETA, eigen_solver=solver, random_state=0)
        yield Case(
            family=f"kernel PCA fit, RBF, against {solver}",
            peer=f"scikit-learn KernelPCA, {solver}",
            n=n,
            k=10,
            ours=lambda X=X: kernel_pca(X, RBF(THETA), 10),
            theirs=lambda X=X, peer=peer: peer.fit(X),
            error=lambda fit: fit.residual,
            input_bytes=8 * n * n,
        )


def kernel_components_arpack() -> Iterator[Case]:
    """Yield kernel PCA against the best exact solver of the peer."""
    return kernel_fit("arpack", (500, 1000, 2000, 4000))


def kernel_components_randomized() -> Iterator[Case]:
    """Yield kernel PCA against the peer's approximate solver."""
    return kernel_fit("randomized", (500, 1000, 2000, 4000))


def kernel_components_auto() -> Iterator[Case]:
    """Yield kernel PCA against what the peer chooses by itself."""
    return kernel_fit("auto", (500, 1000, 2000, 4000))


def kernel_transform() -> Iterator[Case]:
    """Yield the projection of 1000 new points on ten components."""
    for n in (500, 1000, 2000, 4000):
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


def kernel_matrix() -> Iterator[Case]:
    """Yield the RBF kernel matrix of points with 50 variables."""
    for n in (500, 1000, 2000, 4000):
        X = np.random.default_rng(0).standard_normal((n, 50))
        yield Case(
            family="RBF kernel matrix, p = 50",
            peer="scikit-learn rbf_kernel",
            n=n,
            k=0,
            ours=lambda X=X: RBF(0.01)(X),
            theirs=lambda X=X: rbf_kernel(X, gamma=0.01),
            error=lambda K, X=X: float(np.abs(K - rbf_kernel(X, gamma=0.01)).max()),
            input_bytes=8 * n * n,
        )


FAMILIES = [
    low_rank_scaling,
    noisy_scaling,
    pairwise_distances,
    principal_components,
    kernel_components_arpack,
    kernel_components_randomized,
    kernel_components_auto,
    kernel_transform,
    kernel_matrix,
]
