"""How all tests run: chapters compared with what is stored, and no test skipped unnoticed."""

import os
from collections import Counter

import pytest
from nbval.plugin import IPyNbCell

# Before pytest finds the doctests of its modules: it would load each of them a second time.
import kmds_lib  # noqa: F401
from tools.chapters import text_only
from tools.compare_outputs import as_stored

os.environ["TQDM_DISABLE"] = "1"  # chapters are compared as they are stored, without bars

_compare = IPyNbCell.compare_outputs


def _compare_text(self, test, ref, skip_compare=None):
    stored, found = text_only(ref), text_only(test)
    printed = str(found)
    if str(as_stored(found, stored)) != printed:
        self.user_properties.append(("differs", "in a last digit"))
    return _compare(self, found, stored, skip_compare)


IPyNbCell.compare_outputs = _compare_text


def reporter_of(config):
    """Return what tells the results; None in a worker."""
    return config.pluginmanager.get_plugin("terminalreporter")


def pytest_sessionfinish(session, exitstatus):
    """Fail a run on a build server that skipped a test."""
    reporter = reporter_of(session.config)
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped") and not exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config):
    """Say at the end which cells differ in a last digit, what was skipped and what brings it."""
    reporter = reporter_of(config)
    for report in reporter.stats.get("passed", []) if reporter else []:
        for _, how in report.user_properties:
            reporter.write_line(f"{report.nodeid} differs {how}")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.items():
        reporter.write_line(f"{count} tests were skipped: {reason}")
