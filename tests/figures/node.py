"""Evaluate expressions of the explorers' JavaScript under Node."""

import base64
import json
import subprocess

from _ext.html_postprocess import NODE

PRINT_AS_JSON = """
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
console.log(JSON.stringify((() => expression)(), plain));
"""


def evaluate(module, expression, **inputs):
    """Return the value of an expression of the module `m` and of the inputs, by name.

    The module is a widget or the source of an ES module. The expression may be a block that
    returns a value.
    """
    source = base64.b64encode(getattr(module, "_esm", module).encode()).decode()
    lines = [f'import * as m from "data:text/javascript;base64,{source}";']
    for name, value in inputs.items():
        lines.append(f"const {name} = {json.dumps(value, default=lambda array: array.tolist())};")
    script = "\n".join([*lines, PRINT_AS_JSON.replace("expression", expression)])
    command = [NODE, "--input-type=module"]
    run = subprocess.run(command, input=script, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
