"""Map up to ten million points by their distances to 200 landmarks, on a local Dask cluster.

For each number of points, a new process starts a scheduler and two workers with one thread each.
The workers draw the points from seeds in chunks, so that no process holds all of them. The script
stores the time, the peak memory of each process, and the largest difference between a sample and
one call without Dask. It needs Linux, because it reads the memory from /proc.

Usage: python benchmarks/scale.py [--sizes 10000 100000 ...] [--rounds 3]
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import dask.array as da
import numpy as np
import psutil
from distributed import Client, LocalCluster, wait
from stored import RC_PARAMS, save, write
from tqdm.auto import tqdm

from kmds_lib import RBF, landmark_scaling, nystroem

RESULTS = Path(__file__).parent / "results"
SIZES = (10**4, 10**5, 10**6, 3 * 10**6, 10**7)
REFERENCE = 10**6
VARIABLES, LANDMARKS, COMPONENTS, CHUNK = 16, 200, 2, 100_000
KERNEL = RBF(1 / 32)
METHODS = {
    "nystroem": lambda X, landmarks, seed: nystroem(
        X, KERNEL, COMPONENTS, landmarks=landmarks, seed=seed
    ),
    "landmark scaling": lambda X, landmarks, seed: landmark_scaling(
        X, COMPONENTS, landmarks=landmarks, seed=seed
    ),
}
COLOURS = dict(zip(METHODS, ("#0072B2", "#D55E00"), strict=True))
MEMORY_LIMIT = 2 * 2**30
"""Memory of all processes together, in bytes."""


def rows_per_chunk(n: int) -> int:
    """Return the number of points in a chunk, so that there are at least two chunks."""
    return min(CHUNK, n // 2)


def draw_chunk(number: int, rows: int) -> np.ndarray:
    """Draw the points of one chunk."""
    return np.random.default_rng([2026, number]).standard_normal((rows, VARIABLES))


def random_points(n: int) -> da.Array:
    """Return a Dask array of points that the workers draw when they are needed."""
    rows = rows_per_chunk(n)
    return da.map_blocks(
        lambda block_id: draw_chunk(block_id[0], rows),
        chunks=((rows,) * (n // rows), (VARIABLES,)),
        dtype=float,
        meta=np.empty((0, 0)),
    )


def draw_rows(n: int, wanted: np.ndarray) -> np.ndarray:
    """Draw the given rows again in this process, and return them in sorted order."""
    rows = rows_per_chunk(n)
    numbers = np.unique(wanted // rows)
    return np.vstack([draw_chunk(c, rows)[wanted[wanted // rows == c] % rows] for c in numbers])


def difference(method: str, n: int, landmarks: np.ndarray, placed: da.Array) -> float:
    """Return the largest difference between a sample and one call in memory without Dask."""
    sample = np.unique(np.random.default_rng(1).choice(n, 2000))
    X = np.vstack([draw_rows(n, landmarks), draw_rows(n, sample)])
    plain = METHODS[method](X, np.arange(LANDMARKS), None).points[LANDMARKS:]
    return float(np.abs(placed[sample].compute() - plain).max())


def peak_memories() -> list[int]:
    """Return the peak memory of this process and its children in bytes."""
    found = []
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        status = Path(f"/proc/{process.pid}/status").read_text("ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        found.append(1024 * int(line.split()[1]))
    return found


def measure(method: str, n: int, rounds: int) -> dict:
    """Return the time, memory and error of one method at one size, on a new cluster."""
    cluster = LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        memory_limit=MEMORY_LIMIT // 2,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    )
    seconds = []
    with cluster, Client(cluster):
        METHODS[method](random_points(2 * LANDMARKS), LANDMARKS, 0).points.compute()
        for seed in range(rounds):
            placed = None  # free the result of the last round
            start = time.perf_counter()
            fit = METHODS[method](random_points(n), LANDMARKS, seed)
            placed = fit.points.persist()
            wait(placed)
            seconds.append(time.perf_counter() - start)
        memory = peak_memories()
        error = difference(method, n, fit.landmarks, placed)
    return {
        "method": method,
        "n": n,
        "seconds": median(seconds),
        "peaks": memory,
        "memory": sum(memory),
        "input": 8 * n * VARIABLES,
        "difference": error,
    }


def measure_in_new_process(method: str, n: int, rounds: int) -> dict:
    """Measure in a new process, because the peak memory of a process never decreases."""
    command = [sys.executable, __file__, "--one", method, str(n), "--rounds", str(rounds)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def add_relative_times(results: list[dict]) -> list[dict]:
    """Add to each result its time relative to that of the reference size."""
    base = {r["method"]: r["seconds"] for r in results if r["n"] == REFERENCE}
    return [r | {"relative": r["seconds"] / base.get(r["method"], np.nan)} for r in results]


def time_exponent(results: list[dict], method: str) -> float:
    """Return the exponent of n in the time, fitted to the sizes from the reference size on."""
    rows = [r for r in results if r["method"] == method and r["n"] >= REFERENCE]
    if len(rows) < 3:
        return float("nan")
    return float(
        np.polyfit(np.log([r["n"] for r in rows]), np.log([r["seconds"] for r in rows]), 1)[0]
    )


def markdown_table(results: list[dict]) -> str:
    """Return the results as a Markdown table with relative times."""
    lines = [
        "| method | n | time, relative | points, MiB | all processes, MiB | difference |",
        "|---|---|---|---|---|---|",
    ]
    for r in results:
        cells = (
            r["method"],
            f"{r['n']:,}".replace(",", " "),
            f"{r['relative']:.2f}",
            f"{r['input'] / 2**20:.0f}",
            f"{r['memory'] / 2**20:.0f}",
            f"{r['difference']:.0e}",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(results: list[dict], path: Path) -> None:
    """Plot time and memory against the number of points, and save the figure."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams.update(RC_PARAMS)
    figure = Figure(figsize=(10, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    sizes = sorted({r["n"] for r in results})
    left.loglog(sizes, np.divide(sizes, REFERENCE), ":", color="0.5", label="proportional to n")
    right.loglog(
        sizes, [8 * n * VARIABLES / 2**20 for n in sizes], ":", color="0.5", label="the points"
    )
    right.axhline(MEMORY_LIMIT / 2**20, color="0.5", lw=0.8)
    for (method, colour), marker in zip(COLOURS.items(), "os", strict=True):
        rows = [r for r in results if r["method"] == method]
        n = [r["n"] for r in rows]
        left.loglog(n, [r["relative"] for r in rows], marker + "-", color=colour, label=method)
        right.loglog(
            n, [r["memory"] / 2**20 for r in rows], marker + "-", color=colour, label=method
        )
    left.set_ylabel("time, relative to n = 1 000 000", fontsize=8)
    right.set_ylabel("memory (MiB)", fontsize=8)
    for ax in (left, right):
        ax.set_xlabel("number of points n", fontsize=8)
        ax.tick_params(labelsize=7)
        ax.minorticks_off()
        ax.legend(fontsize=7)
    save(figure, path)


def main() -> None:
    """Measure all sizes, or the one that is named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--rounds", type=int, default=3, help="number of runs for each size")
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "N"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        method, n = options.one
        print(json.dumps(measure(method, int(n), options.rounds)))
        return
    runs = [(method, n) for method in METHODS for n in options.sizes]
    results = add_relative_times(
        [
            measure_in_new_process(*run, options.rounds)
            for run in tqdm(runs, desc="sizes", disable=None)
        ]
    )
    slopes = {method: time_exponent(results, method) for method in METHODS}
    print(
        markdown_table(results),
        *(f"{m}: time grows as n^{e:.2f}" for m, e in slopes.items()),
        sep="\n",
    )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "scale.md").write_text(markdown_table(results) + "\n", "utf-8")
    report = {"rounds": options.rounds, "slopes": slopes, "results": results}
    write(report, RESULTS / "scale.json")
    draw(results, RESULTS / "scale.svg")


if __name__ == "__main__":
    main()
