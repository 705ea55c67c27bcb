"""Execute chapters and store them in the form that is committed (`make chapters`).

Text outputs and execution counts are kept, so that readers on GitHub see results and tests can
compare them. Images, widget state and machine-dependent metadata are removed; building the book
produces them again.

Usage: python -m tools.chapters [chapters/NN-name.ipynb ...]
"""

import argparse
import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import execute

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
NOT_STORED = (
    "image/",
    "application/vnd.jupyter.widget-view+json",
    "application/papermill.record/",
)
CELL_METADATA = ("mystnb", "tags")
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
UNSTABLE = {
    "a memory address": re.compile(r"\b0x[0-9a-f]{6,}"),
    "a path of this machine": re.compile(r"(?<![\w.])/(?:tmp|home|root|usr|work|Users)/\S+"),
    "rounding noise": re.compile(r"\d\.\d+e-1[4-9]|(?<![\w.])0\.0{6,}(?!\d)"),
    "a zero with a sign": re.compile(r"(?<![\w.])-0\.?0*(?![\w.])"),
}


def keep_text_outputs(outputs):
    """Return the text outputs of a cell, with tracebacks reduced to their last line.

    Pictures, widgets and glued values are removed together with their text alternatives.
    """
    kept = []
    for output in outputs:
        if any(mime.startswith(NOT_STORED) for mime in output.get("data", {})):
            continue
        output = nbformat.from_dict({**output})
        if "metadata" in output:
            output.metadata = {}
        if output.output_type == "error":
            output.traceback = [f"{output.ename}: {output.evalue}"]
        kept.append(output)
    return kept


def find_unstable_text(outputs):
    """Return a description of each text that would differ on another machine."""
    unstable = []
    for output in outputs:
        texts = [output.get("text", ""), *output.get("data", {}).values()]
        for text in filter(lambda item: isinstance(item, str), texts):
            for kind, pattern in UNSTABLE.items():
                unstable += [f"{kind}: {match[0]}" for match in pattern.finditer(text)]
    return unstable


def canonicalise(notebook):
    """Convert an executed notebook to its committed form, in place, and return it."""
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
        cell.pop("attachments", None)
        if cell.cell_type == "code":
            cell.outputs = keep_text_outputs(cell.outputs)
    return notebook


def execute_and_store(path):
    """Execute and store one chapter; return descriptions of outputs that are not reproducible."""
    notebook = nbformat.read(path, as_version=4)
    execute(
        notebook,
        timeout=600,
        kernel_name="python3",
        cwd=str(path.parent),
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
    )
    canonicalise(notebook)
    nbformat.validate(notebook)
    nbformat.write(notebook, path)
    return [
        f"{path.name}, code cell {cell.execution_count} prints {text}"
        for cell in notebook.cells
        if cell.cell_type == "code"
        for text in find_unstable_text(cell.outputs)
    ]


def main():
    """Execute and store the chapters named on the command line, or all chapters."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, help="default: every chapter")
    paths = parser.parse_args().paths or CHAPTERS
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    problems = []
    for path in paths:
        print(path, flush=True)
        problems += execute_and_store(path.resolve())
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
