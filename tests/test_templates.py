"""Templates are read by people too: no line is longer than 160 characters (CONTRIBUTING.md). Every field of a form says
its type, by which it gets its looks."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
LONGEST = 160


def test_no_line_of_a_template_is_too_long() -> None:
    pages = sorted(TEMPLATES.rglob("*.html"))
    assert pages
    assert [
        f"{page.relative_to(TEMPLATES)}:{number} has {len(line)} characters"
        for page in pages
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ] == []


def test_every_field_of_a_form_says_its_type() -> None:
    assert [
        f"{page.relative_to(TEMPLATES)}: {field[0]}"
        for page in sorted(TEMPLATES.rglob("*.html"))
        for field in re.finditer(r"<input\b[^>]*>", page.read_text(encoding="utf-8"))
        if "type=" not in field[0]
    ] == []
