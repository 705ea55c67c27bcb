"""Time the library against other implementations and store the results as a table and a figure."""

import argparse
import platform
import re
import time
import tracemalloc
from pathlib import Path
from statistics import median

import matplotlib as mpl
import numpy as np
import pandas as pd
import scipy
import sklearn
from cases import FAMILIES, Case
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

RESULTS = Path(__file__).parent / "results"
LIBRARY_COLOUR = "#0072B2"
PEER_COLOURS = "#D55E00", "#009E73", "#CC79A7"
PANELS_PER_ROW = 2
HEADER = (
    *("family", "peer", "n", "k", "ours, ms", "peer, ms", "ratio"),
    *("residual", "peer's", "memory, %"),
)
RC_PARAMS = {
    "svg.hashsalt": "benchmarks",
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 10,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
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


def markdown_row(result: dict) -> str:
    """Format a result as a row of the Markdown table."""
    cells = (
        result["family"],
        result["peer"],
        str(result["n"]),
        str(result["k"] or ""),
        f"{result['ours_ms']:.1f}",
        f"{result['peer_ms']:.1f}",
        f"{result['ratio']:.2f}",
        f"{result['residual']:.0e}",
        peer_residual(result),
        f"{100 * result['extra_memory']:.1f}",
    )
    return "| " + " | ".join(cells) + " |"


def peer_residual(result: dict) -> str:
    """Format the residual of the peer's result; it is empty if it was not measured."""
    found = result.get("peer_residual")
    return "" if found is None else f"{found:.0e}"


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
        errors = ", ".join(filter(None, [f"{least['residual']:.0e}", peer_residual(least)]))
        name = family.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
        under = f"{sum(r['ratio'] < 1 for r in rows)} of {len(rows)}"
        cells = name, peer, f"{least['ratio']:.2f}", str(least["n"]), under, errors
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(results: list[dict], path: Path) -> None:
    """Plot time against n in a panel for each family with several sizes, and save it."""
    mpl.rcParams.update(RC_PARAMS)
    sizes = {family: set() for family in dict.fromkeys(r["family"] for r in results)}
    for result in results:
        sizes[result["family"]].add(result["n"])
    families = [family for family, found in sizes.items() if len(found) > 1]
    height = max(1, -(-len(families) // PANELS_PER_ROW))
    figure = Figure(figsize=(7, 2.4 * height + 0.6), layout="constrained")
    axes = list(figure.subplots(height, PANELS_PER_ROW, squeeze=False).flat)
    for ax, family in zip(axes, families, strict=False):
        plot_family(ax, [r for r in results if r["family"] == family])
    for ax in axes[len(families) :]:
        ax.set_visible(False)
    figure.legend(handles=figure.axes[0].lines[-1:], loc="outside upper center")
    save_svg(figure, path)


def plot_family(ax: Axes, rows: list[dict]) -> None:
    """Plot one family: a solid line for the library and a dashed line for each peer."""
    for peer, colour in zip(dict.fromkeys(r["peer"] for r in rows), PEER_COLOURS, strict=False):
        mine = [r for r in rows if r["peer"] == peer]
        ax.loglog(
            [r["n"] for r in mine], [r["peer_ms"] for r in mine], "s--", color=colour, label=peer
        )
    ax.loglog(
        [r["n"] for r in mine],
        [r["ours_ms"] for r in mine],
        "o-",
        color=LIBRARY_COLOUR,
        label="kmds_lib",
    )
    sizes = [r["n"] for r in mine]
    ax.set_title(rows[0]["family"], fontsize=11)
    ax.set(xticks=sizes, xticklabels=sizes, xlabel="number of points $n$", ylabel="time (ms)")
    ax.minorticks_off()
    bottom, top = ax.get_ylim()
    ax.set_ylim(top=top * (top / bottom) ** 0.4)  # space for the legend
    ax.legend(handles=ax.lines[:-1], loc="upper left")


def save_svg(figure, path: Path) -> None:
    """Save a figure as SVG with two decimals per coordinate and one panel per line."""
    figure.savefig(path, metadata={"Date": None})
    text = re.sub(r"(?<!scale\(0)(\.\d\d)\d+", r"\1", path.read_text("utf-8"))
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    path.write_text(re.sub(r"(?<=>)\n(?! *<g id=\"axes) *|\n(?! *<)", "", text), "utf-8")


def main() -> None:
    """Measure all families and store the results, or measure those on the command line."""
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
    print("| " + " | ".join(HEADER) + " |")
    print("|" + "---|" * len(HEADER))
    results = []
    with threadpool_limits(1):
        for family in options.families or FAMILIES:
            for case in FAMILIES[family]():
                results.append(measure(case, options.rounds, timing))
                print(markdown_row(results[-1]), flush=True)
    print("\n" + worst_ratios(results))
    if options.families:
        return
    (RESULTS / "worst.md").write_text(worst_ratios(results) + "\n", "utf-8")
    table = pd.DataFrame(results).to_csv(index=False, float_format="%.6g")
    (RESULTS / "results.csv").write_text(f"# {machine()}\n{table}", "utf-8")
    draw(results, RESULTS / "cost.svg")


if __name__ == "__main__":
    main()
