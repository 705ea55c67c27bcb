"""Carry title, repository and address from `_config.yml` to the files that cannot read them there.

`CITATION.cff` says what these files say now, and is rewritten last.

Usage: python -m tools.sync_metadata
"""

import re

import yaml

from _ext.site_config import ROOT, read_address

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
    """Return a text with the new address in the place of the old title, repository and site."""
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
    """Rewrite the files that are behind, and name them."""
    for path, text in behind(ROOT).items():
        print(path.relative_to(ROOT))
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
