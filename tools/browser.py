"""Fetch the pinned browser libraries with npm, so that the site asks no other host for them.

`npm pack` gets one archive a library; `npm install` would bring 150 MB of dependencies that the
bundles already contain. The pins are those of _ext/package.json.
"""

import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

PINS = Path(__file__).resolve().parent.parent / "_ext" / "package.json"
TARGET = PINS.parent / "browser"
WANTED = {
    "@jupyter-widgets/html-manager": ["dist/embed-amd.js", "dist/*.woff2"],
    "anywidget": ["dist/index.js"],
    "axe-core": ["axe.min.js"],
    "katex": ["dist/katex.min.js"],
    "mathjax": [
        "es5/tex-chtml.js",
        "es5/input/tex/extensions/*.js",
        "es5/output/chtml/fonts/woff-v2/*.woff",
    ],
    "requirejs": ["require.js"],
}


def fetch(name, version, folder):
    """Put the wanted files of one library under a folder, by their paths in the package.

    Parameters
    ----------
    name, version : str
        The npm package.
    folder : pathlib.Path
        Where to put them.
    """
    with tempfile.TemporaryDirectory() as scratch:
        packed = subprocess.run(
            ["npm", "pack", "--silent", f"{name}@{version}"],
            cwd=scratch,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        with tarfile.open(Path(scratch, packed.stdout.strip())) as archive:
            archive.extractall(scratch, filter="data")
        package = Path(scratch, "package")
        for pattern in WANTED[name]:
            for source in package.glob(pattern):
                target = folder / source.relative_to(package)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(source, target)


def main():
    """Fetch all libraries, or say that the built site will use public servers."""
    shutil.rmtree(TARGET, ignore_errors=True)
    if shutil.which("npm") is None:
        print("npm not found: the site will load its browser libraries from public servers.")
        return
    pins = json.loads(PINS.read_text())
    for part, names in {"site/vendor": "dependencies", "tests": "devDependencies"}.items():
        for name, version in pins[names].items():
            fetch(name, version, TARGET / part / name)
    shutil.copy(PINS, TARGET)


if __name__ == "__main__":
    main()
