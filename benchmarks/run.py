"""Time the library against its peers: print a table, store the figures, draw the costs."""

import argparse
import json
import platform
import time
import tracemalloc
from pathlib import Path
from statistics import median

import matplotlib as mpl
import numpy as np
import scipy
import sklearn
from cases import FAMILIES, Case
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from stored import DRAWN, save, write
from threadpoolctl import threadpool_limits

RESULTS = Path(__file__).parent / "results"
OURS, PEERS, COLUMNS = "#0072B2", ("#D55E00", "#009E73", "#CC79A7"), 3
HEADER = (
    *("family", "peer", "n", "k", "ours, ms", "peer, ms", "ratio"),
    *("residual", "peer's", "memory, %"),
)
TIMINGS = {
    "median": (time.perf_counter, median),
    "least processor time": (time.process_time, min),
}


def seconds(function, clock) -> float:
    """Return the time of one call."""
    start = clock()
    function()
    return clock() - start


def extra_memory(case: Case) -> float:
    """Return the peak of what one call allocates, as a part of the input."""
    tracemalloc.start()
    case.ours()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / case.input_bytes


def turns(case: Case, rounds: int, clock) -> list[tuple[float, float]]:
    """Return the times of interleaved runs: so many, and more until a second has passed."""
    times, start = [], time.perf_counter()
    while len(times) < rounds or time.perf_counter() - start < 1:
        times.append((seconds(case.ours, clock), seconds(case.theirs, clock)))
    return times


def measure(case: Case, rounds: int, timing: str) -> dict:
    """Return the times of interleaved runs, after one warm-up of each, and what came out."""
    error, theirs = case.error(case.ours()), case.theirs()
    clock, summary = TIMINGS[timing]
    columns = zip(*turns(case, rounds, clock), strict=True)
    ours_s, theirs_s = (summary(column) for column in columns)
    return {
        "family": case.family,
        "peer": case.peer,
        "n": case.n,
        "k": case.k,
        "timing": timing,
        "ours_ms": 1e3 * ours_s,
        "peer_ms": 1e3 * theirs_s,
        "ratio": theirs_s / ours_s,
        "residual": error,
        "peer_residual": case.peer_error(theirs) if case.peer_error else None,
        "extra_memory": extra_memory(case),
    }


def row(result: dict) -> str:
    """Return one line of the table, in Markdown."""
    cells = (
        result["family"],
        result["peer"],
        str(result["n"]),
        str(result["k"] or ""),
        f"{result['ours_ms']:.1f}",
        f"{result['peer_ms']:.1f}",
        f"{result['ratio']:.2f}",
        f"{result['residual']:.0e}",
        shown(result),
        f"{100 * result['extra_memory']:.1f}",
    )
    return "| " + " | ".join(cells) + " |"


def shown(result: dict) -> str:
    """Return the residual of the peer's result, where it was measured."""
    found = result.get("peer_residual")
    return "" if found is None else f"{found:.0e}"


def machine() -> dict:
    """Return what the figures depend on."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "processor": platform.machine(),
        "blas_threads": 1,
    }


def worst(results: list[dict]) -> str:
    """Return a table of the worst ratio of each family against each peer, in Markdown."""
    lines = [
        "| family | peer | worst ratio | at n | residual, peer's | where it is under 1 |",
        "|---|---|---|---|---|---|",
    ]
    for family, peer in dict.fromkeys((r["family"], r["peer"]) for r in results):
        rows = [r for r in results if (r["family"], r["peer"]) == (family, peer)]
        least = min(rows, key=lambda r: r["ratio"])
        under = ", ".join(f"n = {r['n']}: {r['ratio']:.2f}" for r in rows if r["ratio"] < 1)
        errors = ", ".join(filter(None, [f"{least['residual']:.0e}", shown(least)]))
        lines.append(
            f"| {family} | {peer} | {least['ratio']:.2f} | {least['n']} | {errors} | {under} |"
        )
    return "\n".join(lines)


def draw(results: list[dict], path: Path) -> None:
    """Save cost against n, one panel a family, for the families with several sizes."""
    mpl.rcParams.update(DRAWN)
    sizes = {family: set() for family in dict.fromkeys(r["family"] for r in results)}
    for result in results:
        sizes[result["family"]].add(result["n"])
    families = [family for family, found in sizes.items() if len(found) > 1]
    height = max(1, -(-len(families) // COLUMNS))
    figure = Figure(figsize=(10, 2.6 * height + 0.4), layout="constrained")
    axes = figure.subplots(height, COLUMNS, squeeze=False).flat
    for ax, family in zip(axes, families, strict=False):
        panel(ax, [r for r in results if r["family"] == family])
    for ax in list(axes)[len(families) :]:
        ax.set_visible(False)
    figure.supxlabel("number of points n", fontsize=9)
    figure.supylabel("time (ms), one BLAS thread", fontsize=9)
    save(figure, path)


def panel(ax: Axes, rows: list[dict]) -> None:
    """Draw one family: ours solid, each peer dashed."""
    for peer, colour in zip(dict.fromkeys(r["peer"] for r in rows), PEERS, strict=False):
        mine = [r for r in rows if r["peer"] == peer]
        ax.loglog(
            [r["n"] for r in mine], [r["peer_ms"] for r in mine], "s--", color=colour, label=peer
        )
    ax.loglog(
        [r["n"] for r in mine], [r["ours_ms"] for r in mine], "o-", color=OURS, label="kmds_lib"
    )
    sizes = [r["n"] for r in mine]
    ax.set_title(rows[0]["family"], fontsize=8)
    ax.set(xticks=sizes, xticklabels=sizes)
    ax.tick_params(labelsize=7)
    ax.minorticks_off()
    ax.legend(fontsize=6)


def stored(chosen: list[dict]) -> list[dict]:
    """Return the stored results of this machine, with the cases that were run in their place."""
    path = RESULTS / "results.json"
    before = json.loads(path.read_text("utf-8")) if path.exists() else {}
    old = before.get("results", []) if before.get("machine") == machine() else []
    cases = {(r["family"], r["peer"], r["n"]): r for r in [*old, *chosen]}
    families = list(dict.fromkeys(r["family"] for r in cases.values()))
    return sorted(cases.values(), key=lambda r: (families.index(r["family"]), r["n"]))


def main() -> None:
    """Run all families, or those named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", help="as cases.py names them; all by default")
    parser.add_argument("--rounds", type=int, default=5, help="fewest interleaved runs a case")
    parser.add_argument("--largest", type=int, default=10**6, help="skip cases with more points")
    parser.add_argument(
        "--busy", action="store_true", help="least processor time: for a machine with other work"
    )
    options = parser.parse_args()
    timing = "least processor time" if options.busy else "median"
    print("| " + " | ".join(HEADER) + " |")
    print("|" + "---|" * len(HEADER))
    results = []
    with threadpool_limits(1):
        for family in options.families or FAMILIES:
            for case in FAMILIES[family]():
                if case.n <= options.largest:
                    results.append(measure(case, options.rounds, timing))
                    print(row(results[-1]), flush=True)
    results = stored(results)
    print("\n" + worst(results))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "worst.md").write_text(worst(results) + "\n", "utf-8")
    report = {"machine": machine(), "results": results}
    write(report, RESULTS / "results.json")
    draw(results, RESULTS / "cost.svg")


if __name__ == "__main__":
    main()
