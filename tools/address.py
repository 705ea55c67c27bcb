"""Carry title, repository and address from `_config.yml` to the files that cannot read them there.

`CITATION.cff` says what these files say now, and is rewritten last. With --check nothing is
written: files that are behind are named, and the command fails.

Usage: python -m tools.address [--check]
"""

import argparse
import re
import sys
from pathlib import Path

import yaml

from _ext.book_address import ROOT, read_address

CITATION = "CITATION.cff"
LABORATORY = "kmds_figures/laboratory/__init__.py"
FILES = (
    "README.md",
    "CONTRIBUTING.md",
    "pyproject.toml",
    "chapters/**/*.md",
    LABORATORY,
    CITATION,
)


def written(root):
    """Return title, repository and site as the files have them."""
    citation = yaml.safe_load((root / CITATION).read_text("utf-8"))
    return citation["title"], citation["repository-code"], citation["url"]


def carried(text, old, new):
    """Return a text with another title, repository, branch and site.

    Parameters
    ----------
    text : str
        What a file holds.
    old : tuple of str
        The title, repository and site in it.
    new : book_address.Address
        What takes their place.
    """
    title, repository, site = old
    name, new_name = (url.rpartition("/")[2] for url in (repository, new.repository))
    text = re.sub(
        rf"{re.escape(repository)}/(blob|tree|edit)/[^/\s]+/",
        lambda found: f"{new.repository}/{found[1]}/{new.branch}/",
        text,
    )
    text = re.sub(rf"{re.escape(repository)}(?![\w.-])", lambda found: new.repository, text)
    text = text.replace(site, new.site).replace(f"cd {name}\n", f"cd {new_name}\n")
    return text.replace(title, new.title)


def behind(root):
    """Return path -> new text of the files that do not say what `_config.yml` says."""
    old, new, found = written(root), read_address(root), {}
    for pattern in FILES:
        for path in sorted(root.glob(pattern)):
            text = path.read_text("utf-8")
            if carried(text, old, new) != text:
                found[path] = carried(text, old, new)
    return found


def main():
    """Rewrite the files that are behind, or name them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if behind")
    check = parser.parse_args().check
    texts = behind(ROOT)
    for path, text in texts.items():
        print(path.relative_to(Path.cwd()))
        if not check:
            path.write_text(text, "utf-8")
    if check and texts:
        sys.exit("These files have an old address: run `make address`.")


if __name__ == "__main__":
    main()
