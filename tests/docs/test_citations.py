"""What code, templates and docs cite is there: files, sections of docs pages, anchors of links, functions."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.tree import DOCS, ROOT, files

KINDS = (".py", ".html", ".md", ".txt", ".js", ".css", ".toml")
# Files that the project was planned by and does not contain.
OUTSIDE = tuple(f"{name}.md" for name in ("definitions", "cli", "behaviours", "released-code", "field-notes"))

CITED_PAGE = re.compile(r"\bdocs/([\w-]+\.md)")
# A page, a comma and a title, which begins with a capital letter or is the name of a command.
CITED_SECTION = re.compile(r"\bdocs/([\w-]+\.md), ([A-Z`][^\n]*)")
HEADING = re.compile(r"^#{1,4} (.+)$", re.MULTILINE)
FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
ANCHOR = re.compile(r"\[[^\]]*\]\(([\w./-]*)#([^)\s]+)\)")
FUNCTION = re.compile(r"`(?:\w+\.)?(\w+)\(\)`")


FILES = files(*KINDS)
PAGES = [path for path in FILES if path.suffix == ".md"]


@cache
def headings(page: Path) -> tuple[str, ...]:
    """Longest first, so that one that begins another does not hide it."""
    found = HEADING.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return tuple(sorted(found, key=len, reverse=True))


def one_line(path: Path) -> str:
    """The text with the lines of a paragraph, or of a comment, joined."""
    return re.sub(r"(?<=\S)[ \t]*\n[ \t]*(?:# )?(?=\S)", " ", path.read_text(encoding="utf-8"))


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def cites_a_heading(text: str, page: Path) -> bool:
    """Whether the text begins with a heading, or with several joined by ", and". A command is cited by its name alone:
    its heading goes on with its arguments."""
    command = re.match(r"`(\w+)`", text)
    if command:
        return any(re.match(rf"`{command[1]}\b", heading) for heading in headings(page))
    cited = next((each for each in headings(page) if re.match(rf"{re.escape(each)}(?!\w)", text)), None)
    if cited is None:
        return False
    another = re.match(r", and ([A-Z].*)", text[len(cited) :])
    return another is None or cites_a_heading(another[1], page)


@pytest.fixture(scope="module")
def texts() -> dict[Path, str]:
    return {path: one_line(path) for path in FILES}


def test_no_file_from_outside_the_project_is_cited(texts):
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, text in texts.items()
        for name in OUTSIDE
        if name in text and re.search(rf"(?<![\w-]){re.escape(name)}", text)
    ]
    assert found == []


def test_every_docs_page_that_is_cited_is_there(texts):
    found = [(path, name) for path, text in texts.items() for name in CITED_PAGE.findall(text)]
    assert [f"{path.relative_to(ROOT)}: {name}" for path, name in found if not (DOCS / name).exists()] == []


def test_every_section_that_is_cited_is_a_heading_of_its_page(texts):
    cited = [(path, *hit) for path, text in texts.items() for hit in CITED_SECTION.findall(text)]
    wrong = [
        f"{path.relative_to(ROOT)}: {name}, {text[:60]}"
        for path, name, text in cited
        if (DOCS / name).exists() and not cites_a_heading(text, DOCS / name)
    ]
    assert wrong == []
    assert len(cited) > 50


def test_a_section_that_is_no_heading_is_found():
    assert cites_a_heading("Error detection.", DOCS / "statistics.md")
    assert cites_a_heading("`report`), as JSON", DOCS / "commands.md")
    assert cites_a_heading("Sizes, and Error detection.", DOCS / "statistics.md")
    assert not cites_a_heading("Error detections.", DOCS / "statistics.md")
    assert not cites_a_heading("Sizes, and Weights.", DOCS / "statistics.md")
    assert not cites_a_heading("`reports`", DOCS / "commands.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_anchors_of_links_are_headings(page):
    for target, anchor in ANCHOR.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        linked = page.parent / target if target else page
        assert anchor in {slug(heading) for heading in headings(linked)}, f"{page.name} links to {target}#{anchor}"


def test_the_functions_named_in_the_statistics_are_there():
    page = (DOCS / "statistics.md").read_text(encoding="utf-8")
    code = "\n".join(path.read_text(encoding="utf-8") for path in FILES if path.suffix == ".py")
    assert {name for name in FUNCTION.findall(page) if f"def {name}(" not in code} == set()
