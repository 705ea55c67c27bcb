"""How results and drawings are stored: in few lines, which change with the numbers alone."""

import json
import re
from pathlib import Path

DRAWN = {
    "svg.hashsalt": "benchmarks",
    "svg.fonttype": "none",
    "font.sans-serif": ["DejaVu Sans"],
}


def rounded(value):
    """Return a result with six digits of each number."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def write(report: dict, path: Path) -> None:
    """Store a report, one result a line."""
    *head, (_, results) = rounded(report).items()
    lines = [json.dumps(dict(head))[:-1] + ', "results": [', *map(json.dumps, results)]
    path.write_text(lines[0] + "\n" + ",\n".join(lines[1:]) + "\n]}\n", "utf-8")


def save(figure, path: Path) -> None:
    """Store a drawing as SVG: hundredths of a point, a panel a line."""
    figure.savefig(path, metadata={"Date": None})
    text = re.sub(r"(\.\d\d)\d+", r"\1", path.read_text("utf-8"))
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    path.write_text(re.sub(r"(?<=>)\n(?! *<g id=\"axes) *|\n(?! *<)", "", text), "utf-8")
