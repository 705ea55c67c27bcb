"""Assemble the folder that Binder and Colab open, in `_build/portable` (`make portable`).

It contains the portable notebooks, which the build of the book writes, the library and the
configuration of Binder. The publishing workflow pushes this folder under its own tag, to which the
launch buttons of the pages lead.

Usage: python -m tools.binder_folder [--release vX.Y.Z]
"""

import argparse
import shutil
import sys

from _ext.site_config import ROOT, read_site_config

BUILT = ROOT / "_build" / "html" / "notebooks"
TARGET = ROOT / "_build" / "portable"
COPIED = ("binder", "kmds_figures", "kmds_lib", "pyproject.toml", "LICENSE", "LICENSE-text")
README = """\
# {0.title}: the notebooks

The chapters of [{0.title}]({0.site}) as portable notebooks, with the library `kmds_lib`. They are
generated from release {0.release} of [the repository of the book]({0.repository}); please propose
changes there.
"""


def assemble(built, target):
    """Write the folder that Binder and Colab open; return the paths of its notebooks."""
    if not built.is_dir():
        raise FileNotFoundError(f"{built} does not exist: run `make book` first")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(built, target)
    for name in COPIED:
        if (ROOT / name).is_dir():
            left_out = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, target / name, ignore=left_out)
        else:
            shutil.copy(ROOT / name, target / name)
    (target / "README.md").write_text(README.format(read_site_config()), "utf-8")
    return sorted(target.rglob("*.ipynb"))


def main():
    """Assemble the folder; refuse a release tag that does not match the version."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", help="the tag that is published; it must match the version")
    pushed, expected = parser.parse_args().release, read_site_config().release
    if pushed not in (None, expected):
        sys.exit(f"The tag is {pushed}, but the version in pyproject.toml requires {expected}.")
    notebooks = assemble(BUILT, TARGET)
    print(f"{len(notebooks)} notebooks in {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
