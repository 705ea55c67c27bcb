"""Run scripts of the npm package in web/ under Node."""

import json
import subprocess
import sys
from pathlib import Path

from sphinx.errors import ExtensionError

WEB = Path(__file__).parents[1] / "web"
PACKAGES = WEB / "node_modules"
NODE = Path(sys.executable).with_name("node")


def run_node(script, request):
    """Run a script in web/ with a request as JSON; return what it writes as JSON, or nothing."""
    command = [NODE, WEB / script]
    run = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True)
    if run.returncode:
        raise ExtensionError(f"{script} failed: {run.stderr[-2000:]}")
    return json.loads(run.stdout or "null")
