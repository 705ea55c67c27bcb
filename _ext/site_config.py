"""Read title, repository, address and version of the book, and derive its links from them.

The title, the repository with its branch and the address of the published pages come from
`_config.yml` (keys `title`, `repository` and `html: baseurl`), the version from `pyproject.toml`.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import yaml

from _ext.event_order import SET_THEME_OPTIONS

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class SiteConfig:
    """Title, repository, branch, address of the published pages, and version of the book."""

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
        """Return the git tag of the release."""
        return f"v{self.version}"

    @property
    def notebooks(self):
        """Return the git tag with the portable notebooks, which Binder and Colab open."""
        return f"notebooks-v{self.version}"

    @property
    def archive(self):
        """Return the URL of the archive from which pip installs the library and the widgets.

        The widgets have been built in it; in the repository, their sources need Node.
        """
        return f"{self.repository}/archive/refs/tags/{self.notebooks}.tar.gz"

    @property
    def pdf(self):
        """Return the URL of the published PDF."""
        words = "".join(sign if sign.isalnum() else " " for sign in self.title.lower()).split()
        return f"{self.site}{'-'.join(words)}.pdf"

    def page(self, docname):
        """Return the URL of the published page of a document."""
        return f"{self.site}{docname}.html"

    def binder(self, docname):
        """Return the link that opens a notebook on Binder."""
        base = f"https://mybinder.org/v2/gh/{self.owner_and_name}/{self.notebooks}"
        return f"{base}?urlpath=lab/tree/{docname}.ipynb"

    def colab(self, docname):
        """Return the link that opens a notebook in Colab."""
        base = f"https://colab.research.google.com/github/{self.owner_and_name}"
        return f"{base}/blob/{self.notebooks}/{docname}.ipynb"


def read_site_config():
    """Return the configuration of the book."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    repository, site = config["repository"], config["html"]["baseurl"]
    return SiteConfig(
        config["title"], repository["url"], repository["branch"], site, project["version"]
    )


def read_pins(path="requirements.txt"):
    """Return the pinned version of each package of a requirements file."""
    lines = (ROOT / path).read_text("utf-8").splitlines()
    pins = (line.partition(" ;")[0] for line in lines if line and not line.startswith("#"))
    return dict(pin.split("==") for pin in pins)


def listed_packages():
    """Return the names of the packages that the project itself uses."""
    lines = (ROOT / "requirements.in").read_text("utf-8").splitlines()
    return sorted(line.partition("<")[0] for line in lines if line and not line.startswith("#"))


def set_theme_options(app, config):
    """Copy title, repository and address into the options of the theme."""
    site = read_site_config()
    config.html_theme_options |= {
        "logo": {"text": site.title},
        "repository_url": site.repository,
        "repository_branch": site.branch,
    }
    config.ogp_site_url, config.ogp_site_name = site.site, site.title


def setup(app):
    """Register the extension."""
    app.connect("config-inited", set_theme_options, priority=SET_THEME_OPTIONS)
