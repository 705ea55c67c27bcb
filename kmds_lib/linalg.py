"""Linear algebra under the book: invariants, projections, alignment and the eigen-solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from kmds_lib._checks import (
    FloatArray,
    as_dissimilarities,
    as_gram,
    as_points,
    check_n_components,
    scale_exponent,
)
from kmds_lib._lanczos import lanczos

Form = Literal["symmetric", "centered", "distances"]

RESIDUAL_TOLERANCE = 1e-10
"""Largest residual of a returned eigenpair, relative to the largest eigenvalue."""

_DENSE_BELOW = 300
_DENSE_NEXT = 1000
_STEPS = 150
_POWER_STEPS = 40
_BLOCK = 10
_PANEL_BYTES = 2**19
_TARGET = 2e-11
_BASIS_PART = 36
_SAMPLE = 100
_NOISE = 0.01


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Leading eigenpairs of a symmetric matrix.

    Attributes
    ----------
    values : ndarray of shape (k,)
        The k algebraically largest eigenvalues, in descending order.
    vectors : ndarray of shape (n, k)
        Orthonormal eigenvectors in columns, with the signs of `canonical_signs`.
    residual : float
        Largest norm of M v - lambda v over the pairs, divided by the largest eigenvalue.
    solver : str
        ``"krylov"`` or ``"dense"``.
    scale : float
        Estimate of the largest modulus of any eigenvalue: the yardstick for what is zero.
    """

    values: FloatArray
    vectors: FloatArray
    residual: float
    solver: str
    scale: float


@dataclass(frozen=True, eq=False)
class Alignment:
    """A configuration moved onto a target: ``points = scale * Y @ rotation + translation``.

    Attributes
    ----------
    points : ndarray of shape (n, k)
        The configuration after the move.
    rotation : ndarray of shape (k, k)
        Orthogonal matrix; a reflection is allowed.
    translation : ndarray of shape (k,)
        Shift added to every row.
    scale : float
        Factor on the configuration; 1 unless scaling was asked for.
    residual : float
        Frobenius norm of ``points - target``.
    """

    points: FloatArray
    rotation: FloatArray
    translation: FloatArray
    scale: float
    residual: float


@dataclass(frozen=True, eq=False)
class Invariants:
    """What stays the same when a square matrix changes basis.

    Attributes
    ----------
    trace, determinant : float
    rank : int
    eigenvalues : ndarray of shape (n,)
        Sorted by descending real part, then imaginary part; real dtype where all are real.
    characteristic_polynomial : ndarray of shape (n + 1,)
        Coefficients of det(x I - M), highest power first.
    """

    trace: float
    determinant: float
    rank: int
    eigenvalues: np.ndarray
    characteristic_polynomial: FloatArray


def similarity_invariants(M: ArrayLike) -> Invariants:
    """Return the invariants of a square matrix under a change of basis.

    Parameters
    ----------
    M : array_like of shape (n, n)
        Real square matrix; it need not be symmetric.

    Returns
    -------
    Invariants

    Raises
    ------
    ValueError
        If `M` is not a finite real square matrix.

    Notes
    -----
    Derived in Chapter 1, One map, many matrices. Source: Horn & Johnson (2013), section 1.3.

    Examples
    --------
    >>> invariants = similarity_invariants([[2.0, 1.0], [1.0, 2.0]])
    >>> invariants.rank, invariants.trace
    (2, 4.0)
    >>> invariants.eigenvalues.round(6)
    array([3., 1.])
    """
    M = _as_square_points(M, "M")
    eigenvalues = linalg.eigvals(M)
    if not np.any(eigenvalues.imag):
        eigenvalues = eigenvalues.real
    eigenvalues = eigenvalues[np.lexsort((-eigenvalues.imag, -eigenvalues.real))]
    return Invariants(
        trace=float(np.trace(M)),
        determinant=float(linalg.det(M)),
        rank=int(np.linalg.matrix_rank(M)),
        eigenvalues=eigenvalues,
        characteristic_polynomial=np.real(np.poly(eigenvalues)),
    )


def centering_matrix(n: int) -> FloatArray:
    """Return H = I - 11^T/n, the projection that subtracts the mean.

    Parameters
    ----------
    n : int
        Number of points.

    Returns
    -------
    ndarray of shape (n, n)

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    Notes
    -----
    Derived in Chapter 3, Distances and Gram matrices. Source: Gower (1966).

    Examples
    --------
    >>> centering_matrix(2)
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    n = check_n_components(n, upper=np.iinfo(np.int64).max, name="n")
    return np.eye(n) - 1.0 / n


def canonical_signs(V: ArrayLike) -> FloatArray:
    """Return the columns with signs fixed: the entry of largest modulus is positive.

    Entries whose moduli agree to eight digits count as tied, and the first of them decides, so
    that rounding does not choose the sign of a symmetric picture.

    Parameters
    ----------
    V : array_like of shape (n, k)
        Vectors in columns.

    Returns
    -------
    ndarray of shape (n, k)
        A new array whose columns are those of `V` times +1 or -1. Zero columns stay zero.

    Raises
    ------
    ValueError
        If `V` is not a finite real matrix.

    Notes
    -----
    Used from Chapter 1, One map, many matrices, on: an eigenvector is known up to its sign.

    Examples
    --------
    >>> canonical_signs([[0.6, 0.0], [-0.8, 1.0]])
    array([[-0.6,  0. ],
           [ 0.8,  1. ]])
    """
    V = as_points(V, "V")
    return V * _signs(V)


def _signs(V: FloatArray) -> FloatArray:
    moduli = np.abs(V)
    first = np.argmax(moduli >= (1 - 1e-8) * moduli.max(axis=0), axis=0)
    return np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)


def nearest_psd(M: ArrayLike, rank: int | None = None) -> FloatArray:
    """Return the nearest positive semidefinite matrix, optionally of bounded rank.

    Parameters
    ----------
    M : array_like of shape (n, n)
        Symmetric matrix.
    rank : int, optional
        Largest rank allowed, from 1 to n. Without it the rank is free.

    Returns
    -------
    ndarray of shape (n, n)
        Nearest in the Frobenius norm: negative eigenvalues are set to zero and the `rank`
        largest kept.

    Raises
    ------
    ValueError
        If `M` is not a finite real symmetric matrix, or `rank` is out of range.

    Notes
    -----
    Derived in Chapter 2, The best approximation keeps the largest singular
    values.
    Source: Mardia (1978); for free rank, Higham (1988).

    Examples
    --------
    >>> nearest_psd([[1.0, 0.0], [0.0, -2.0]])
    array([[1., 0.],
           [0., 0.]])
    """
    M = as_gram(M, "M")
    rank = len(M) if rank is None else check_n_components(rank, len(M), "rank")
    values, vectors = linalg.eigh(M, check_finite=False)
    keep = values > 0
    keep[: len(M) - rank] = False
    root = vectors[:, keep] * np.sqrt(values[keep])
    return root @ root.T


def procrustes_align(Y: ArrayLike, target: ArrayLike, *, scaling: bool = False) -> Alignment:
    """Move a configuration onto a target by the best rotation, reflection and shift.

    Parameters
    ----------
    Y : array_like of shape (n, k)
        Configuration to move.
    target : array_like of shape (n, k)
        Where it should go; row i of `Y` belongs to row i of `target`.
    scaling : bool
        Allow a change of size as well.

    Returns
    -------
    Alignment
        The moved points, the rotation, shift and scale that move them, and the residual.

    Raises
    ------
    ValueError
        If an input is not a finite real matrix, or the shapes differ.

    Notes
    -----
    Derived in Chapter 4, Classical scaling. The rotation is the orthogonal polar factor of the
    centred cross product. Where it is not unique (a configuration of too low rank), one of the
    best is returned. Source: Schönemann (1966).

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> turned = square @ np.array([[0.0, 1.0], [-1.0, 0.0]]) + 5.0
    >>> bool(procrustes_align(square, turned).residual < 1e-12)
    True
    """
    Y, target = as_points(Y, "Y"), as_points(target, "target")
    if Y.shape != target.shape:
        raise ValueError(
            f"Y has shape {Y.shape} but target has shape {target.shape}; they must match. "
            "Columns of zeros can be appended to the smaller one."
        )
    mean, target_mean = Y.mean(axis=0), target.mean(axis=0)
    centred, goal = Y - mean, target - target_mean
    size, goal_size = linalg.norm(centred.ravel()), linalg.norm(goal.ravel())
    cross = (centred / (size or 1.0)).T @ (goal / (goal_size or 1.0))
    rotation, strength = linalg.orthogonal_procrustes(np.eye(len(cross)), cross)
    scale = float(strength * goal_size / size) if scaling and size > 0 else 1.0
    turned = scale * centred @ rotation
    return Alignment(
        points=turned + target_mean,
        rotation=rotation,
        translation=target_mean - scale * mean @ rotation,
        scale=scale,
        residual=float(linalg.norm((turned - goal).ravel())),
    )


def principal_angles(U: ArrayLike, V: ArrayLike) -> FloatArray:
    """Return the principal angles between two subspaces, in radians, smallest first.

    Parameters
    ----------
    U : array_like of shape (n, k)
        Columns that span the first subspace; they need not be orthonormal.
    V : array_like of shape (n, l)
        Columns that span the second.

    Returns
    -------
    ndarray of shape (min(k, l),)
        Angles between 0 and pi/2, in ascending order; fewer where columns depend on each
        other, since the angles are those of the spans.

    Raises
    ------
    ValueError
        If an input is not a finite real matrix, or the row counts differ.

    Notes
    -----
    Used in Chapter 5, PCA and classical scaling are one computation. Source: Björck & Golub
    (1973); small angles come from the sines, after Knyazev & Argentati (2002), as in
    `scipy.linalg.subspace_angles`.

    Examples
    --------
    >>> principal_angles([[1.0], [0.0]], [[1.0], [1.0]]).round(6)
    array([0.785398])
    """
    U, V = as_points(U, "U"), as_points(V, "V")
    if len(U) != len(V):
        raise ValueError(
            f"U has {len(U)} rows but V has {len(V)}; both must live in the same space."
        )
    return linalg.subspace_angles(U, V)[::-1]


def leading_eigenpairs(
    M: ArrayLike, n_components: int = 2, *, form: Form = "symmetric", check: bool = True
) -> Eigenpairs:
    """Return the algebraically largest eigenpairs; the one solver every method goes through.

    Parameters
    ----------
    M : array_like of shape (n, n)
        A symmetric matrix, or dissimilarities when ``form="distances"``.
    n_components : int
        How many pairs, from 1 to n.
    form : {"symmetric", "centered", "distances"}
        Whose eigenpairs: of M itself; of H M H (a kernel matrix, centred); or of
        -1/2 H M^(2) H (dissimilarities, squared and centred). The last two are never formed
        unless the dense solver is called.
    check : bool
        False where the caller has checked M already: a float64 array, in units in which squares
        neither over- nor underflow.

    Returns
    -------
    Eigenpairs
        Largest eigenvalues first, each pair with a residual of at most 1e-10 of the largest
        eigenvalue, or of a hundred thousandth of the largest modulus where that is more.

    Raises
    ------
    ValueError
        If `M` fails the checks of its form, `n_components` is out of range or `form` unknown.

    Notes
    -----
    Introduced in Chapter 4, Classical scaling. A block Krylov method with full
    reorthogonalisation and thick restarts: a block as wide as the number of pairs finds every
    copy of a repeated eigenvalue. Where the matrix is stored, single vectors come first: a
    second Krylov space, orthogonal to what was found, looks for a missed copy, and the block
    method decides where there is one or no answer (up to n = 1000, LAPACK does). LAPACK takes
    over where n is small, where many pairs are asked for, and where the residuals do not come
    down. Same input, same output, same signs.
    Source: Golub & Underwood (1977) for the block method; Wu & Simon (2000) for the restart.

    Examples
    --------
    >>> pairs = leading_eigenpairs([[2.0, 1.0], [1.0, 2.0]], 1)
    >>> pairs.values.round(6), pairs.vectors.round(6).ravel()
    (array([3.]), array([0.707107, 0.707107]))
    """
    if form not in ("symmetric", "centered", "distances"):
        raise ValueError(
            f"form = {form!r} is unknown; use 'symmetric', 'centered' or 'distances'."
        )
    exponent = 0
    if check:
        M = as_dissimilarities(M, "M") if form == "distances" else as_gram(M, "M")
        exponent = scale_exponent(max(float(M.max()), -float(M.min())))
    k = check_n_components(n_components, len(M))
    if not exponent:
        return _solve(M, k, form)
    pairs = _solve(np.ldexp(M, -exponent), k, form)
    return _rescaled(pairs, 2 * exponent if form == "distances" else exponent)


def _solve(M: FloatArray, k: int, form: Form) -> Eigenpairs:
    pairs = None
    if len(M) > _DENSE_BELOW and k <= len(M) // 20:
        start = _start(M, form, max(_BLOCK, k + 2))
        if form != "distances":
            pairs = _single(M, start, k, form)
        if pairs is None and (form == "distances" or len(M) > _DENSE_NEXT):
            pairs = _krylov(_operator(M, form), start, k)
    return _dense(M, k, form) if pairs is None else pairs


def _single(M: FloatArray, start: FloatArray, k: int, form: Form) -> Eigenpairs | None:
    """One vector at a time, where the matrix is stored; None where a block must decide."""
    steps = min(_STEPS, len(M) // 8)
    centred = form == "centered"
    found = lanczos(M, start[:, :2], k, centred=centred, target=_TARGET, steps=steps)
    if found is None:
        return None
    values, V = found.values, found.vectors
    residual = float(found.errors.max() / values[0])
    return Eigenpairs(values, V * _signs(V), residual, "krylov", found.scale)


def smallest_eigenvalue(M: FloatArray, form: Form) -> float:
    """Return the algebraically smallest eigenvalue, from the same solver.

    Parameters
    ----------
    M : ndarray of shape (n, n)
        Checked input.
    form : {"symmetric", "centered", "distances"}
        As in `leading_eigenpairs`.

    Returns
    -------
    float

    Examples
    --------
    >>> round(smallest_eigenvalue(np.array([[2.0, 1.0], [1.0, 2.0]]), "symmetric"), 6)
    1.0
    """
    if len(M) > _DENSE_BELOW:
        apply = _operator(M, form)
        pairs = _krylov(lambda W: -apply(W), _start(M, form, _BLOCK), 1)
        if pairs is not None:
            return -float(pairs.values[0])
    values = linalg.eigvalsh(formed(M, form), overwrite_a=True, check_finite=False)
    return float(values[0])


def formed(M: FloatArray, form: Form) -> FloatArray:
    """Return the matrix that `leading_eigenpairs` would decompose, in full and as a new array.

    Parameters
    ----------
    M : ndarray of shape (n, n)
        Checked input.
    form : {"symmetric", "centered", "distances"}
        As in `leading_eigenpairs`.

    Returns
    -------
    ndarray of shape (n, n)

    Examples
    --------
    >>> formed(np.array([[0.0, 2.0], [2.0, 0.0]]), "distances")
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if form == "symmetric":
        return M.copy()
    if form == "distances":
        A = np.square(M)
        A *= -0.5
    else:
        A = M.copy()
    for _ in range(2):
        A -= A.mean(axis=0)
        A = A.T
    return A


def _operator(M: FloatArray, form: Form) -> Callable[[FloatArray], FloatArray]:
    if form == "symmetric":
        return M.__matmul__
    product = squared_product(M) if form == "distances" else M.__matmul__
    factor = -0.5 if form == "distances" else 1.0

    def apply(W: FloatArray) -> FloatArray:
        Z = product(W - W.mean(axis=0))
        Z *= factor
        Z -= Z.mean(axis=0)
        return Z

    return apply


def squared_product(D: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return W -> D^(2) W, where rows of D are squared one panel at a time, in cache.

    Parameters
    ----------
    D : ndarray of shape (n, n)
        Checked dissimilarities.

    Returns
    -------
    callable
        Takes and returns a matrix with n rows.

    Examples
    --------
    >>> squared_product(np.array([[0.0, 3.0], [3.0, 0.0]]))(np.eye(2))
    array([[0., 9.],
           [9., 0.]])
    """
    n = len(D)
    rows = max(1, _PANEL_BYTES // (8 * n))
    panel = np.empty((rows, n))

    def product(W: FloatArray) -> FloatArray:
        Z = np.empty((n, W.shape[1]))
        for start in range(0, n, rows):
            block = D[start : start + rows]
            squares = np.multiply(block, block, out=panel[: len(block)])
            np.dot(squares, W, out=Z[start : start + rows])
        return Z

    return product


def _krylov(apply: Callable[[FloatArray], FloatArray], W: FloatArray, k: int) -> Eigenpairs | None:
    """Grow a block Krylov space until the k leading pairs are exact; None where that fails.

    Q holds an orthonormal basis and AQ its image, so that every residual is a measured one.
    """
    n, block = W.shape
    limit = max(4 * block + 2 * k, n // _BASIS_PART)
    Q, AQ = (np.empty((n, limit), order="F") for _ in range(2))
    T = np.zeros((limit, limit))
    m = 0
    for _ in range(max(40, n // 10)):
        W = _orthonormal(W, Q[:, :m])
        m += block
        Q[:, m - block : m], AQ[:, m - block : m] = W, apply(W)
        T[:m, m - block : m] = Q[:, :m].T @ AQ[:, m - block : m]
        values, S = linalg.eigh(T[:m, :m], lower=False, check_finite=False)
        scale = float(max(abs(values[0]), abs(values[-1])))
        leading = S[:, : -k - 1 : -1]
        V, image = Q[:, :m] @ leading, AQ[:, :m] @ leading
        residual = _residual(image, V, values[: -k - 1 : -1], scale)
        if residual <= _TARGET:
            return Eigenpairs(values[: -k - 1 : -1], V * _signs(V), residual, "krylov", scale)
        W = AQ[:, m - block : m]
        if m + block > limit:
            W = _orthonormal(W, Q[:, :m])
            m = k + (limit - k - block) // 2
            Q[:, :m], AQ[:, :m] = Q[:, : len(S)] @ S[:, -m:], AQ[:, : len(S)] @ S[:, -m:]
            T[:m, :m] = np.diag(values[-m:])
    return None


def _start(M: FloatArray, form: Form, block: int) -> FloatArray:
    """Return random sums of sampled columns, a nearly free first step, with noise added.

    The sample alone could be blind to a leading eigenvector; the noise never is.
    """
    n = len(M)
    rng = np.random.default_rng(0)
    sample = M[:: max(1, n // _SAMPLE)]
    mixed = rng.standard_normal((block, len(sample)))
    W = (mixed @ (np.square(sample) if form == "distances" else sample)).T
    if form != "symmetric":
        W -= W.mean(axis=0)
    size = float(np.abs(W).max()) or 1.0
    return W + _NOISE * size * rng.standard_normal((n, block))


def _orthonormal(W: FloatArray, basis: FloatArray) -> FloatArray:
    """Return orthonormal columns for W, orthogonal to the basis even where W is all noise."""
    for _ in range(2):
        W = W - basis @ (basis.T @ W)
        W = linalg.qr(W, mode="economic", check_finite=False)[0]
    return W


def _residual(image: FloatArray, V: FloatArray, values: FloatArray, scale: float) -> float:
    """Return the largest residual, relative to the leading eigenvalue if that is not tiny."""
    yardstick = max(float(values[0]), 1e-5 * scale)
    if yardstick == 0:
        return 0.0
    return float(linalg.norm(image - V * values, axis=0).max() / yardstick)


def _dense(M: FloatArray, k: int, form: Form) -> Eigenpairs:
    """LAPACK for the k leading pairs, or for all where its choice of a few fails.

    The subset driver loses vectors of a repeated eigenvalue, without a word.
    """
    A = formed(M, form)
    n = len(A)
    values, V = linalg.eigh(A, subset_by_index=[n - k, n - 1], check_finite=False)
    if V.shape[1] < k or np.abs(V.T @ V - np.eye(k)).max() > RESIDUAL_TOLERANCE:
        values, V = linalg.eigh(A, driver="evd", check_finite=False)
    values, V = values[: -k - 1 : -1], V[:, : -k - 1 : -1]
    scale = max(float(np.abs(values).max()), _largest_modulus(A))
    residual = _residual(A @ V, V, values, scale)
    return Eigenpairs(values, V * _signs(V), residual, "dense", scale)


def _largest_modulus(A: FloatArray) -> float:
    """Return an estimate from below of the largest modulus of an eigenvalue: power iteration."""
    v = np.random.default_rng(0).standard_normal(len(A))
    estimate = float(linalg.norm(A, axis=0).max())
    for _ in range(_POWER_STEPS):
        size = float(linalg.norm(v))
        if size == 0:
            return estimate
        v = A @ (v / size)
    return max(estimate, float(linalg.norm(v)))


def _rescaled(pairs: Eigenpairs, exponent: int) -> Eigenpairs:
    with np.errstate(over="ignore", under="ignore"):
        values = np.ldexp(pairs.values, exponent)
        scale = float(np.ldexp(pairs.scale, exponent))
    return replace(pairs, values=values, scale=scale)


def _as_square_points(M: ArrayLike, name: str) -> FloatArray:
    M = as_points(M, name)
    if M.shape[0] != M.shape[1]:
        raise ValueError(f"{name} has shape {M.shape}; a square matrix is needed.")
    return M
