"""Every package says in one sentence what it holds, and stands in the map of CONTRIBUTING.md."""

import ast
import re

import pytest

from tests.docs.tree import DOCS, ROOT, files, folder

# Laid out by Django, or by the rooms that the tests mirror.
WITHOUT_A_LINE = {"migrations", "management", "tests"}
MAP = re.compile(r"^## The folders\n(.*?)^## ", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^\| (`[\w/`, ]+`) \| (.+) \|$", re.MULTILINE)


PACKAGES = [
    path.parent for path in files(".py") if path.name == "__init__.py" and path.relative_to(ROOT).parts[0] != "tests"
]


def lines_of_the_map() -> dict[str, str]:
    found = MAP.search((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert found is not None
    lines = [(name, content) for cell, content in LINE.findall(found[1]) for name in re.findall(r"`([\w/]+)`", cell)]
    assert len(dict(lines)) == len(lines)
    return dict(lines)


@pytest.mark.parametrize("package", [each for each in PACKAGES if each.name != "migrations"], ids=folder)
def test_a_package_has_a_docstring_of_one_sentence(package):
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert docstring.endswith(".")
    assert "\n\n" not in docstring
    assert re.findall(r"[.!?]\s+[A-Z]", docstring) == []


def test_every_package_stands_in_the_map():
    there = {folder(package) for package in PACKAGES if package.name not in WITHOUT_A_LINE}
    assert there - set(lines_of_the_map()) == set()


def test_every_folder_of_the_map_is_there():
    assert [each for each in lines_of_the_map() if not (ROOT / each).is_dir()] == []


def test_the_glossary_is_alphabetical_and_has_a_sentence_a_word():
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    without_targets = re.sub(r"\]\([^)]*\)", "]", page)
    rows = re.findall(r"^\| (?!word |-)(.+?) \| (.+) \|$", without_targets, re.MULTILINE)
    words = [word for word, _ in rows]
    assert words == sorted(set(words), key=str.casefold)
    assert [word for word, meaning in rows if not re.fullmatch(r"[A-Z][^.]*\.", meaning)] == []
