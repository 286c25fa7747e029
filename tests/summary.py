"""The end of a run of tests: what took longest, and what was left out for which reason."""

from collections import Counter
from typing import Any

import pytest

from tests.sweeps import is_left_out

LINES = 10
OF_ANOTHER_PART = "for another part, or make test-whole"


class Summary:
    """Durations and counts of one run; with several processes, those of all of them."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.left_out.update(reason(item) for item in items)
        output = getattr(items[0].config, "workeroutput", None)
        if output is not None:
            output["left_out"] = dict(self.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A process of pytest-xdist ends: each leaves out the same tests."""
        self.left_out = Counter(getattr(node, "workeroutput", {}).get("left_out"))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        modules: Counter[str] = Counter()
        for name, seconds in self.seconds.items():
            modules[name.partition("::")[0]] += seconds
        if len(modules) > 1:
            write(terminalreporter, "slowest modules", modules, "{:8.1f} s")
            write(terminalreporter, "slowest tests", self.seconds, "{:8.1f} s")
        if any(each.startswith(OF_ANOTHER_PART) for each in self.left_out):
            part = terminalreporter.config.getoption("part")
            terminalreporter.write_sep("-", f"part {part} of the long sweeps; --part {part} takes it again")
        skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
        write(terminalreporter, "left out", self.left_out + skipped, "{:8d}")


def reason(item: pytest.Item) -> str:
    """Why a test was not selected, and where it is."""
    room = "/".join(item.nodeid.partition("::")[0].split("/")[:2])
    if is_left_out(item):
        return f"{OF_ANOTHER_PART}: {room}"
    if item.config.option.markexpr == "not slow" and item.get_closest_marker("slow"):
        return f"slow, for make test-all: {room}"
    return "not selected on the command line"


def write(reporter: pytest.TerminalReporter, title: str, counts: Counter[str], form: str) -> None:
    """The largest counts under a title; nothing where there are none."""
    if counts:
        reporter.write_sep("-", title)
    for name, count in counts.most_common(LINES):
        reporter.write_line(f"{form.format(count)}  {name}")
