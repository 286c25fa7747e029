"""The forms of a page, as a browser would fill them in and send them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

import lxml.html

ADDRESSES_OF_HTMX = {"hx-get": "get", "hx-post": "post"}


@dataclass(frozen=True)
class Form:
    """`fields` as they stand on the page, `files` the names of those that take a file."""

    method: str
    path: str
    fields: dict[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[str, str, tuple[str, ...]]:
        """Forms that differ in values alone have the same."""
        return self.method, self.path, (*sorted(self.fields), *self.files)


def elements(page: bytes) -> lxml.html.HtmlElement:
    """The page's root; of nothing but white space an empty page."""
    return lxml.html.document_fromstring(page if page.strip() else b"<html></html>")


def forms_of(path: str, page: bytes) -> Iterator[Form]:
    """Of the page at this path; those to other hosts are passed over."""
    for form in elements(page).forms:
        target = urljoin(path, form.action or path)
        if not target.startswith("/"):
            continue
        fields = {name: value or "" for name, value in form.fields.items() if name and name != "csrfmiddlewaretoken"}
        for button in form.xpath(".//button[@name]"):
            fields.setdefault(button.get("name"), button.get("value", ""))
        files = tuple(each.get("name") for each in form.xpath(".//input[@type='file']") if each.get("name"))
        yield Form(
            form.method.lower(), target, {name: each for name, each in fields.items() if name not in files}, files
        )
