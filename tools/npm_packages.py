"""Fetch the npm packages of the browser side into web/node_modules.

`make setup` runs this script. Node and npm are installed from PyPI. The versions are pinned in
web/package.json. `npm pack` fetches one archive per package without its dependencies, which the
bundled files contain already. The programs of esbuild, Biome and TypeScript are in packages of
their own, one for each operating system and processor, with the version of the package itself.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PACKAGE_JSON = Path(__file__).resolve().parent.parent / "web" / "package.json"
TARGET = PACKAGE_JSON.parent / "node_modules"
NODE, NPM = (Path(sys.executable).with_name(name) for name in ("node", "npm"))
PRINT_PLATFORM = "process.stdout.write(`${process.platform}-${process.arch}`)"
PROGRAMS = {
    "esbuild": "@esbuild/",
    "@biomejs/biome": "@biomejs/cli-",
    "typescript": "@typescript/typescript-",
}
NEEDED_FILES = {
    "@biomejs/biome": ["package.json", "bin/*", "configuration_schema.json"],
    "@biomejs/cli-": ["package.json", "biome*"],
    "@esbuild/": ["package.json", "bin/*"],
    "@fontsource/iosevka-charon-mono": [
        "files/*-latin-400-normal.woff2",
        "files/*-greek-400-normal.woff2",
    ],
    "@fontsource/stix-two-text": ["files/stix-two-text-latin*-[47]00-*.woff2"],
    "@mathjax/mathjax-stix2-font": ["package.json", "chtml.js", "chtml/*/*"],
    "@typescript/typescript-": ["package.json", "lib/tsc*", "lib/lib.*"],
    "axe-core": ["axe.min.js"],
    "esbuild": ["package.json", "lib/main.js"],
    "fastest-levenshtein": ["package.json", "esm/mod.js"],
    "katex": ["dist/katex.min.js"],
    "linkedom": ["worker.js"],
    "mathjax": ["*.*js*", "a11y/*.js", "adaptors/*.js", "input/**/*.js", "output/chtml.js"],
    "papaparse": ["package.json", "papaparse*.js"],
    "typescript": ["package.json", "lib/*.js"],
}


def wanted_packages():
    """Return name, version and needed files of each package."""
    pins = json.loads(PACKAGE_JSON.read_text())
    versions = pins["dependencies"] | pins["devDependencies"]
    packages = [(name, versions[name], NEEDED_FILES[name]) for name in versions]
    run = subprocess.run([NODE, "-e", PRINT_PLATFORM], check=True, capture_output=True, text=True)
    for name, program in PROGRAMS.items():
        packages.append((program + run.stdout, versions[name], NEEDED_FILES[program]))
    return packages


def fetch(name, version, patterns):
    """Copy the needed files of one npm package into its folder in web/node_modules."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [NPM, "pack", "--loglevel=error", f"{name}@{version}"]
        packed = subprocess.run(command, cwd=scratch, capture_output=True, text=True)
        if packed.returncode:
            sys.exit(f"npm could not fetch {name}@{version}:\n{packed.stderr}")
        with tarfile.open(Path(scratch, packed.stdout.strip())) as archive:
            # The filter rejects unsafe members; Debian's Python 3.11.2 does not have it.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(scratch)
        package = Path(scratch, "package")
        for pattern in patterns:
            for source in package.glob(pattern):
                target = TARGET / name / source.relative_to(package)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(source, target)


def main():
    """Fetch all packages again."""
    shutil.rmtree(TARGET, ignore_errors=True)
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda package: fetch(*package), wanted_packages()))


if __name__ == "__main__":
    main()
