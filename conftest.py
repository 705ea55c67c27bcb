"""Settings of all tests: how chapters are compared with stored outputs, and how skips count."""

import os
from collections import Counter

import pytest
from nbval.plugin import IPyNbCell
from threadpoolctl import threadpool_limits

# Import the library before pytest collects its doctests, so that no module is imported twice.
import kmds_lib  # noqa: F401
from tools.chapters import keep_text_outputs
from tools.compare_outputs import replace_agreeing_texts

# Each of the parallel workers gets one BLAS thread, also if `make` does not start pytest.
threadpool_limits(1)

_compare = IPyNbCell.compare_outputs


def _compare_text(self, test, ref, skip_compare=None):
    stored, found = keep_text_outputs(ref), keep_text_outputs(test)
    return _compare(self, replace_agreeing_texts(found, stored), stored, skip_compare)


IPyNbCell.compare_outputs = _compare_text


def terminal_reporter(config):
    """Return pytest's terminal reporter, or None in a worker process."""
    return config.pluginmanager.get_plugin("terminalreporter")


def pytest_sessionfinish(session, exitstatus):
    """Fail the run on a build server if a test was skipped."""
    reporter = terminal_reporter(session.config)
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped") and not exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config):
    """List the reasons for skipped tests."""
    reporter = terminal_reporter(config)
    skipped = reporter.stats.get("skipped", []) if reporter else []
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.items():
        reporter.write_line(f"{count} tests were skipped: {reason}")
