"""Test the library on the oldest dependencies that pyproject.toml allows.

They are installed into an environment of their own, _build/floors, so that .venv keeps its pins.

Usage: python -m tools.floors
"""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "_build" / "floors"
PYTHON = ENVIRONMENT / "bin" / "python"
# What the tests import besides: the newest that goes with these versions.
BESIDE = [
    "cvxpy",
    "dask[array]",
    "distributed",
    "hypothesis",
    "mypy",
    "pandas",
    "pytest",
    "pytest-xdist",
    "tqdm",
]


def oldest(bounds):
    """Return requirements that allow the lower bounds alone, each with its corrections."""
    return [bound.replace(">=", "==") + ".*" for bound in bounds]


def install(*requirements):
    """Install requirements into the environment."""
    print("Installing", *requirements, flush=True)
    uv = [Path(sys.executable).with_name("uv"), "pip", "install", "--quiet", "--system-certs"]
    subprocess.run([*uv, "--python", PYTHON, *requirements], cwd=ROOT, check=True)


def fails(*tests):
    """Run tests; tell whether one fails. No conftest is read that needs the other pins."""
    pytest = [PYTHON, "-m", "pytest", "-q", "-n", "2", "-W", "default", "--confcutdir", "tests"]
    return subprocess.run([*pytest, *tests], cwd=ROOT).returncode != 0


def main():
    """Test on the oldest NumPy and SciPy, and the estimators on the oldest scikit-learn too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = oldest(project["dependencies"])
    subprocess.run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT], check=True)
    install(*needed, *BESIDE, "scikit-learn")
    install("--no-deps", "--editable", ".")
    failed = [fails("tests/lib")]
    install(*needed, *oldest(project["optional-dependencies"]["sklearn"]))
    failed.append(fails("tests/lib/test_sklearn.py"))
    sys.exit(any(failed))


if __name__ == "__main__":
    main()
