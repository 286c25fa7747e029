"""Every Python example of the docs is checked for its types (tests/docs/type_check.py), and a test runs it."""

import re
from pathlib import Path

from tests.docs.examples import PAGES, WALK_THROUGHS, examples, steps_of
from tests.docs.tree import ROOT
from tests.docs.type_check import write_modules

TAKEN = re.compile(r'\bexamples?\("([\w./-]+)"(?:, "([^"]+)")?\)')
FOLLOWED = re.compile(r'\bfollow\(checkout, "([^"]+)"')
WITH_EXAMPLES = [page for page in PAGES if examples(page)]
TESTS = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]


def test_each_part_of_a_page_is_a_module_whose_types_are_checked(tmp_path):
    parts = {(page, each.part) for page in WITH_EXAMPLES if page != WALK_THROUGHS for each in examples(page)}
    assert len(write_modules(tmp_path)) == len(parts) > 0


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
