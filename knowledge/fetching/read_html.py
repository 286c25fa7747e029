"""The text of a web page as a reader sees it, with tables and captions; no markup, no scripts.

Not only the main text: experts quote tables and boxes beside it, and a quote must be found in the stored text.
"""

import re

from inscriptis import Inscriptis
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_document_state import HtmlDocumentState
from inscriptis.model.tag import CustomHtmlTagHandlerMapping
from lxml import etree, html

from knowledge.fetching.charsets import as_declared, decode
from knowledge.fetching.errors import FetchError
from knowledge.fetching.page import PageContent, one_line, tidy

# As far as browsers look for it (WHATWG HTML, "prescan a byte stream").
CHARSET_WITHIN = 1024
CHARSET = re.compile(rb"""<(?:meta|\?xml)[^>]+(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)
# Where pages name the day they were published, the most telling first.
PUBLISHED = [
    "//meta[@property='article:published_time']/@content",
    "//meta[@itemprop='datePublished']/@content",
    "//*[@itemprop='datePublished']/@datetime",
    "//meta[@name='citation_publication_date']/@content",
    "//meta[@name='citation_date']/@content",
    "//meta[translate(@name, 'DCATE', 'dcate')='dc.date']/@content",
    "//meta[@name='date']/@content",
    "//meta[@property='article:modified_time']/@content",
]
PUBLISHED_LIMIT = 40
NEVER_SHOWN = ("script", "style", "noscript", "template", "iframe", "object", "svg", "head")


def read_html(body: bytes, charset: str | None) -> PageContent:
    """The text, the title and the date of the page. FetchError if it has no text."""
    declared = CHARSET.search(body[:CHARSET_WITHIN])
    text = decode(body, charset, as_declared(declared[1].decode("ascii")) if declared else None)
    tree = _parse(text)
    title, published = _title(tree), _published(tree)
    etree.strip_elements(tree, etree.Comment, etree.ProcessingInstruction, *NEVER_SHOWN, with_tail=False)
    return PageContent(title, published, tidy(Inscriptis(tree, _as_copied()).get_text()))


def _as_copied() -> ParserConfig:
    """List items without bullets and numbers: a browser draws them, and copied text does not have them."""
    bare = CustomHtmlTagHandlerMapping(start_tag_mapping={"li": _begin_bare_item}, end_tag_mapping={})
    return ParserConfig(custom_html_tag_handler_mapping=bare)


def _begin_bare_item(state: HtmlDocumentState, _: dict[str, str]) -> None:
    state.tags[-1].write("")


def _parse(text: str) -> html.HtmlElement:
    parser = html.HTMLParser(encoding="utf-8")
    try:
        return html.document_fromstring(text.encode("utf-8", errors="replace"), parser=parser)
    except etree.ParserError:
        raise FetchError("The page is empty.") from None


def _title(tree: html.HtmlElement) -> str:
    titles = tree.xpath("//head/title/text() | //title/text()") or tree.xpath("//meta[@property='og:title']/@content")
    return one_line(titles[0]) if titles else ""


def _published(tree: html.HtmlElement) -> str:
    """As the page writes it: "2019-03-04", or with the time of day."""
    for path in PUBLISHED:
        for text in tree.xpath(path):
            if 0 < len(day := one_line(text)) <= PUBLISHED_LIMIT:
                return day
    return ""
