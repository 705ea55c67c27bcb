"""The one place of the book's address, `_config.yml`, and what follows from it.

The keys `title`, `repository` and `html: baseurl` hold the title, the repository with its branch
and the address of the published pages. The version comes from `pyproject.toml`.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
ON_GITHUB = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class Address:
    """Where the book lives: title, repository, its branch, published pages and version."""

    title: str
    repository: str
    branch: str
    site: str
    version: str

    @property
    def owner_and_name(self):
        """Return the repository as "owner/name"."""
        return self.repository.removeprefix("https://github.com/")

    @property
    def release(self):
        """Return the tag of the release."""
        return f"v{self.version}"

    @property
    def notebooks(self):
        """Return the tag that Binder and Colab open: portable notebooks, library, `binder/`."""
        return f"notebooks-v{self.version}"

    @property
    def archive(self):
        """Return what pip installs the library of the release from."""
        return f"{self.repository}/archive/refs/tags/{self.release}.tar.gz"

    @property
    def pdf(self):
        """Return the published file of the whole book."""
        return f"{self.site}{re.sub(r'[^a-z0-9]+', '-', self.title.lower()).strip('-')}.pdf"

    def page(self, docname):
        """Return the published page of a document."""
        return f"{self.site}{docname}.html"

    def binder(self, docname):
        """Return the link that opens a notebook on Binder."""
        place = f"https://mybinder.org/v2/gh/{self.owner_and_name}/{self.notebooks}"
        return f"{place}?urlpath=lab/tree/{docname}.ipynb"

    def colab(self, docname):
        """Return the link that opens a notebook in Colab."""
        place = f"https://colab.research.google.com/github/{self.owner_and_name}"
        return f"{place}/blob/{self.notebooks}/{docname}.ipynb"


def read_address(root=ROOT):
    """Read the address of the book in a folder, and say which key is wrong."""
    path = Path(root) / "_config.yml"
    config = yaml.safe_load(path.read_text("utf-8"))
    repository = str((config.get("repository") or {}).get("url") or "").rstrip("/")
    site = str((config.get("html") or {}).get("baseurl") or "")
    if not ON_GITHUB.fullmatch(repository):
        raise ValueError(
            f"{path}, key repository: url is {repository!r}, but Binder, Colab and the issue "
            "links need a repository of the form https://github.com/owner/name"
        )
    if not re.fullmatch(r"https?://\S+/", site):
        raise ValueError(
            f"{path}, key html: baseurl is {site!r}, but the published pages need an address "
            "that begins with https:// and ends with a slash"
        )
    project = tomllib.loads((Path(root) / "pyproject.toml").read_text("utf-8"))["project"]
    branch = config["repository"].get("branch", "main")
    return Address(config["title"], repository, branch, site, project["version"])


def fill_theme(app, config):
    """Give the theme what it shows of the address."""
    address = read_address()
    config.html_theme_options |= {
        "logo": {"text": address.title},
        "repository_url": address.repository,
        "repository_branch": address.branch,
    }
    config.ogp_site_url, config.ogp_site_name = address.site, address.title


def setup(app):
    """Register the extension."""
    # Before the theme reads its options (500).
    app.connect("config-inited", fill_theme, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
