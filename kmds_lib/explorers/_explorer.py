"""What all explorers are made of: shared scripts, shared style, a first state."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import anywidget
import traitlets

__all__ = ["SHARED_MODULE", "SHARED_STYLE", "Explorer", "script_text"]

_JS = Path(__file__).parents[1] / "js"


def script_text(*names: str) -> str:
    """Return the text of some files, joined."""
    return "".join((_JS / name).read_text(encoding="utf-8") + "\n" for name in names)


SHARED_STYLE = script_text("explorer.css")
"""Where the style sheet of every explorer begins: a page holds this part once."""
SHARED_MODULE = script_text("core.js", "common.js")
"""Where the module of every explorer begins: it can import nothing, so it holds the core."""


class Explorer(anywidget.AnyWidget):
    """What all explorers have: the state in which they start, for their reset button."""

    _css = SHARED_STYLE
    start = traitlets.Dict().tag(sync=True)

    def __init__(self, **state: Any) -> None:
        """Take the first state."""
        super().__init__(**state)
        own = self.traits(sync=True).keys() - Explorer.class_traits(sync=True).keys()
        shown = sorted(name for name in own if not name.startswith("_"))
        self.start = {name: deepcopy(getattr(self, name)) for name in shown}
