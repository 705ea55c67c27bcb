"""Time the library against other implementations and store the results."""

import argparse
import platform
import time
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
import scipy
import sklearn
from threadpoolctl import threadpool_limits

from benchmarks.cases import FAMILIES, Case

RESULTS = Path(__file__).parent / "results"
TIMINGS = {
    "median": (time.perf_counter, median),
    "minimum CPU time": (time.process_time, min),
}


def seconds(function, clock) -> float:
    """Return the time of one call in seconds."""
    start = clock()
    function()
    return clock() - start


def extra_memory(case: Case) -> float:
    """Return the peak memory that one call allocates, divided by the size of the input."""
    tracemalloc.start()
    case.ours()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / case.input_bytes


def interleaved_times(case: Case, rounds: int, clock) -> list[tuple[float, float]]:
    """Run the library and the peer alternately, for `rounds` rounds and at least one second."""
    times, start = [], time.perf_counter()
    while len(times) < rounds or time.perf_counter() - start < 1:
        times.append((seconds(case.ours, clock), seconds(case.theirs, clock)))
    return times


def measure(case: Case, rounds: int, timing: str) -> dict:
    """Return the times, residuals and memory of a case, after one warm-up run of each side."""
    error, theirs = case.error(case.ours()), case.theirs()
    clock, summary = TIMINGS[timing]
    columns = zip(*interleaved_times(case, rounds, clock), strict=True)
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


def markdown_row(cells: Iterable) -> str:
    """Format cells as a row of a Markdown table, with three digits for each real number."""
    texts = (f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in cells)
    return f"| {' | '.join(texts)} |"


def machine() -> str:
    """Return the versions and the hardware that the results depend on."""
    return (
        f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}, processor {platform.machine()}, one BLAS thread"
    )


def worst_ratios(results: list[dict]) -> str:
    """Return a Markdown table of the smallest ratio of each family against each peer."""
    lines = [
        "| method and data | other program | smallest ratio | at n | ratios below 1 | residuals |",
        "|:--|:--|--:|--:|--:|--:|",
    ]
    for family, peer in dict.fromkeys((r["family"], r["peer"]) for r in results):
        rows = [r for r in results if (r["family"], r["peer"]) == (family, peer)]
        least = min(rows, key=lambda r: r["ratio"])
        residuals = least["residual"], least["peer_residual"]
        errors = ", ".join(f"{error:.0e}" for error in residuals if error is not None)
        name = family.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
        under = f"{sum(r['ratio'] < 1 for r in rows)} of {len(rows)}"
        ratio = f"{least['ratio']:.2f}"
        lines.append(markdown_row((name, peer, ratio, least["n"], under, errors)))
    return "\n".join(lines)


def main() -> None:
    """Measure all families and store the results, or measure some, named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "families", nargs="*", help="print only these, from FAMILIES in cases.py; default: all"
    )
    parser.add_argument("--rounds", type=int, default=5, help="minimum number of interleaved runs")
    parser.add_argument(
        "--busy", action="store_true", help="use the minimum CPU time, for a busy machine"
    )
    options = parser.parse_args()
    timing = "minimum CPU time" if options.busy else "median"
    results = []
    with threadpool_limits(1):
        for family in options.families or FAMILIES:
            for case in FAMILIES[family]():
                results.append(measure(case, options.rounds, timing))
                if len(results) == 1:
                    print(markdown_row(results[0]))
                    print(markdown_row(["---"] * len(results[0])))
                print(markdown_row(results[-1].values()), flush=True)
    print("\n" + worst_ratios(results))
    if options.families:
        return
    (RESULTS / "worst.md").write_text(worst_ratios(results) + "\n", "utf-8")
    table = pd.DataFrame(results).to_csv(index=False, float_format="%.6g")
    (RESULTS / "results.csv").write_text(f"# {machine()}\n{table}", "utf-8")


if __name__ == "__main__":
    main()
