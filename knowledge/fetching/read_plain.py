"""Plain text, which says nothing of itself."""

from knowledge.fetching.charsets import decode
from knowledge.fetching.page import PageContent, tidy


def read_plain(body: bytes, charset: str | None) -> PageContent:
    return PageContent("", "", tidy(decode(body, charset)))
