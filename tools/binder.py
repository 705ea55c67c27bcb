"""Do what Binder does, on this machine: install, start JupyterLab, open and run the notebooks.

A fresh environment is made from the `binder` folder of the portable notebooks. JupyterLab gets one
processor; the memory of all its processes together is watched, and must stay below 1 GB, which
mybinder.org guarantees. A headless Chromium opens each notebook at the path of its launch link,
runs all cells, and moves a slider and a point where there are some.

Usage: python -m tools.binder [--only 04 11 ...] [--quick 01 ...] [--report _build/doors.json]

Notebooks named by --quick are run without the browser. Where --only names some, what the others
import is imported.
"""

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import nbformat
import psutil
from playwright.sync_api import sync_playwright

from _ext.book_address import ROOT
from tools.chromium import FLAGS, find_chromium
from tools.portable import BUILT, put_together

REPORT = ROOT / "_build" / "doors.json"
MEMORY_MB = 1024
START_SECONDS, RUN_SECONDS = 120, 600
TOKEN = "reader"
OF_THE_BOOK = ("PYTHONPATH", "VIRTUAL_ENV", "JUPYTER_PATH", "JUPYTER_CONFIG_DIR")

# What the reader's page knows of the open notebook.
CELLS = """() => {
    const panel = window.jupyterapp?.shell.currentWidget;
    const model = panel?.content?.model;
    if (!model) return null;
    const code = [...model.cells].filter((cell) => cell.type === "code");
    const outputs = code.map((cell) => cell.outputs.toJSON());
    const drawn = (output) => Object.keys(output.data ?? {}).some(
        (type) => type === "image/png" || type.endsWith("widget-view+json"));
    return {
        status: panel.sessionContext.session?.kernel?.status ?? "none",
        cells: code.length,
        run: code.filter((cell) => cell.executionCount !== null).length,
        busy: code.filter((cell) => cell.executionState === "running").length,
        figures: outputs.flat().filter(drawn).length,
        errors: outputs.flat().filter((output) => output.output_type === "error")
            .map((output) => `${output.ename}: ${output.evalue}`),
    };
}"""
GO_TO = """(call) => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    const place = [...notebook.model.cells].findIndex(
        (cell) => cell.type === "code" && new RegExp(call, "m").test(cell.sharedModel.source));
    if (place < 0) return false;
    notebook.activeCellIndex = place;
    notebook.scrollToItem(place);
    return true;
}"""
CLEAR = "() => window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')"


def wait_for(look, seconds, what):
    """Return what `look` returns as soon as that is true; fail after some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.2)
    raise TimeoutError(f"after {seconds} s: {what}")


class Memory(threading.Thread):
    """Watches the memory of a process and all it started, shared pages counted once."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.root, self.peak, self.ended = psutil.Process(pid), 0.0, threading.Event()

    def megabytes(self):
        """Return the memory of all processes now."""
        total = 0
        for process in [self.root, *self.root.children(recursive=True)]:
            try:
                total += process.memory_full_info().pss
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        return total / 2**20

    def run(self):
        """Note the peak twice a second."""
        while not self.ended.wait(0.5):
            try:
                self.peak = max(self.peak, self.megabytes())
            except psutil.NoSuchProcess:
                return

    def take_peak(self):
        """Return the peak since the last call, in MB."""
        peak, self.peak = max(self.peak, self.megabytes()), 0.0
        return round(peak)


class Binder:
    """A folder with an environment of its own, as Binder makes it from a repository."""

    def __init__(self, folder):
        self.repository, self.home = folder / "repository", folder / "home"
        self.bin = folder / "environment" / "bin"
        self.home.mkdir(parents=True)
        clean = {name: value for name, value in os.environ.items() if name not in OF_THE_BOOK}
        self.environ = clean | {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "JUPYTER_RUNTIME_DIR": str(self.home / "runtime"),
            "TQDM_DISABLE": "1",
        }

    def call(self, *command):
        """Run a command in the folder of the repository."""
        subprocess.run(
            command, cwd=self.repository, env=self.environ, check=True, stdout=subprocess.DEVNULL
        )

    def install(self):
        """Make the environment: requirements, then postBuild."""
        subprocess.run([sys.executable, "-m", "venv", self.bin.parent], check=True)
        pip = (str(self.bin / "pip"), "--quiet", "--disable-pip-version-check")
        self.call(*pip, "install", "--requirement", "binder/requirements.txt")
        self.call("bash", "binder/postBuild")

    def execute(self, path):
        """Run a notebook to its end without a browser, and return what was measured."""
        begin = time.monotonic()
        self.call("bash", "binder/start", "jupyter", "execute", "--timeout=600", str(path))
        return {"notebook": str(path), "run_seconds": round(time.monotonic() - begin, 1)}

    def imports(self, paths):
        """Import what some notebooks import, and return their names."""
        lines = {line for path in paths for line in import_lines(self.repository / path)}
        self.call("python", "-c", "\n".join(sorted(lines)))
        return [str(path) for path in paths]

    @staticmethod
    def one_processor():
        """Return the words that keep a command on one processor."""
        cpu = min(os.sched_getaffinity(0))
        return ("taskset", "--cpu-list", str(cpu)) if shutil.which("taskset") else ()

    @contextmanager
    def lab(self):
        """Start JupyterLab on one processor; give its address and its process."""
        options = [
            "--no-browser",
            "--ip=127.0.0.1",
            "--port=0",
            f"--IdentityProvider.token={TOKEN}",
            "--LabApp.expose_app_in_browser=True",
        ]
        if os.geteuid() == 0:
            options.append("--allow-root")
        command = [*self.one_processor(), "bash", "binder/start", "jupyter", "lab", *options]
        with (self.home / "lab.log").open("w") as log:
            process = subprocess.Popen(
                command, cwd=self.repository, env=self.environ, stdout=log, stderr=log
            )
        try:
            yield wait_for(self.address, START_SECONDS, "JupyterLab did not start"), process
        finally:
            for child in psutil.Process(process.pid).children(recursive=True):
                child.terminate()
            process.terminate()
            process.wait(30)

    def address(self):
        """Return the address of the running server, if it says one."""
        found = list(self.home.glob("runtime/jpserver-*.json"))
        return json.loads(found[0].read_text())["url"] if found else None


def import_lines(path):
    """Yield the statements of a notebook that import something."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and "%pip" not in cell.source:
            for node in ast.parse(cell.source).body:
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    yield ast.unparse(node)


def ask(url, path, method="GET"):
    """Ask the server's interface, and return its answer."""
    request = Request(url + path, headers={"Authorization": f"token {TOKEN}"}, method=method)
    with urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or "null")


class Visit:
    """One notebook, opened at the path of its launch link and run to the end."""

    def __init__(self, browser, url, path):
        self.url, self.path = url, path
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page = self.context.new_page()

    def state(self):
        """Return what the notebook holds now, or nothing before it is open."""
        return self.page.evaluate(CELLS)

    def open(self):
        """Open the notebook and wait for its kernel: a click on Run before asks to select one."""
        self.page.goto(f"{self.url}lab/tree/{self.path}?token={TOKEN}")
        look = lambda: (self.state() or {}).get("status") == "idle"  # noqa: E731
        wait_for(look, START_SECONDS, f"{self.path} has no kernel")
        self.page.evaluate(CLEAR)

    def run_all(self):
        """Choose Run All Cells, wait for the last; return seconds to the first figure and all."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Run").first.click()
        self.page.locator(".lm-Menu-itemLabel", has_text="Run All Cells").first.click()
        begin, first = time.monotonic(), None

        def ended():
            nonlocal first
            state = self.state()
            if first is None and state["figures"]:
                first = time.monotonic() - begin
            done = state["run"] == state["cells"] and state["status"] == "idle"
            return done or state["errors"]

        wait_for(ended, RUN_SECONDS, f"{self.path} did not come to its end")
        return first, time.monotonic() - begin

    def raw_words(self):
        """Return what of the book's markup a reader would see."""
        text = self.page.locator(".jp-Notebook").inner_text()
        return [mark for mark in (":::", "{cite", "{ref}", "{prf:", "{index}") if mark in text]

    def reach(self, call, selector):
        """Go to the first cell with a call; return what it shows, or nothing without one."""
        if not self.page.evaluate(GO_TO, call):
            return None
        found = self.page.locator(f".jp-Cell.jp-mod-active {selector}").first
        found.wait_for()
        found.scroll_into_view_if_needed()
        return found

    def move_slider(self):
        """Move a slider by a key, and tell whether another picture is shown."""
        handle = self.reach(r"^frame_\w+\(", ".noUi-handle")
        if handle is None:
            return None
        output = handle.locator("xpath=ancestor::*[contains(@class, 'jp-OutputArea-output')][1]")
        shown = output.locator("img").filter(visible=True).first
        shown.wait_for()
        before = shown.get_attribute("alt")
        handle.press("Home" if handle.get_attribute("aria-valuenow") != "0.0" else "End")
        return bool(
            wait_for(lambda: shown.get_attribute("alt") != before, 20, "the slider did not move")
        )

    def drag_point(self):
        """Drag a point or a slider of an explorer until the numbers beside it change."""
        handle = self.reach(r"^\w+_explorer\(", ".kx-handle, .kx-range input")
        if handle is None:
            return None
        output = handle.locator("xpath=ancestor::*[contains(@class, 'jp-OutputArea-output')][1]")
        before = output.inner_text()

        def moved():
            # The pictures above still come in: each try begins where the point is now.
            handle.hover()
            box = handle.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.mouse.down()
            self.page.mouse.move(x + 15, y + 12)
            self.page.mouse.move(x + 30, y + 24)
            self.page.mouse.up()
            return output.inner_text() != before

        return wait_for(moved, 30, f"nothing of {self.path} moved")

    def close(self):
        """Close the page, shut its kernel down as the book advises, forget which tab was open."""
        self.context.close()
        for name in ask(self.url, "lab/api/workspaces")["workspaces"]["ids"]:
            ask(self.url, f"lab/api/workspaces/{name}", "DELETE")
        for session in ask(self.url, "api/sessions"):
            ask(self.url, f"api/sessions/{session['id']}", "DELETE")


def visit(browser, url, path, memory):
    """Open and run one notebook; return what was seen and measured."""
    tour = Visit(browser, url, path)
    memory.take_peak()
    begin = time.monotonic()
    try:
        tour.open()
        opened = time.monotonic() - begin
        first, last = tour.run_all()
        state = tour.state()
        seen = {"slider": tour.move_slider(), "point": tour.drag_point()}
        return {
            "notebook": path,
            "open_seconds": round(opened, 1),
            "first_figure_seconds": None if first is None else round(opened + first, 1),
            "run_seconds": round(last, 1),
            "peak_mb": memory.take_peak(),
            "cells": state["cells"],
            "figures": state["figures"],
            "errors": state["errors"],
            "raw": tour.raw_words(),
            **seen,
        }
    finally:
        tour.close()


def emulate(folder, only=(), quick=()):
    """Install, start, and visit the notebooks; return the report.

    Parameters
    ----------
    folder : pathlib.Path
        An empty folder for repository, environment and home.
    only, quick : sequences of str
        How the names of the notebooks begin that are visited (all, if none is named), and of
        those that are run without the browser.
    """
    binder = Binder(folder)
    notebooks = put_together(BUILT, binder.repository)
    # A problem set stops, as it should, at the first answer that is not given.
    chapters = [path for path in notebooks if '"nbgrader": {' not in path.read_text("utf-8")]
    paths = [path.relative_to(binder.repository) for path in chapters]
    begin = time.monotonic()
    binder.install()
    report = {"install_seconds": round(time.monotonic() - begin, 1)}
    hasty = [path for path in paths if path.name.startswith(tuple(quick))]
    with ThreadPoolExecutor(2) as pool:
        report["quick"] = list(pool.map(binder.execute, hasty))
    watched = [path for path in paths if path not in hasty]
    if only:
        watched = [path for path in watched if path.name.startswith(tuple(only))]
    rest = [path for path in paths if path not in watched + hasty]
    report["imported"] = binder.imports(rest)
    report["visits"] = visit_all(binder, watched, report)
    return report


def visit_all(binder, paths, report):
    """Start JupyterLab, visit the notebooks one after another, and return what was seen."""
    begin, visits = time.monotonic(), []
    executable = find_chromium()
    with binder.lab() as (url, process), sync_playwright() as playwright:
        report["start_seconds"] = round(time.monotonic() - begin, 1)
        memory = Memory(process.pid)
        memory.start()
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        for path in paths:
            visits.append(visit(browser, url, str(path), memory))
            print(json.dumps(visits[-1]), flush=True)
        browser.close()
        memory.ended.set()
    return visits


def faults(report):
    """Name what a reader on Binder would miss."""
    found = []
    for seen in report["visits"]:
        name = seen["notebook"]
        found += [f"{name}: {error}" for error in seen["errors"]]
        found += [f"{name}: shows {mark}" for mark in seen["raw"]]
        if seen["peak_mb"] >= MEMORY_MB:
            found.append(f"{name}: takes {seen['peak_mb']} MB, more than {MEMORY_MB}")
    return found


def main():
    """Visit the notebooks, store the report, and fail if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="beginnings of names; default: all")
    parser.add_argument("--quick", nargs="*", default=[], help="run these without the browser")
    parser.add_argument("--report", type=Path, default=REPORT)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = emulate(Path(folder), options.only, options.quick)
    options.report.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    sys.exit("\n".join(faults(report)) or 0)


if __name__ == "__main__":
    main()
