"""What is timed: each case pairs a function of the library with its peer on the same input.

A new family is one generator of cases, named in `FAMILIES`.
"""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.manifold import ClassicalMDS, Isomap, LocallyLinearEmbedding, SpectralEmbedding
from sklearn.manifold import smacof as sklearn_smacof
from sklearn.metrics import euclidean_distances
from sklearn.metrics.pairwise import rbf_kernel

from kmds_lib import (
    RBF,
    classical_scaling,
    distances,
    gram_from_distances,
    isomap,
    kernel_pca,
    landmark_scaling,
    laplacian_eigenmaps,
    locally_linear_embedding,
    nystroem,
    pca,
    smacof,
    swiss_roll,
)
from kmds_lib.results import NotConvergedWarning, StressResult

THETA = 1 / 680
"""About one over the median squared distance of `ten_variables`."""

SIZES = (500, 1000, 2000, 4000)


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
    peer_error : callable, optional
        Takes the result of `theirs`; the same measure.
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
    """Return a function that measures the residuals of coordinates as eigenvectors."""

    def residual(points: np.ndarray) -> float:
        values = np.square(points).sum(axis=0)
        vectors = points / np.sqrt(values)
        errors = np.linalg.norm(multiply(vectors) - vectors * values, axis=0)
        return float(errors.max() / values.max())

    return residual


def arpack_scaling(D: np.ndarray, k: int) -> np.ndarray:
    """Return what a user writes with scipy: B in full, and its k leading eigenpairs."""
    B = np.square(D)
    B *= -0.5
    B -= B.mean(axis=0)
    B -= B.mean(axis=1)[:, None]
    start = np.random.default_rng(0).standard_normal(len(D))
    values, vectors = eigsh(B, k=k, which="LA", v0=start)
    return vectors * np.sqrt(values)


def scaling(
    name: str, table: Callable, components: tuple[int, ...], sizes: tuple[int, ...] = SIZES
) -> Iterator[Case]:
    """Yield classical scaling from distances, against both peers.

    The full decomposition of scikit-learn is left out beyond n = 2000, where it takes half a
    minute, and for many components, on which its time does not depend.
    """
    peers = {
        "scikit-learn ClassicalMDS": lambda D, k: ClassicalMDS(
            k, metric="precomputed"
        ).fit_transform(D),
        "ARPACK on B": arpack_scaling,
    }
    for k, n in product(components, sizes):
        D = table(np.random.default_rng(0), n)
        residual = eigen_residual(lambda V, D=D: gram_from_distances(D) @ V)
        for peer, call in peers.items():
            if "ClassicalMDS" in peer and (n > 2000 or k > 10):
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
    """Return points of rank ten with spreads from 10 to 1."""
    return rng.standard_normal((n, 10)) * np.arange(10, 0, -1)


def easy(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return distances of points with ten variables: the spectrum ends after ten."""
    return distances(ten_variables(rng, n))


def flat(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return distances of points with 300 variables of one variance: no gap in the spectrum."""
    return distances(rng.standard_normal((n, 300)))


def noise(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return dissimilarities drawn at random, which no points have: a semicircle."""
    half = np.triu(rng.random((n, n)), 1)
    return half + half.T


def point_pairs(variables: tuple[int, ...], m: int | None = None) -> Iterator[Case]:
    """Yield Euclidean distances between points, or from many points to m others."""
    peers = {"scipy cdist": cdist, "scikit-learn": euclidean_distances}
    for p in variables:
        rng = np.random.default_rng(0)
        name = f"distances, p = {p}" if m is None else f"distances to {m} points, p = {p}"
        for n in SIZES if m is None else (200_000,):
            X = rng.standard_normal((n, p))
            Y = X if m is None else rng.standard_normal((m, p))
            for peer, call in peers.items():
                yield Case(
                    family=name,
                    peer=peer,
                    n=n,
                    k=0,
                    ours=lambda X=X, Y=Y: distances(X, None if Y is X else Y),
                    theirs=lambda X=X, Y=Y, call=call: call(X, Y),
                    error=lambda D, X=X, Y=Y: float(np.abs(D - cdist(X, Y)).max() / D.max()),
                    input_bytes=8 * n * len(Y),
                )


def principal_components() -> Iterator[Case]:
    """Yield PCA against the peer's choice and its exact solver."""
    for p, n in [*product([50], SIZES), *product([784], SIZES[1:])]:
        X = np.random.default_rng(0).standard_normal((n, p)) * np.linspace(3, 0.1, p)
        centred = X - X.mean(axis=0)
        residual = eigen_residual(lambda V, X=centred: X @ (X.T @ V))
        for solver in ("auto", "covariance_eigh"):
            peer = PCA(2, svd_solver=solver, random_state=0)
            found = peer.fit(X)._fit_svd_solver
            chosen = f"{solver} ({found})" if found == "randomized" else solver
            yield Case(
                family=f"PCA, p = {p}",
                peer=f"scikit-learn PCA, {chosen}",
                n=n,
                k=2,
                ours=lambda X=X: pca(X).points,
                theirs=lambda X=X, peer=peer: peer.fit_transform(X),
                error=residual,
                input_bytes=X.nbytes,
                peer_error=residual,
            )


def kernel_fit(solver: str) -> Iterator[Case]:
    """Yield kernel PCA with ten components, against one of the peer's solvers."""
    for n in SIZES:
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


def kernel_transform() -> Iterator[Case]:
    """Yield the projection of 1000 new points on ten components."""
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


def kernel_matrix() -> Iterator[Case]:
    """Yield the RBF kernel matrix of points with 50 variables."""
    for n in SIZES:
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


def some_steps(D: np.ndarray, start: np.ndarray, steps: int, transform: str) -> StressResult:
    """Return our fit after some steps from a start."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)
        return smacof(D, init=start, max_iter=steps, tol=1e-12, transform=transform)


def peer_steps(D: np.ndarray, start: np.ndarray, **options) -> tuple:
    """Return the points and the raw stress of scikit-learn's SMACOF from the same start."""
    return sklearn_smacof(D, init=start, n_init=1, normalized_stress=False, **options)


def stress_steps() -> Iterator[Case]:
    """Yield some steps of SMACOF, metric and ordinal; the error is the largest rise of stress."""
    for transform, steps, word in (("identity", 30, "thirty"), ("ordinal", 10, "ten")):
        for n in SIZES[:3]:
            D = easy(np.random.default_rng(0), n)
            start = classical_scaling(D).points
            settings = {"metric": transform == "identity", "max_iter": steps, "eps": 0}
            yield Case(
                family=f"SMACOF, {word} steps, {transform}",
                peer="scikit-learn smacof",
                n=n,
                k=2,
                ours=lambda D=D, X=start, k=steps, t=transform: some_steps(D, X, k, t),
                theirs=lambda D=D, X=start, s=settings: peer_steps(D, X, **s),
                error=lambda fit: float(max(0.0, np.diff(fit.history).max())),
                input_bytes=D.nbytes,
            )


def stress_to_equal_value() -> Iterator[Case]:
    """Yield SMACOF until it is as low as the peer's at its default tolerance.

    The error is how far our raw stress lies above the peer's, relative to it: none.
    """
    for n in SIZES[:3]:
        D = easy(np.random.default_rng(0), n)
        start = classical_scaling(D).points
        goal = 2 * peer_steps(D, start)[1]
        steps = int(np.argmax(some_steps(D, start, 300, "identity").history <= goal))
        yield Case(
            family="SMACOF, to equal stress",
            peer="scikit-learn smacof",
            n=n,
            k=2,
            ours=lambda D=D, X=start, steps=steps: some_steps(D, X, steps, "identity"),
            theirs=lambda D=D, X=start: peer_steps(D, X),
            error=lambda fit, goal=goal: max(0.0, fit.raw_stress / goal - 1),
            input_bytes=D.nbytes,
        )


def distances_to_landmarks(X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return what a user writes with scikit-learn: landmarks fitted, distances to them in full."""
    landmarks = X[rows]
    A = -0.5 * euclidean_distances(landmarks, squared=True)
    means = A.mean(axis=0)
    B = A - means - means[:, None] + means.mean()
    values, vectors = np.linalg.eigh(B)
    coefficients = vectors[:, :-3:-1] / np.sqrt(values[:-3:-1])
    return (-0.5 * euclidean_distances(X, landmarks, squared=True) - means) @ coefficients


def centred_feature_map(X: np.ndarray, m: int) -> np.ndarray:
    """Return what a user writes with scikit-learn: its feature map, and PCA of the landmarks."""
    peer = Nystroem(kernel="rbf", gamma=THETA, n_components=m, random_state=0).fit(X)
    Z = peer.transform(X)
    return PCA(2).fit(Z[peer.component_indices_]).transform(Z)


def part_of_largest(Y: np.ndarray, Z: np.ndarray) -> float:
    """Return the largest difference up to sign, divided by the largest coordinate."""
    return float(np.abs(np.abs(Y) - np.abs(Z)).max() / np.abs(Z).max())


def through_landmarks() -> Iterator[Case]:
    """Yield landmark scaling and Nyström's extension through 200 landmarks, two components."""
    for n in (10_000, 50_000, 200_000):
        X = ten_variables(np.random.default_rng(0), n)
        rows = Nystroem(n_components=200, random_state=0).fit(X).component_indices_
        plain, centred = distances_to_landmarks(X, rows), centred_feature_map(X, 200)
        yield Case(
            family="landmark scaling, 200 landmarks",
            peer="scikit-learn euclidean_distances",
            n=n,
            k=2,
            ours=lambda X=X, rows=rows: landmark_scaling(X, landmarks=rows).points,
            theirs=lambda X=X, rows=rows: distances_to_landmarks(X, rows),
            error=lambda Y, Z=plain: part_of_largest(Y, Z),
            input_bytes=X.nbytes,
        )
        yield Case(
            family="Nyström, RBF, 200 landmarks",
            peer="scikit-learn Nystroem and PCA",
            n=n,
            k=2,
            ours=lambda X=X, rows=rows: nystroem(X, RBF(THETA), landmarks=rows).points,
            theirs=lambda X=X: centred_feature_map(X, 200),
            error=lambda Y, Z=centred: part_of_largest(Y, Z),
            input_bytes=X.nbytes,
        )


def unrolled(name: str, peer: str, ours: Callable, theirs: Callable) -> Iterator[Case]:
    """Yield a manifold method on the swiss roll, ten neighbours, two components."""
    for n in (500, 1000, 2000):
        X = swiss_roll(n)[0]
        yield Case(
            family=f"{name}, swiss roll",
            peer=f"scikit-learn {peer}",
            n=n,
            k=2,
            ours=lambda X=X: ours(X),
            theirs=lambda X=X: theirs(X),
            error=lambda fit: fit.residual,
            input_bytes=8 * n * n,
        )


def geodesic_scaling() -> Iterator[Case]:
    """Yield Isomap, with all objects and with fifty landmarks; the peer has no landmarks."""

    def peer(X: np.ndarray) -> Isomap:
        return Isomap(n_neighbors=10).fit(X)

    yield from unrolled("Isomap", "Isomap", lambda X: isomap(X, n_neighbors=10), peer)
    yield from unrolled(
        "Isomap, 50 landmarks",
        "Isomap (all)",
        lambda X: isomap(X, n_neighbors=10, landmarks=50),
        peer,
    )


def local_costs() -> Iterator[Case]:
    """Yield the two methods that minimise a cost over the graph."""
    yield from unrolled(
        "locally linear embedding",
        "LocallyLinearEmbedding",
        lambda X: locally_linear_embedding(X, n_neighbors=10),
        lambda X: LocallyLinearEmbedding(n_neighbors=10, random_state=0).fit(X),
    )
    yield from unrolled(
        "Laplacian eigenmaps",
        "SpectralEmbedding",
        lambda X: laplacian_eigenmaps(X, n_neighbors=10, weights="binary"),
        lambda X: SpectralEmbedding(
            affinity="nearest_neighbors", n_neighbors=10, random_state=0
        ).fit(X),
    )


FAMILIES: dict[str, Callable[[], Iterator[Case]]] = {
    "easy_scaling": partial(scaling, "easy", easy, (2, 10)),
    "flat_scaling": partial(scaling, "flat", flat, (2, 10)),
    "noisy_scaling": partial(scaling, "noise", noise, (2, 10)),
    # On both sides of the change of route.
    "many_components": partial(scaling, "flat", flat, (50, 51, 100, 101), (2000,)),
    "pairwise_distances": partial(point_pairs, (2, 5, 10, 50, 784)),
    "cross_distances": partial(point_pairs, (5, 50), 20),
    "principal_components": principal_components,
    "kernel_components_arpack": partial(kernel_fit, "arpack"),
    "kernel_components_randomized": partial(kernel_fit, "randomized"),
    "kernel_components_auto": partial(kernel_fit, "auto"),
    "kernel_transform": kernel_transform,
    "kernel_matrix": kernel_matrix,
    "stress_steps": stress_steps,
    "stress_to_equal_value": stress_to_equal_value,
    "through_landmarks": through_landmarks,
    "geodesic_scaling": geodesic_scaling,
    "local_costs": local_costs,
}
