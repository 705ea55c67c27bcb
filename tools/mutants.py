"""Plant small faults in the library, one at a time, and list those that no test sees.

A fault is a comparison, a sign, a constant, an operator or an ``and`` changed for its neighbour.
Each is tried in a copy of the project, against the tests of its module, until the first fails.

Usage: python tools/mutants.py [--modules gram kernels ...] [--each N] [--seed S]
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("kmds_lib", "tests", "tools", "conftest.py", "pyproject.toml", "README.md")
TESTS = {
    "_checks": ["checks", "odd_input"],
    "_eigen": ["eigen", "classical"],
    "additive": ["additive", "classical"],
    "classical": ["classical", "odd_input"],
    "embedding": ["embedding", "classical", "kernel_components", "principal"],
    "gram": ["gram", "odd_input"],
    "kernel_components": ["kernel_components", "odd_input"],
    "kernel_scaling": ["kernel_scaling", "odd_input"],
    "kernels": ["kernels", "kernel_components", "kernel_scaling"],
    "latent": ["latent", "odd_input"],
    "linalg": ["linalg", "odd_input"],
    "principal": ["principal", "latent", "odd_input"],
}
SWAPS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
SECONDS = 300


def swapped(node):
    """Yield functions, each of which plants one fault in the node."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            if type(op) in SWAPS:
                yield lambda i=i, op=op: node.ops.__setitem__(i, SWAPS[type(op)]())
    elif isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)) and type(node.op) in SWAPS:
        yield lambda: setattr(node, "op", SWAPS[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield lambda: setattr(node, "op", ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield lambda: setattr(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield lambda: setattr(node, "value", node.value + 1 if node.value in (0, 1) else 0)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda: setattr(node, "value", not node.value)


def places(tree):
    """Return the nodes of a module that do something: no annotations, docstrings, messages."""
    left_out = set()
    for node in ast.walk(tree):
        parts = []
        if isinstance(node, (ast.Raise, ast.JoinedStr, ast.ImportFrom, ast.Import)):
            parts = [node]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            parts = list(node.decorator_list)
        if isinstance(node, ast.FunctionDef):
            parts += [
                node.returns,
                *(arg.annotation for arg in ast.walk(node.args) if is_arg(arg)),
            ]
        elif isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        for part in filter(None, parts):
            left_out.update(map(id, ast.walk(part)))
    return [node for node in ast.walk(tree) if id(node) not in left_out]


def is_arg(node):
    """Tell whether a node is a parameter."""
    return isinstance(node, ast.arg)


def faults(source):
    """Return (line, before, after, text of the module) for each fault that can be planted."""
    found = []
    count = sum(len(list(swapped(node))) for node in places(ast.parse(source)))
    for number in range(count):
        tree = ast.parse(source)
        steps = [(node, step) for node in places(tree) for step in swapped(node)]
        node, plant = steps[number]
        before = ast.unparse(node)
        plant()
        found.append((node.lineno, before, ast.unparse(node), ast.unparse(tree)))
    return found


def caught(folder, module, text):
    """Tell whether a test of the module fails with this text in its place."""
    path = folder / "kmds_lib" / f"{module}.py"
    original = path.read_text("utf-8")
    path.write_text(text, "utf-8")
    tests = [f"tests/lib/test_{name}.py" for name in TESTS[module]]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS)
        return done.returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(original, "utf-8")


def main():
    """Try faults in the modules named, and print a table and those that nobody saw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modules", nargs="*", default=sorted(TESTS), help="default: all")
    parser.add_argument("--each", type=int, default=20, help="faults a module")
    parser.add_argument("--seed", type=int, default=0, help="which faults are drawn")
    options = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "project"
        folder.mkdir()
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, folder / name)
        for module in options.modules:
            every = faults((folder / "kmds_lib" / f"{module}.py").read_text("utf-8"))
            chosen = random.Random(options.seed).sample(every, min(options.each, len(every)))
            missed = [f for f in chosen if not caught(folder, module, f[3])]
            print(f"{module}: {len(chosen) - len(missed)} of {len(chosen)} caught", flush=True)
            for line, before, after, _ in sorted(missed):
                print(f"    line {line}: {before}  ->  {after}", flush=True)


if __name__ == "__main__":
    main()
