"""Run the chapters and the library's tests as other processors would.

What a chapter prints is compared with what is stored. OpenBLAS and NumPy choose their code by
processor; the environment can choose for them.

Usage: python -m tools.processors [--kernels NAME ...] [chapters/NN-name.ipynb ...]
"""

import argparse
import copy
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError
from threadpoolctl import threadpool_info

from tools.chapters import CHAPTERS, ROOT, execute, text_only
from tools.outputs import as_stored

SEVERAL_THREADS = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
KERNELS = {
    "plainest": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    },
    "sandybridge": {"OPENBLAS_CORETYPE": "Sandybridge"},
    "haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "skylakex": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "threads": SEVERAL_THREADS,
}
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"}
NEEDED = {
    "plainest": "sse4_2",
    "sandybridge": "avx",
    "haswell": "avx2",
    "skylakex": "avx512f",
}


def environment(kernel):
    """Return the environment that makes NumPy load a kernel."""
    return os.environ | ONE_THREAD | KERNELS[kernel]


def lacking(kernel):
    """Return the instructions that a kernel needs and this processor lacks, or an empty text."""
    needed, told = NEEDED.get(kernel, ""), Path("/proc/cpuinfo")
    known = told.read_text().split() if told.exists() else []
    return "" if not needed or needed in known else needed


def loaded(kernel):
    """Return the name of the BLAS kernel that NumPy loads in this environment."""
    ask = "import numpy; from tools import processors as p; print(*p.architectures())"
    run = subprocess.run(
        [sys.executable, "-c", ask],
        env=environment(kernel),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return run.stdout.strip()


def architectures():
    """Return the kernels and the thread counts of the BLAS libraries that are loaded."""
    return sorted({f"{b['architecture']}x{b['num_threads']}" for b in threadpool_info()})


def differences(path, kernel):
    """Return what one chapter prints differently, and the cells that needed the last digit."""
    stored = nbformat.read(path, as_version=4)
    new = copy.deepcopy(stored)
    try:
        execute(new, path.parent, 1200, env=environment(kernel))
    except CellExecutionError as error:
        return [f"{path.name} stops:\n{error}"], []
    pairs = zip(stored.cells, new.cells, strict=True)
    return compared(path.name, [pair for pair in pairs if pair[0].cell_type == "code"])


def compared(name, cells):
    """Return which code cells, stored and new, differ, and which differ by a last digit alone."""
    worse, touched = [], []
    for i, pair in enumerate(cells):
        stored, found = (text_only(cell.outputs) for cell in pair)
        for output in [*stored, *found]:
            output.pop("execution_count", None)
        if found == stored:
            continue
        if as_stored(copy.deepcopy(found), stored) == stored:
            touched.append(i)
        else:
            worse.append(f"{name}, code cell {i}:\n{shown(stored)}\n---\n{shown(found)}")
    return worse, touched


def shown(outputs):
    """Return the text of outputs."""
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]
    return "\n".join(texts).strip()


def chapters_differ(paths, kernel):
    """Run chapters under a kernel and say what differs; tell whether something does."""
    with ThreadPoolExecutor(1 if kernel == "threads" else 2) as pool:
        found = list(pool.map(partial(differences, kernel=kernel), paths))
    worse = [fault for faults, _ in found for fault in faults]
    print(f"{kernel} ({loaded(kernel)}): {len(worse)} cells print something else", flush=True)
    for path, (_, touched) in zip(paths, found, strict=True):
        if touched:
            print(f"  {path.stem}: last digit, code cells {', '.join(map(str, touched))}")
    print(*worse, sep="\n\n", end="\n" if worse else "", flush=True)
    return bool(worse)


def tests_fail(kernel):
    """Run the library's tests under a kernel; tell whether one fails."""
    program = [sys.executable, "-m", "pytest", "-q", "-n", "2", "tests/lib"]
    return subprocess.run(program, cwd=ROOT, env=environment(kernel)).returncode != 0


def main():
    """Try each kernel; fail when a chapter prints something else or a test fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "paths", nargs="*", type=Path, help="default: every chapter, and the library's tests"
    )
    parser.add_argument("--kernels", nargs="*", choices=KERNELS, default=list(KERNELS))
    asked = parser.parse_args()
    # The last chapters take longest.
    paths = [path.resolve() for path in asked.paths] or CHAPTERS[::-1]
    wrong = False
    for kernel in asked.kernels:
        if lacking(kernel):
            print(f"{kernel}: not run, this processor lacks {lacking(kernel)}")
            continue
        wrong |= chapters_differ(paths, kernel)
        if not asked.paths:
            wrong |= tests_fail(kernel)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
