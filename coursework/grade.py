"""Grade a folder of submissions."""

from coursework.running import Run, run, scored

__all__ = ["Run", "run", "scored"]
