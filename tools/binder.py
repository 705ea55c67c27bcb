"""Do what Binder does, on this machine: install, run notebooks, open one in JupyterLab.

A fresh environment is made from the `binder` folder of the portable notebooks. The notebooks run
in it to their end, and no process may take more than mybinder.org guarantees. A headless Chromium
opens one of them in JupyterLab, runs all its cells, and moves a slider and a point.

Usage: python -m tools.binder [--run 04 11 ...] [--open 03]
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tools.chromium import FLAGS, find_chromium
from tools.portable import BUILT, put_together

MEMORY_MB = 1024
TOKEN = "reader"
SECONDS = 600
OF_THE_BOOK = ("PYTHONPATH", "VIRTUAL_ENV", "JUPYTER_PATH", "JUPYTER_CONFIG_DIR")
MARKS = (":::", "{cite", "{ref}", "{prf:", "{index}")

# What the reader's page knows of the open notebook.
CELLS = """() => {
    const panel = window.jupyterapp?.shell.currentWidget;
    const model = panel?.content?.model;
    if (!model) return null;
    const code = [...model.cells].filter((cell) => cell.type === "code");
    const outputs = code.map((cell) => cell.outputs.toJSON());
    return {
        status: panel.sessionContext.session?.kernel?.status ?? "none",
        cells: code.length,
        run: code.filter((cell) => cell.executionCount !== null).length,
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
        uv = (str(Path(sys.executable).with_name("uv")), "pip", "install", "-q", "--system-certs")
        self.call(*uv, "--python", str(self.bin / "python"), "-r", "binder/requirements.txt")
        self.call("bash", "binder/postBuild")

    def execute(self, path):
        """Run a notebook to its end; return what went wrong."""
        begin = time.monotonic()
        try:
            self.call("bash", "binder/start", "jupyter", "execute", f"--timeout={SECONDS}", path)
        except subprocess.CalledProcessError:
            return [f"{path}: a cell failed"]
        print(f"{path}: {time.monotonic() - begin:.0f} s", flush=True)
        return []

    @contextmanager
    def lab(self):
        """Start JupyterLab and give its address."""
        options = ["--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root"]
        options += [f"--IdentityProvider.token={TOKEN}", "--LabApp.expose_app_in_browser=True"]
        command = ["bash", "binder/start", "jupyter", "lab", *options]
        with (self.home / "lab.log").open("w") as log:
            process = subprocess.Popen(
                command, cwd=self.repository, env=self.environ, stdout=log, stderr=log
            )
        try:
            while not (found := list(self.home.glob("runtime/jpserver-*.json"))):
                time.sleep(0.2)
                assert process.poll() is None, "JupyterLab did not start"
            yield json.loads(found[0].read_text("utf-8"))["url"]
        finally:
            process.terminate()
            process.wait(30)


class Visit:
    """One notebook, opened at the path of its launch link."""

    def __init__(self, browser, address, path):
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self.page.set_default_timeout(1000 * SECONDS)
        self.page.goto(f"{address}lab/tree/{path}?token={TOKEN}")
        # A click on Run before the kernel is there asks to select one.
        self.wait("state => state?.status === 'idle'")

    def wait(self, condition):
        """Wait until a condition on the notebook's state holds."""
        self.page.wait_for_function(f"() => ({condition})(({CELLS})())")

    def run_all(self):
        """Choose Run All Cells and wait for the last; return the errors."""
        self.page.evaluate("() => jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Run").first.click()
        self.page.locator(".lm-Menu-itemLabel", has_text="Run All Cells").first.click()
        self.wait("s => s.errors.length || (s.run === s.cells && s.status === 'idle')")
        return self.page.evaluate(CELLS)["errors"]

    def reach(self, call, selector):
        """Go to the first cell with a call; return a part of what it shows, and its output."""
        assert self.page.evaluate(GO_TO, call), f"no cell calls {call}"
        found = self.page.locator(f".jp-Cell.jp-mod-active {selector}").first
        found.scroll_into_view_if_needed()
        box = found.locator("xpath=ancestor::*[contains(@class, 'jp-OutputArea-output')][1]")
        return found, box

    def move_slider(self):
        """Move a slider by a key until another picture is shown."""
        handle, output = self.reach(r"^frame_\w+\(", ".noUi-handle")
        shown = output.locator("img").filter(visible=True).first
        before = shown.get_attribute("alt")
        handle.press("Home" if handle.get_attribute("aria-valuenow") != "0.0" else "End")
        expect(shown).not_to_have_attribute("alt", before)

    def move_point(self):
        """Move a point of an explorer by a key until the numbers beside it change."""
        handle, output = self.reach(r"^\w+_explorer\(", ".kx-handle")
        before = output.inner_text()
        handle.press("ArrowRight")
        expect(output).not_to_have_text(before, use_inner_text=True)

    def raw_words(self):
        """Return what of the book's markup a reader would see."""
        text = self.page.locator(".jp-Notebook").inner_text()
        return [mark for mark in MARKS if mark in text]


def open_notebook(binder, path):
    """Open a notebook as a reader does; return what went wrong."""
    with binder.lab() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        visit = Visit(browser, address, path)
        faults = visit.run_all() + [f"shows {mark}" for mark in visit.raw_words()]
        if not faults:
            visit.move_slider()
            visit.move_point()
        browser.close()
    return [f"{path}: {fault}" for fault in faults]


def emulate(folder, run, opened):
    """Install, run and open notebooks, named by how they begin; return what went wrong."""
    binder = Binder(folder)
    notebooks = put_together(BUILT, binder.repository)
    binder.install()
    # A problem set stops, as it should, at the first answer that is not given.
    chapters = [path for path in notebooks if '"nbgrader": {' not in path.read_text("utf-8")]
    paths = [str(path.relative_to(binder.repository)) for path in chapters]
    wanted = [path for path in paths if not run or Path(path).name.startswith(tuple(run))]
    with ThreadPoolExecutor(2) as pool:
        faults = [fault for found in pool.map(binder.execute, wanted) for fault in found]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    if peak > MEMORY_MB:
        faults.append(f"a process takes {peak:.0f} MB, more than {MEMORY_MB}")
    (path,) = [path for path in paths if Path(path).name.startswith(opened)]
    return faults + open_notebook(binder, path)


def main():
    """Do what Binder does, and fail where a reader would miss something."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", nargs="*", default=[], help="beginnings of names; default: all")
    parser.add_argument("--open", default="04", help="the notebook to open in JupyterLab")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = emulate(Path(folder), options.run, options.open)
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
