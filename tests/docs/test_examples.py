"""Every Python example of the docs passes the type checker, and a test runs it."""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.docs.examples import PAGES, WALK_THROUGHS, examples, steps_of
from tests.docs.tree import ROOT

# What a reader of the client's pages has.
OF_THE_READER = "url: str\ntoken: str\n"
TAKEN = re.compile(r'\bexamples?\("([\w./-]+)"(?:, "([^"]+)")?\)')
FOLLOWED = re.compile(r'\bfollow\(checkout, "([^"]+)"')
WITH_EXAMPLES = [page for page in PAGES if examples(page)]
TESTS = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]


def test_the_examples_pass_the_type_checker(tmp_path):
    """Those of a part of a page go on from one another. The files of the walk-throughs are checked in their tests."""
    modules: dict[tuple[str, str], str] = defaultdict(str)
    for page in WITH_EXAMPLES:
        for each in examples(page) if page != WALK_THROUGHS else ():
            modules[page, each.part] += each.code + "\n"
    assert modules
    for (page, part), code in modules.items():
        name = re.sub(r"\W+", "_", f"example_{page}_{part}").strip("_").lower()
        given = OF_THE_READER if "from touchstone import" in code else ""
        (tmp_path / f"{name}.py").write_text(given + code, encoding="utf-8")

    own = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", *sorted(tmp_path.glob("*.py"))],
        cwd=ROOT,
        env=own,
        capture_output=True,
        text=True,
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_every_example_is_run_by_a_test():
    """A test takes all of a page, or that of a part, by the functions of tests/docs/examples.py, or follows a
    walk-through."""
    taken = {found for path in TESTS for found in TAKEN.findall(path.read_text(encoding="utf-8"))}
    left = [
        (page, each.heading)
        for page in WITH_EXAMPLES
        for each in examples(page)
        if page != WALK_THROUGHS and taken.isdisjoint({(page, ""), (page, each.part)})
    ]
    assert left == []


def test_every_example_of_a_walk_through_is_a_file_of_it():
    followed = {title for path in TESTS for title in FOLLOWED.findall(path.read_text(encoding="utf-8"))}
    written = [block for title in followed for _, language, block in steps_of(title) if language == "python"]
    assert sorted(written) == sorted(each.code for each in examples(WALK_THROUGHS))
