"""Find Chromium and serve the built pages to it (used by `make pdf` and the tests)."""

import functools
import http.server
import shutil
import threading
from contextlib import contextmanager

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (  # besides the flags of Playwright
    "--disable-gpu",
    "--disable-quic",
    # No other host can be reached.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def find_chromium():
    """Return the path of Chromium on this machine, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Request handler that serves files without logging requests."""

    def log_message(self, format, *args):
        """Log nothing."""


@contextmanager
def served(folder, handler=QuietHandler):
    """Serve a folder on a free local port and yield its URL."""
    handler = functools.partial(handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
