"""Plant small faults in the library, one at a time, and list those that no test sees.

A fault is a comparison, a sign, a constant, an operator or an ``and`` changed for its neighbour.
Each is tried in a copy of the project, against the examples and tests of its module, until the
first of them fails. What cannot change a result is left out: annotations, messages, decorators,
and arguments such as ``check_finite`` that only save time.

Usage: python tools/mutants.py [--modules gram linalg ...] [--each N] [--seed S]
"""

import argparse
import ast
import doctest
import importlib
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = (
    "chapters",
    "kmds_figures",
    "kmds_lib",
    "tests",
    "tools",
    "conftest.py",
    "pyproject.toml",
    "README.md",
)
TESTS = {
    "_checks": ["checks", "odd_input", "kernels"],
    "_eigen": ["eigen", "classical"],
    "_estimators": ["sklearn"],
    "_fast.blocks": ["extension", "scale"],
    "_fast.cailliez": ["additive"],
    "_fast.descent": ["stress"],
    "_fast.distances": ["gram", "odd_input", "kernels"],
    "_fast.krylov": ["eigen", "classical"],
    "_fast.nearest": ["manifold"],
    "_fast.permutations": ["dependence"],
    "_fast.placement": ["stress", "sklearn"],
    "_fast.stress": ["stress"],
    "_kernel_tables": ["dependence", "odd_input"],
    "_metrics": ["proximities", "gram"],
    "_names": ["names"],
    "_starts": ["stress"],
    "additive": ["additive", "classical"],
    "classical": ["classical", "kernel_scaling", "odd_input"],
    "dependence": ["dependence", "odd_input", "rosetta"],
    "disparities": ["stress"],
    "embedding": ["embedding", "classical", "principal", "kernel_components"],
    "extension": ["extension", "odd_input", "scale"],
    "geodesic": ["manifold", "odd_input"],
    "gram": ["gram", "odd_input"],
    "graph_costs": ["manifold"],
    "kernel_components": ["kernel_components", "odd_input"],
    "kernel_fit": ["kernel_components", "kernel_scaling", "odd_input"],
    "kernel_scaling": ["kernel_scaling", "odd_input"],
    "kernels.algebra": ["kernels", "kernel_components"],
    "kernels.base": ["kernels", "kernel_components", "kernel_scaling"],
    "kernels.definiteness": ["kernels"],
    "kernels.families": ["kernels", "kernel_components", "kernel_scaling", "rosetta"],
    "kernels.values": ["kernels", "kernel_components"],
    "kernels.widths": ["sklearn"],
    "landmarks": ["extension", "odd_input", "scale", "manifold"],
    "laplacian": ["manifold", "odd_input"],
    "latent": ["latent", "odd_input"],
    "linalg": ["linalg", "odd_input"],
    "local_linear": ["manifold", "odd_input"],
    "losses": ["stress"],
    "neighbors": ["manifold"],
    "permutation": ["dependence"],
    "principal": ["principal", "latent", "odd_input"],
    "probabilistic": ["latent", "odd_input", "rosetta"],
    "similarities": ["proximities"],
    "sklearn": ["sklearn"],
    "stability": ["stability"],
    "stress": ["stress"],
    "two_samples": ["dependence", "odd_input", "rosetta"],
    "unfolding": ["manifold"],
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
NO_RESULT = {"check_finite", "overwrite_a", "overwrite_b", "full_matrices", "repr"}
"""Keyword arguments that save time or memory, or say what is printed."""

PRELOADED = ("pytest", "hypothesis", "nbval.plugin", "pandas", "scipy.stats", "sklearn.manifold")
"""Imported once; the process that tries a fault starts as a copy of this one."""

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
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield lambda: setattr(node, "value", node.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is float:
        yield lambda: setattr(node, "value", node.value + 1 if node.value in (0, 1) else 0.0)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda: setattr(node, "value", not node.value)


def idle_parts(node):
    """Return the parts of a node that change no result."""
    if isinstance(node, (ast.Raise, ast.JoinedStr)):
        return [node]
    if isinstance(node, ast.keyword) and node.arg in NO_RESULT:
        return [node]
    if isinstance(node, ast.ClassDef):
        return node.decorator_list
    if isinstance(node, ast.FunctionDef):
        return [*node.decorator_list, node.returns]
    if isinstance(node, (ast.arg, ast.AnnAssign)):
        return [node.annotation]
    return []


def places(tree):
    """Return the nodes of a module that do something."""
    parts = [part for node in ast.walk(tree) for part in idle_parts(node) if part]
    idle = {id(node) for part in parts for node in ast.walk(part)}
    return [node for node in ast.walk(tree) if id(node) not in idle]


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


def run_tests(folder, module):
    """Exit with 0 if the examples and the tests of a module pass in this folder."""
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    files = [f"tests/lib/test_{name}.py" for name in TESTS[module]]
    options = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain", f"--rootdir={folder}"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    with open(os.devnull, "w") as null:
        sys.stdout = sys.stderr = null
        planted = importlib.import_module(f"kmds_lib.{module}")
        failed = doctest.testmod(planted, optionflags=doctest.NORMALIZE_WHITESPACE).failed
        os._exit(failed or int(importlib.import_module("pytest").main([*options, *files])))


def path_of(folder, module):
    """Return where a module of the library lies."""
    return folder / "kmds_lib" / f"{module.replace('.', '/')}.py"


def caught(folder, module, text):
    """Tell whether an example or a test of the module fails with this text in its place."""
    path = path_of(folder, module)
    original = path.read_text("utf-8")
    path.write_text(text, "utf-8")
    fork = multiprocessing.get_context("fork")
    process = fork.Process(target=run_tests, args=(folder, module))
    process.start()
    process.join(SECONDS)
    process.kill()
    process.join()
    path.write_text(original, "utf-8")
    return process.exitcode != 0


def try_module(folder, module, each, seed):
    """Plant faults in one module, and print those that no test sees, then how many were caught."""
    source = path_of(folder, module).read_text("utf-8")
    if caught(folder, module, source):
        raise SystemExit(f"{module}: the tests fail before any fault is planted")
    every, lines = faults(source), source.splitlines()
    chosen = random.Random(seed).sample(every, min(each, len(every)))
    missed = 0
    for line, before, after, text in sorted(chosen):
        if not caught(folder, module, text):
            missed += 1
            place = f"    {line}: {lines[line - 1].strip()}"
            print(f"{place}\n        {before}  ->  {after}", flush=True)
    total = f"{len(chosen) - missed} of {len(chosen)} faults caught"
    print(f"{module}: {total}, {len(every)} possible", flush=True)


def main():
    """Try faults in the modules named, and print what no test sees."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modules", nargs="*", default=sorted(TESTS), help="default: all")
    parser.add_argument("--each", type=int, default=20, help="faults a module")
    parser.add_argument("--seed", type=int, default=0, help="which faults are drawn")
    options = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for name in PRELOADED:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "project"
        folder.mkdir()
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, folder / name)
        for module in options.modules:
            try_module(folder, module, options.each, options.seed)


if __name__ == "__main__":
    main()
