"""Execute the chapters in parallel and cache their outputs for the build (`make book`).

The cache identifies a chapter by its code cells. This script also executes all chapters again if
a module, a data file or a pinned version has changed. Scripts and styles of the explorers do not
matter, because the build reads them itself.
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from time import perf_counter

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor, utils
from nbclient import execute

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "_build" / ".jupyter_cache"
CELL_TIMEOUT = 600  # seconds
KERNEL_DIED = "died before replying"
PACKAGES = ("kmds_lib", "kmds_figures")
NOT_READ = {".pyc", ".js", ".css"}


def digest(root):
    """Return a digest of the packages of the book, their data and the pinned versions."""
    files = [path for name in PACKAGES for path in (root / name).rglob("*") if path.is_file()]
    files = [root / "requirements.txt", *(path for path in files if path.suffix not in NOT_READ)]
    contents = {str(path.relative_to(root)): path.read_bytes().hex() for path in files}
    return hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()


def delete_stale_records(cache):
    """Delete all cached outputs if a file that notebooks depend on has changed."""
    stored, now = CACHE / "digest.txt", digest(ROOT)
    if stored.is_file() and stored.read_text("utf-8") == now:
        return
    for record in cache.list_cache_records():
        cache.remove_cache(record.pk)
    stored.write_text(now, "utf-8")


def execute_notebook(notebook, **options):
    """Execute one notebook and print its title and the time.

    If the kernel dies at its start, because another program has just taken its port, it is started
    once more. Parts of a line that the kernel sends separately are joined.
    """
    begin = perf_counter()
    try:
        execute(notebook, coalesce_streams=True, **options)
    except RuntimeError as error:
        if KERNEL_DIED not in str(error):
            raise
        execute(notebook, coalesce_streams=True, **options)
    title = re.search(r"^# (.+)", notebook.cells[0].source, re.MULTILINE)
    print(f"executed {title[1]!r} in {perf_counter() - begin:.0f} s", flush=True)


def main():
    """Execute all notebooks without cached outputs, the last and slowest chapters first."""
    utils.executenb = execute_notebook
    cache = get_cache(CACHE)
    notebooks = sorted((ROOT / "chapters").glob("*.ipynb"), reverse=True)
    delete_stale_records(cache)
    for record in cache.list_project_records():  # may list files that were moved or renamed
        cache.remove_nb_from_project(record.pk)
    for path in notebooks:
        cache.add_nb_to_project(str(path))
    if wanted := len(cache.list_unexecuted()):
        print(f"executing {wanted} notebooks; all of them take several minutes", flush=True)
    result = load_executor("local-parallel", cache).run_and_cache(timeout=CELL_TIMEOUT)
    failed = [*result.excepted, *result.errored]
    sys.exit(f"notebooks that failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
