"""Fetch the npm packages of the build and its tests: fonts, MathJax, a DOM for Node, axe, KaTeX.

`make setup` runs this script. Node and npm are installed from PyPI. The versions are pinned in
_ext/package.json. `npm pack` fetches one archive per package without its dependencies, which the
bundled files contain already.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PACKAGE_JSON = Path(__file__).resolve().parent.parent / "_ext" / "package.json"
TARGET = PACKAGE_JSON.parent / "browser"
NPM = Path(sys.executable).with_name("npm")
NEEDED_FILES = {
    "@fontsource/iosevka-charon-mono": [
        "files/*-latin-400-normal.woff2",
        "files/*-greek-400-normal.woff2",
    ],
    "@fontsource/stix-two-text": ["files/stix-two-text-latin*-[47]00-*.woff2"],
    "@mathjax/mathjax-stix2-font": ["package.json", "chtml.js", "chtml/*/*"],
    "axe-core": ["axe.min.js"],
    "katex": ["dist/katex.min.js"],
    "linkedom": ["worker.js"],
    "mathjax": ["*.*js*", "a11y/*.js", "adaptors/*.js", "input/**/*.js", "output/chtml.js"],
}


def fetch(name, version, folder):
    """Copy the needed files of one npm package into a folder, under their paths in the package."""
    with tempfile.TemporaryDirectory() as scratch:
        packed = subprocess.run(
            [NPM, "pack", "--silent", f"{name}@{version}"],
            cwd=scratch,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        with tarfile.open(Path(scratch, packed.stdout.strip())) as archive:
            # The filter rejects unsafe members; Debian's Python 3.11.2 does not have it.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(scratch)
        package = Path(scratch, "package")
        for pattern in NEEDED_FILES[name]:
            for source in package.glob(pattern):
                target = folder / source.relative_to(package)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(source, target)


def main():
    """Fetch all packages again into _ext/browser."""
    shutil.rmtree(TARGET, ignore_errors=True)
    pins = json.loads(PACKAGE_JSON.read_text())
    wanted = (pins["dependencies"] | pins["devDependencies"]).items()
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda pin: fetch(*pin, TARGET / "node_modules" / pin[0]), wanted))
    shutil.copy(PACKAGE_JSON, TARGET)


if __name__ == "__main__":
    main()
