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
"""Rate of the RBF kernel: about 1 / (median squared distance) for `ten_variables`."""

SIZES = (500, 1000, 2000, 4000)


@dataclass(frozen=True)
class Case:
    """A comparison of the library with a peer on one input.

    Attributes
    ----------
    family : str
        Title of the panel in the figure.
    peer : str
        Name of the peer.
    n, k : int
        Number of points; number of components, 0 where there are none.
    ours, theirs : callable
        Functions without arguments that are timed: the library and the peer.
    error : callable
        Function of the result of `ours` that returns its residual or error.
    input_bytes : int
        Size of the input in bytes, or of the output if that is larger.
    peer_error : callable, optional
        Function of the result of `theirs` that returns the same measure.
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


def scaling(
    name: str, table: Callable, components: tuple[int, ...], sizes: tuple[int, ...] = SIZES
) -> Iterator[Case]:
    """Yield classical scaling from distances, against both peers.

    The full decomposition of scikit-learn is omitted for n > 2000, where it takes half a minute,
    and for k > 10, because its time does not depend on k.
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
    """Yield PCA against the solver that scikit-learn chooses and against its exact solver."""
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
    """Yield kernel PCA with ten components, against one of scikit-learn's solvers."""
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


def smacof_steps(D: np.ndarray, start: np.ndarray, steps: int, transform: str) -> StressResult:
    """Return the fit of the library after a given number of steps."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)
        return smacof(D, init=start, max_iter=steps, tol=1e-12, transform=transform)


def peer_smacof(D: np.ndarray, start: np.ndarray, **options) -> tuple:
    """Return the points and the raw stress of scikit-learn's SMACOF from the same start."""
    return sklearn_smacof(D, init=start, n_init=1, normalized_stress=False, **options)


def stress_steps() -> Iterator[Case]:
    """Yield a fixed number of SMACOF steps, metric and ordinal.

    The error is the largest increase of stress in a step.
    """
    for transform, steps, word in (("identity", 30, "thirty"), ("ordinal", 10, "ten")):
        for n in SIZES[:3]:
            D = low_rank_distances(np.random.default_rng(0), n)
            start = classical_scaling(D).points
            settings = {"metric": transform == "identity", "max_iter": steps, "eps": 0}
            yield Case(
                family=f"SMACOF, {word} steps, {transform}",
                peer="scikit-learn smacof",
                n=n,
                k=2,
                ours=lambda D=D, X=start, k=steps, t=transform: smacof_steps(D, X, k, t),
                theirs=lambda D=D, X=start, s=settings: peer_smacof(D, X, **s),
                error=lambda fit: float(max(0.0, np.diff(fit.history).max())),
                input_bytes=D.nbytes,
            )


def stress_to_equal_value() -> Iterator[Case]:
    """Yield SMACOF until its stress is at most that of the peer at its default tolerance.

    The error is the relative excess of the raw stress over the peer's, which should be 0.
    """
    for n in SIZES[:3]:
        D = low_rank_distances(np.random.default_rng(0), n)
        start = classical_scaling(D).points
        goal = 2 * peer_smacof(D, start)[1]
        steps = int(np.argmax(smacof_steps(D, start, 300, "identity").history <= goal))
        yield Case(
            family="SMACOF, to equal stress",
            peer="scikit-learn smacof",
            n=n,
            k=2,
            ours=lambda D=D, X=start, steps=steps: smacof_steps(D, X, steps, "identity"),
            theirs=lambda D=D, X=start: peer_smacof(D, X),
            error=lambda fit, goal=goal: max(0.0, fit.raw_stress / goal - 1),
            input_bytes=D.nbytes,
        )


def distances_to_landmarks(X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return landmark scaling as a user of scikit-learn writes it, with all distances at once."""
    landmarks = X[rows]
    A = -0.5 * euclidean_distances(landmarks, squared=True)
    means = A.mean(axis=0)
    B = A - means - means[:, None] + means.mean()
    values, vectors = np.linalg.eigh(B)
    coefficients = vectors[:, :-3:-1] / np.sqrt(values[:-3:-1])
    return (-0.5 * euclidean_distances(X, landmarks, squared=True) - means) @ coefficients


def centred_feature_map(X: np.ndarray, m: int) -> np.ndarray:
    """Return the Nyström map as a user of scikit-learn writes it, with PCA of the landmarks."""
    peer = Nystroem(kernel="rbf", gamma=THETA, n_components=m, random_state=0).fit(X)
    Z = peer.transform(X)
    return PCA(2).fit(Z[peer.component_indices_]).transform(Z)


def relative_difference(Y: np.ndarray, Z: np.ndarray) -> float:
    """Return the largest difference between absolute values, divided by the largest value."""
    return float(np.abs(np.abs(Y) - np.abs(Z)).max() / np.abs(Z).max())


def landmark_methods() -> Iterator[Case]:
    """Yield landmark scaling and the Nyström method with 200 landmarks and two components."""
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
            error=lambda Y, Z=plain: relative_difference(Y, Z),
            input_bytes=X.nbytes,
        )
        yield Case(
            family="Nyström, RBF, 200 landmarks",
            peer="scikit-learn Nystroem and PCA",
            n=n,
            k=2,
            ours=lambda X=X, rows=rows: nystroem(X, RBF(THETA), landmarks=rows).points,
            theirs=lambda X=X: centred_feature_map(X, 200),
            error=lambda Y, Z=centred: relative_difference(Y, Z),
            input_bytes=X.nbytes,
        )


def swiss_roll_cases(name: str, peer: str, ours: Callable, theirs: Callable) -> Iterator[Case]:
    """Yield a manifold method on the swiss roll with ten neighbours and two components."""
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


def isomap_cases() -> Iterator[Case]:
    """Yield Isomap with all objects and with fifty landmarks, which the peer does not have."""

    def peer(X: np.ndarray) -> Isomap:
        return Isomap(n_neighbors=10).fit(X)

    yield from swiss_roll_cases("Isomap", "Isomap", lambda X: isomap(X, n_neighbors=10), peer)
    yield from swiss_roll_cases(
        "Isomap, 50 landmarks",
        "Isomap (all)",
        lambda X: isomap(X, n_neighbors=10, landmarks=50),
        peer,
    )


def graph_cost_methods() -> Iterator[Case]:
    """Yield locally linear embedding and Laplacian eigenmaps."""
    yield from swiss_roll_cases(
        "locally linear embedding",
        "LocallyLinearEmbedding",
        lambda X: locally_linear_embedding(X, n_neighbors=10),
        lambda X: LocallyLinearEmbedding(n_neighbors=10, random_state=0).fit(X),
    )
    yield from swiss_roll_cases(
        "Laplacian eigenmaps",
        "SpectralEmbedding",
        lambda X: laplacian_eigenmaps(X, n_neighbors=10, weights="binary"),
        lambda X: SpectralEmbedding(
            affinity="nearest_neighbors", n_neighbors=10, random_state=0
        ).fit(X),
    )


FAMILIES: dict[str, Callable[[], Iterator[Case]]] = {
    "easy_scaling": partial(scaling, "easy", low_rank_distances, (2, 10)),
    "flat_scaling": partial(scaling, "flat", flat_spectrum_distances, (2, 10)),
    "noisy_scaling": partial(scaling, "noise", random_dissimilarities, (2, 10)),
    # The library changes its eigensolver between these numbers of components.
    "many_components": partial(
        scaling, "flat", flat_spectrum_distances, (50, 51, 100, 101), (2000,)
    ),
    "pairwise_distances": partial(point_pairs, (2, 5, 10, 50, 784)),
    "cross_distances": partial(point_pairs, (5, 50), 20),
    "principal_components": principal_components,
    "kernel_pca_arpack": partial(kernel_fit, "arpack"),
    "kernel_pca_randomized": partial(kernel_fit, "randomized"),
    "kernel_pca_auto": partial(kernel_fit, "auto"),
    "kernel_transform": kernel_transform,
    "kernel_matrix": kernel_matrix,
    "stress_steps": stress_steps,
    "stress_to_equal_value": stress_to_equal_value,
    "through_landmarks": landmark_methods,
    "geodesic_scaling": isomap_cases,
    "local_costs": graph_cost_methods,
}
