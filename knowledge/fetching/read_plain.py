"""Plain text, which says nothing of itself."""

from knowledge.fetching.charsets import decode
from knowledge.fetching.page import Page, tidy


def read_plain(body: bytes, charset: str | None) -> Page:
    return Page("", "", tidy(decode(body, charset)))
