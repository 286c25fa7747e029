"""Anchors of the sections of a page in Markdown."""

import re


def anchor_of(heading: str) -> str:
    """The anchor of a section by its heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
