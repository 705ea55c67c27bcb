"""Storage of results and figures in a form whose differences in Git are short."""

import json
import re
from pathlib import Path

RC_PARAMS = {
    "svg.hashsalt": "benchmarks",
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 10,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def rounded(value):
    """Round all floating-point numbers of a result to six significant digits."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def write(report: dict, path: Path) -> None:
    """Write a report as JSON with one result per line."""
    *head, (_, results) = rounded(report).items()
    lines = [json.dumps(dict(head))[:-1] + ', "results": [', *map(json.dumps, results)]
    path.write_text(lines[0] + "\n" + ",\n".join(lines[1:]) + "\n]}\n", "utf-8")


def save(figure, path: Path) -> None:
    """Save a figure as SVG with two decimals per coordinate and one panel per line."""
    figure.savefig(path, metadata={"Date": None})
    text = re.sub(r"(?<!scale\(0)(\.\d\d)\d+", r"\1", path.read_text("utf-8"))
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    path.write_text(re.sub(r"(?<=>)\n(?! *<g id=\"axes) *|\n(?! *<)", "", text), "utf-8")
