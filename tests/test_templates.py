"""Templates are read by people too: no line is longer than 160 characters (CONTRIBUTING.md)."""

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
