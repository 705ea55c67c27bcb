"""Put together what Binder and Colab open: the portable notebooks and what they need to run.

The build of the book has written the notebooks beside its pages. Here they come together with the
library and with what Binder installs, in `_build/portable`, at the paths that the launch buttons
name. The publishing workflow stores this folder under a tag of its own.

Usage: python -m tools.portable [--release vX.Y.Z]
"""

import argparse
import shutil
import sys
from pathlib import Path

from _ext.site_config import ROOT, read_address

BUILT = ROOT / "_build" / "html" / "notebooks"
TARGET = ROOT / "_build" / "portable"
BESIDE = ("binder", "kmds_figures", "kmds_lib", "pyproject.toml", "LICENSE", "LICENSE-text")
README = """\
# {0.title}: the notebooks

The chapters of [{0.title}]({0.site}) as notebooks that read well anywhere, with the library
`kmds_lib`. They are made from the release {0.release} of
[the book's repository]({0.repository}), where changes are welcome. Nothing here is written by
hand.
"""


def put_together(built, target):
    """Write the folder that Binder and Colab open, anew; return its notebooks."""
    if not built.is_dir():
        raise FileNotFoundError(f"{built} does not exist: run `make book` first")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(built, target)
    for name in BESIDE:
        if (ROOT / name).is_dir():
            left_out = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, target / name, ignore=left_out)
        else:
            shutil.copy(ROOT / name, target / name)
    for data in (ROOT / "chapters").rglob("*.np[yz]"):
        shutil.copy(data, target / data.relative_to(ROOT))
    (target / "README.md").write_text(README.format(read_address()), "utf-8")
    return sorted(target.rglob("*.ipynb"))


def main():
    """Put the folder together, for the tag that was pushed if one is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", help="the tag that is published; it must fit the version")
    pushed, expected = parser.parse_args().release, read_address().release
    if pushed not in (None, expected):
        sys.exit(f"The tag {pushed} is published, but pyproject.toml makes it {expected}.")
    notebooks = put_together(BUILT, TARGET)
    print(f"{len(notebooks)} notebooks in {TARGET.relative_to(Path.cwd())}")


if __name__ == "__main__":
    main()
