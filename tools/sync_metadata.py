"""Copy title, repository and address from `_config.yml` to other files (`make sync-metadata`).

The old values, which are replaced, are read from `CITATION.cff`, which is rewritten last.

Usage: python -m tools.sync_metadata
"""

import re

import yaml

from _ext.site_config import ROOT, read_site_config

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


def old_values(root):
    """Return the title, repository and site that the files contain now."""
    citation = yaml.safe_load((root / CITATION).read_text("utf-8"))
    return citation["title"], citation["repository-code"], citation["url"]


def replace_values(text, old, new):
    """Return the text with the old title, repository and site replaced by the new ones."""
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


def outdated_files(root):
    """Return path -> new text for the files that do not agree with `_config.yml`."""
    old, new, found = old_values(root), read_site_config(root), {}
    for pattern in FILES:
        for path in sorted(root.glob(pattern)):
            text = path.read_text("utf-8")
            if replace_values(text, old, new) != text:
                found[path] = replace_values(text, old, new)
    return found


def main():
    """Rewrite the outdated files and print their names."""
    for path, text in outdated_files(ROOT).items():
        print(path.relative_to(ROOT))
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
