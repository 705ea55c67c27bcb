"""A script of the figures under Node, asked from Python."""

import base64
import json
import subprocess

from _ext.html_postprocess import NODE

TOLD = """
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
console.log(JSON.stringify((() => body)(), plain));
"""


def ask(module, body, **given):
    """Return what the body of an arrow function gives of a module `m`, and of what is given."""
    text = base64.b64encode(getattr(module, "_esm", module).encode()).decode()
    lines = [f'import * as m from "data:text/javascript;base64,{text}";']
    for name, value in given.items():
        lines.append(f"const {name} = {json.dumps(value, default=lambda array: array.tolist())};")
    script = "\n".join([*lines, TOLD.replace("body", body)])
    command = [NODE, "--input-type=module"]
    run = subprocess.run(command, input=script, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
