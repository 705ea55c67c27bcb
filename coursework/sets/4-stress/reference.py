"""Set 4, stress: its data, its hidden inputs and its right answers, all from the seed.

Buoys float on a lake of 100 x 70 metres with an island. Two buoys measure their distance, called
a range, if they are close to each other with no land between them. Missing ranges are NaN.
"""

import numpy as np

from coursework.compare_answers import Answers, Array, Verdict, combine, compare

LAKE = np.array([100.0, 70.0])
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]) * LAKE
LONGEST_RANGE, SPACING, JITTER = 24.0, 11.5, 2.6
FEWEST, ENOUGH = 5, 8  # ranges of every buoy, and of a buoy with a wrong range
LARGEST_ERROR = 1.0

# Questions without kmds_lib.
WITHOUT_LIBRARY = ("q1", "q3", "q5")


def _distances(Y: Array) -> Array:
    """Return the distances between the rows."""
    return np.asarray(np.sqrt(np.sum((Y[:, None, :] - Y[None, :, :]) ** 2, axis=2)))


def _lake(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return random positions around an island, and the pairs that measure their distance."""
    middle, radius = rng.uniform([40, 28], [60, 42]), rng.uniform(13, 16)
    rows = [
        [x + 0.5 * SPACING * (row % 2), y]
        for row, y in enumerate(np.arange(4.0, 68.0, 0.9 * SPACING))
        for x in np.arange(3.0, 93.0, SPACING)
    ]
    grid = np.array(rows)
    angle = rng.uniform(0, 2 * np.pi, len(grid))
    displacement = JITTER * np.sqrt(rng.random(len(grid)))
    points = grid + displacement[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    points = points[np.linalg.norm(points - middle, axis=1) > radius]
    points = points[rng.permutation(len(points))]
    gap = points[None] - points[:, None]
    length = np.sum(gap**2, axis=2)
    along = np.sum((middle - points)[:, None] * gap, axis=2)
    share = np.clip(np.divide(along, length, out=np.zeros_like(length), where=length > 0), 0, 1)
    nearest = points[:, None] + share[..., None] * gap
    free = np.linalg.norm(nearest - middle, axis=2) > radius
    return points, free & (length > 0) & (length < LONGEST_RANGE**2)


def _corners(points: Array) -> Array:
    """Return the rows of the points nearest to the corners of the lake."""
    return np.asarray(np.argmin(np.linalg.norm(points[:, None] - CORNERS, axis=2), axis=0))


def _has_folded_map(points: Array, measured: Array) -> bool:
    """Return True if a buoy is on the wrong side in the map of minimum stress.

    The iteration starts from the map of the shortest paths, aligned with the anchors.
    """
    ranges = np.where(measured, _distances(points), np.nan)
    anchors = _corners(points)
    Y = _map(_paths(ranges), 2)
    source, goal = (Z[anchors] - Z[anchors].mean(axis=0) for Z in (Y, points))
    U, _, Vt = np.linalg.svd(source.T @ goal)
    Y = (Y - Y[anchors].mean(axis=0)) @ U @ Vt + points[anchors].mean(axis=0)
    Y[anchors] = points[anchors]
    for _ in range(150):
        Y = _step(Y, ranges, measured.astype(float), anchors)
    return bool(np.linalg.norm(Y - points, axis=1).max() > LARGEST_ERROR)


def _survey(seed: int) -> dict[str, Array]:
    """Return the whole survey, including the hidden positions."""
    rng = np.random.default_rng([4, seed])
    points, measured = _lake(rng)
    while measured.sum(axis=1).min() < FEWEST or _has_folded_map(points, measured):
        points, measured = _lake(rng)
    n = len(points)
    i, j = np.nonzero(np.triu(measured))
    true = _distances(points)
    sd = np.round(rng.uniform(0.2, 0.8, len(i)), 2)
    ranges, spread = np.full((n, n), np.nan), np.full((n, n), np.nan)
    ranges[i, j] = true[i, j] + sd * rng.standard_normal(len(i))
    spread[i, j] = sd
    anchors = _corners(points)
    wrong = _wrong_ranges(rng, true, measured, anchors)
    for row, (a, b) in enumerate(wrong):
        a, b = min(a, b), max(a, b)
        if row:
            ranges[a, b] += rng.uniform(6, 10)
        else:
            ranges[a, b] = rng.uniform(8, 14)
            spread[a, b] = round(rng.uniform(0.2, 0.8), 2)
    ranges, spread = (np.where(np.isnan(M), M.T, M) for M in (ranges, spread))
    np.fill_diagonal(ranges, 0.0)
    others = np.setdiff1d(np.arange(n), anchors)
    surveyed = np.sort(rng.permutation(others)[:12])
    return {
        "points": points,
        "ranges": np.round(ranges, 3),
        "sd": spread,
        "anchors": anchors,
        "surveyed": surveyed,
        "wrong": wrong,
    }


def _wrong_ranges(rng: np.random.Generator, true: Array, measured: Array, anchors: Array) -> Array:
    """Choose a pair for a short circuit, and two to four pairs whose range is an echo.

    These buoys have enough other ranges to be located without the wrong one.
    """
    order = rng.permutation(len(true))
    order = order[~np.isin(order, anchors) & (measured.sum(axis=1)[order] >= ENOUGH)]
    far = [(a, b) for a in order for b in order if a < b and true[a, b] > 55]
    chosen = [far[rng.integers(len(far))]]
    count = int(rng.integers(3, 6))
    short = [(a, b) for a in order for b in order if a < b and measured[a, b] and true[a, b] < 14]
    for pair in short:
        if len(chosen) < count and not set(pair) & {k for used in chosen for k in used}:
            chosen.append(pair)
    return np.array(chosen)


def data(seed: int) -> dict[str, Array]:
    """Return the ranges, their standard deviations, and the known positions."""
    survey = _survey(seed)
    return {
        "ranges": survey["ranges"],
        "sd": survey["sd"],
        "anchors": survey["anchors"],
        "anchor_positions": np.round(survey["points"][survey["anchors"]], 2),
        "surveyed": survey["surveyed"],
        "surveyed_positions": np.round(survey["points"][survey["surveyed"]], 2),
    }


def hidden(seed: int) -> dict[str, Array]:
    """Return the inputs of the hidden tests: other configurations and graphs."""
    rng = np.random.default_rng([44, seed])
    n = 14
    true = _distances(LAKE * rng.random((n, 2)))
    missing = np.triu(rng.random((n, n)) < 0.3, 2)
    noise = np.triu(rng.uniform(-1, 1, (n, n)), 1)
    ranges = np.abs(true + noise + noise.T) + 0.5
    ranges[missing | missing.T] = np.nan
    np.fill_diagonal(ranges, 0.0)
    weights = np.triu(rng.uniform(0.5, 4, (n, n)), 1)
    everywhere = weights + weights.T
    everywhere[0, 1] = everywhere[1, 0] = 0.0
    weights = np.where(np.isnan(ranges), 0.0, everywhere)
    start = LAKE * rng.random((n, 2))
    coinciding = start.copy()
    coinciding[5] = coinciding[6]
    chain, apart = _sparse(rng)
    return {
        "ranges": ranges,
        "weights": weights,
        "weights_everywhere": everywhere,
        "start": start,
        "coinciding": coinciding,
        "anchors": np.sort(rng.permutation(n)[:3]),
        "chain": chain,
        "apart": apart,
        "lengths": _two_groups(np.random.default_rng([45, seed])),
        **_new_points(rng),
    }


def _new_points(rng: np.random.Generator) -> dict[str, Array]:
    """Return buoys, ranges from three new points to them, and from two with too few ranges.

    The third new point has a negative squared height.
    """
    buoys = LAKE * rng.random((9, 2))
    buoys[[1, 4, 7], 1] = 20.0
    drones = np.column_stack([LAKE * rng.random((4, 2)), rng.uniform(12, 24, 4)])
    new = np.sqrt(np.sum((drones[:, None, :2] - buoys) ** 2, axis=2) + drones[:, 2:] ** 2)
    new = new + rng.uniform(-0.5, 0.5, new.shape)
    new[0, [2, 6]], new[1, [0, 3, 8]] = np.nan, np.nan
    middle = buoys.mean(axis=0) + rng.uniform(-3, 3, 2)
    too_short = 0.95 * np.linalg.norm(buoys - middle, axis=1)
    line = np.full((2, 9), np.nan)
    line[0, [1, 4, 7]], line[1, 3] = new[2, [1, 4, 7]], new[3, 3]
    new_ranges = np.vstack([new[:2], too_short])
    return {"buoys": buoys, "new_ranges": new_ranges, "line_ranges": line}


def _sparse(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return a connected graph with two long edges, and a disconnected one with zero edges."""
    n = 16
    points = np.column_stack([np.arange(n) * 6.0, 30 * rng.random(n)])
    true = _distances(points)
    near = np.abs(np.arange(n)[:, None] - np.arange(n)) <= 3
    chain = np.where(near, true, np.nan)
    for i in (2, 9):
        chain[i, i + 2] = chain[i + 2, i] = 4 * true[i, i + 2]
    apart = chain.copy()
    apart[:6, 6:], apart[6:, :6] = np.nan, np.nan
    apart[1, 2] = apart[2, 1] = apart[10, 12] = apart[12, 10] = 0.0
    # The rows are not in the order of the paths, so one pass over the pairs is not enough.
    mixed = np.ix_(7 * np.arange(n) % n, 7 * np.arange(n) % n)
    return chain[mixed], apart[mixed]


def _two_groups(rng: np.random.Generator) -> Array:
    """Return dissimilarities with an eigenvalue that is negative and largest in absolute value."""
    while True:
        side = rng.permutation(np.arange(12) % 2)
        off = np.triu(rng.uniform(-2, 2, (12, 12)), 1)
        D = np.where(np.equal.outer(side, side), 12.0, 3.0) + off + off.T
        np.fill_diagonal(D, 0)
        H = np.eye(12) - 1 / 12
        values = np.linalg.eigvalsh(-0.5 * H @ D**2 @ H)
        if np.diff(values[-4:]).min() > 0.01 * values[-1] and -values[0] > 1.2 * values[-1]:
            return D


def _paths(ranges: Array) -> Array:
    """Return the lengths of shortest paths, infinite if there is none (Floyd, Warshall)."""
    lengths = np.where(np.isnan(ranges), np.inf, ranges)
    np.fill_diagonal(lengths, 0.0)
    for k in range(len(lengths)):
        lengths = np.minimum(lengths, lengths[:, [k]] + lengths[k])
    return np.asarray(lengths)


def _laplacian(M: Array) -> Array:
    """Return -M off the diagonal, with rows that sum to zero."""
    M = M - np.diag(np.diag(M))
    return np.asarray(np.diag(M.sum(axis=1)) - M)


def _usable(ranges: Array, weights: Array) -> tuple[Array, Array]:
    """Return ranges and weights with zeros for all pairs that are left out."""
    weights = np.where(np.isnan(ranges), 0.0, weights)
    weights = weights - np.diag(np.diag(weights))
    return np.where(weights > 0, ranges, 0.0), weights


def _stress(Y: Array, ranges: Array, weights: Array) -> float:
    """Return the weighted raw stress over ordered pairs."""
    ranges, weights = _usable(ranges, weights)
    return float(np.sum(weights * (_distances(Y) - ranges) ** 2))


def _pull(Y: Array, ranges: Array, weights: Array) -> tuple[Array, Array]:
    """Return L and L(Y) Y."""
    ranges, weights = _usable(ranges, weights)
    d = _distances(Y)
    ratio = np.divide(weights * ranges, d, out=np.zeros_like(d), where=d > 0)
    return _laplacian(weights), _laplacian(ratio) @ Y


def _step(Y: Array, ranges: Array, weights: Array, anchors: Array) -> Array:
    """Return the minimum of the majorising function over the free rows."""
    L, pull = _pull(Y, ranges, weights)
    free = np.setdiff1d(np.arange(len(Y)), anchors)
    moved = Y.copy()
    right = pull[free] - L[np.ix_(free, anchors)] @ Y[anchors]
    moved[free] = np.linalg.solve(L[np.ix_(free, free)], right)
    return np.asarray(moved)


def _wrong_steps(Y: Array, ranges: Array, weights: Array, anchors: Array) -> dict[str, Array]:
    """Return the values of known mistakes in place of `_step`."""
    L, pull = _pull(Y, ranges, weights)
    free = np.setdiff1d(np.arange(len(Y)), anchors)
    forgotten = Y.copy()
    forgotten[free] = np.linalg.solve(L[np.ix_(free, free)], pull[free])
    return {
        "weights-ignored": _step(Y, ranges, np.ones_like(weights), anchors),
        "anchor-term-forgotten": forgotten,
    }


def _map(lengths: Array, count: int) -> Array:
    """Return the map of classical scaling."""
    H = np.eye(len(lengths)) - 1 / len(lengths)
    values, vectors = np.linalg.eigh(-0.5 * H @ lengths**2 @ H)
    return np.asarray(vectors[:, ::-1][:, :count] * np.sqrt(values[::-1][:count]))


def _wrong_maps(lengths: Array, count: int) -> dict[str, Array]:
    """Return the maps that result from known mistakes, by the name of the mistake."""
    right = _map(lengths, count)
    H = np.eye(len(lengths)) - 1 / len(lengths)
    values, vectors = np.linalg.eigh(-0.5 * H @ lengths**2 @ H)
    largest = np.argsort(-np.abs(values))[:count]
    return {
        "distances-not-squared": _map(np.sqrt(lengths), count),
        "eigenvalues-for-roots": right * np.linalg.norm(right, axis=0),
        "absolute-eigenvalues": vectors[:, largest] * np.sqrt(np.abs(values[largest])),
    }


def _position(Y: Array, row: Array, middle: Array | None = None) -> tuple[Array, float]:
    """Return Gower's position of a new point and its squared height, from its ranges."""
    measured = ~np.isnan(row)
    middle = Y[measured].mean(axis=0) if middle is None else middle
    seen = Y[measured] - middle
    b, squares = np.sum(seen**2, axis=1), row[measured] ** 2
    at = 0.5 * np.linalg.pinv(seen, rcond=1e-10) @ (b - squares)
    return middle + at, float(np.mean(squares - b) - at @ at)


def _places(Y: Array, rows: Array, middle: Array | None = None) -> tuple[Array, Array]:
    """Return the positions and the squared heights of all new points."""
    found = [_position(Y, row, middle) for row in rows]
    return np.array([at for at, _ in found]), np.array([height for _, height in found])


def _step_verdict(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 1: two steps, and the stress of the first.

    The stress is handed in last, so that it shows whether a step changes its input.
    """
    Y, ranges, weights, anchors = (
        inputs[name] for name in ("start", "ranges", "weights", "anchors")
    )
    right, equal = (_stress(Y, ranges, each) for each in (weights, np.ones_like(weights)))
    wrong = {"pairs-counted-once": right / 2, "weights-ignored": equal}
    loss = compare(answers["q1-stress"], right, mistakes=wrong)
    steps = [
        compare(
            answers[name],
            _step(Z, ranges, weights, anchors),
            mistakes=_wrong_steps(Z, ranges, weights, anchors),
        )
        for name, Z in (("q1-step", Y), ("q1-step-coinciding", inputs["coinciding"]))
    ]
    return combine(loss, *steps, weights=(0.25, 0.5, 0.25))


def _graph_verdict(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 3: path lengths on two graphs, and the map."""
    chain, apart, lengths = (inputs[name] for name in ("chain", "apart", "lengths"))
    far = ~np.eye(len(apart), dtype=bool)
    lost = {"zero-range-lost": _paths(np.where((apart == 0) & far, np.nan, apart))}
    drawn = compare(
        answers["q3-map"], _map(lengths, 3), up_to="rigid", mistakes=_wrong_maps(lengths, 3)
    )
    return combine(
        compare(answers["q3-paths"], _paths(chain)),
        compare(answers["q3-paths-apart"], _paths(apart), mistakes=lost),
        drawn,
        weights=(0.25, 0.25, 0.5),
    )


def _place_verdict(inputs: dict[str, Array], answers: Answers) -> Verdict:
    """Return the verdict on question 5: positions, squared heights, and too few ranges."""
    Y = inputs["buoys"]

    def part(name: str, rows: Array, number: int) -> Verdict:
        wrong = {
            "distances-not-squared": _places(Y, np.sqrt(rows))[number],
            "centred-on-all-buoys": _places(Y, rows, Y.mean(axis=0))[number],
        }
        return compare(answers[f"q5-{name}"], _places(Y, rows)[number], mistakes=wrong)

    return combine(
        part("positions", inputs["new_ranges"], 0),
        part("heights", inputs["new_ranges"], 1),
        part("line", inputs["line_ranges"], 0),
        weights=(0.5, 0.25, 0.25),
    )


def verdicts(seed: int, answers: Answers) -> dict[str, Verdict]:
    """Return a verdict for each test cell."""
    inputs = hidden(seed)
    return {
        "q1-step-test": _step_verdict(inputs, answers),
        "q3-graph-test": _graph_verdict(inputs, answers),
        "q5-place-test": _place_verdict(inputs, answers),
    }
