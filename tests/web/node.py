"""Evaluate expressions of the modules in web/src under Node."""

import json
import re
import subprocess
from pathlib import Path

from _ext.node import NODE, WEB
from kmds_figures.explorers import Explorer

SCRIPT = """
const m = Object.assign({}, ...(await Promise.all(addresses.map((address) => import(address)))));
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
console.log(JSON.stringify(expression, plain));
"""


def evaluate(source, expression, **inputs):
    """Return the value of an expression of `m` and of the inputs, by name.

    `m` contains what the modules in web/src/core and web/src/ui export, what `source` exports, an
    explorer or a folder of web/src, and what the script for this folder in tests/web exports.
    """
    name = f"explorers/{source.script}" if isinstance(source, Explorer) else source
    modules = [path for folder in ("core/", "ui/", name) for path in WEB.glob(f"src/{folder}*.ts")]
    script = Path(__file__).with_name(f"{name.partition('/')[0]}.ts")
    addresses = [path.as_uri() for path in [*sorted(set(modules)), script]]
    values = {"addresses": addresses} | inputs
    lines = [
        f"const {name} = {json.dumps(value, default=lambda array: array.tolist())};"
        for name, value in values.items()
    ]
    script = "\n".join([*lines, SCRIPT.replace("expression", expression)])
    command = [NODE, "--input-type=module"]
    run = subprocess.run(command, input=script, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def decimals_in(*verdicts):
    """Return the numbers with a decimal point that verdicts print."""
    words = " ".join(f"{each['head']} {each['reason']}" for each in verdicts)
    return [float(number) for number in re.findall(r"-?\d+\.\d+", words.replace("\u2212", "-"))]
