"""Run the chapters and the library's tests as other processors would.

What a chapter prints is compared with what is stored, as `make test` does. OpenBLAS and NumPy
choose their code by processor; the environment can choose for them.

Usage: python -m tools.processors [chapters/NN-name.ipynb ...] [--kernels NAME ...]
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tools.chapters import CHAPTERS, ROOT

KERNELS = {
    "plainest": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    },
    "sandybridge": {"OPENBLAS_CORETYPE": "Sandybridge"},
    "haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "skylakex": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "threads": {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"},
}
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"}
NEEDED = {
    "plainest": "sse4_2",
    "sandybridge": "avx",
    "haswell": "avx2",
    "skylakex": "avx512f",
}
LOADED = """
import numpy
from threadpoolctl import threadpool_info
print(*{f"{blas['architecture']}x{blas['num_threads']}" for blas in threadpool_info()})
"""


def lacking(kernel):
    """Return the instructions that a kernel needs and this processor lacks, or an empty text."""
    needed, told = NEEDED.get(kernel, ""), Path("/proc/cpuinfo")
    known = told.read_text().split() if told.exists() else []
    return "" if not needed or needed in known else needed


def fails(kernel, *command):
    """Run Python in the environment that makes NumPy load a kernel; tell whether it fails."""
    environ = os.environ | ONE_THREAD | KERNELS[kernel]
    return subprocess.run([sys.executable, *command], cwd=ROOT, env=environ).returncode != 0


def differs(kernel, paths):
    """Tell whether a chapter prints something else under a kernel."""
    spread = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder")
    return fails(kernel, "-m", "pytest", "-q", "--nbval", *spread, *paths)


def main():
    """Try each kernel; fail when a chapter prints something else or a test fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "paths", nargs="*", type=Path, help="default: every chapter, and the library's tests"
    )
    parser.add_argument("--kernels", nargs="*", choices=KERNELS, default=list(KERNELS))
    asked = parser.parse_args()
    # The last chapters take longest.
    paths, wrong = asked.paths or CHAPTERS[::-1], False
    for kernel in asked.kernels:
        if lacking(kernel):
            print(f"{kernel}: not run, this processor lacks {lacking(kernel)}")
            continue
        print(f"{kernel}:", end=" ", flush=True)
        fails(kernel, "-c", LOADED)
        wrong |= differs(kernel, paths)
        if not asked.paths:
            wrong |= fails(kernel, "-m", "pytest", "-q", "-n", "2", "tests/lib")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
