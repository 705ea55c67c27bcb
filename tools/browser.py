"""Fetch with npm what the build sets pages with: fonts, MathJax and a small DOM for Node.

Node and npm come from PyPI into the environment, whatever the machine has.

The pages themselves carry the fonts alone. `npm pack` gets one archive a package, without the
dependencies that the bundles already contain. The pins are those of _ext/package.json.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PINS = Path(__file__).resolve().parent.parent / "_ext" / "package.json"
TARGET = PINS.parent / "browser"
NPM = Path(sys.executable).with_name("npm")
WANTED = {
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
    """Put the wanted files of one npm package into a folder, by their paths in the package."""
    with tempfile.TemporaryDirectory() as scratch:
        packed = subprocess.run(
            [NPM, "pack", "--silent", f"{name}@{version}"],
            cwd=scratch,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        with tarfile.open(Path(scratch, packed.stdout.strip())) as archive:
            # The safe way, where this Python has it: Debian's 3.11.2 does not.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(scratch)
        package = Path(scratch, "package")
        for pattern in WANTED[name]:
            for source in package.glob(pattern):
                target = folder / source.relative_to(package)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(source, target)


def main():
    """Fetch all packages."""
    shutil.rmtree(TARGET, ignore_errors=True)
    pins = json.loads(PINS.read_text())
    wanted = (pins["dependencies"] | pins["devDependencies"]).items()
    with ThreadPoolExecutor() as pool:
        [*pool.map(lambda pin: fetch(*pin, TARGET / "node_modules" / pin[0]), wanted)]
    shutil.copy(PINS, TARGET)


if __name__ == "__main__":
    main()
