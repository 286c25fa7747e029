"""What is kept of a page; and pages made to choke their reader."""

import codecs
from io import BytesIO

import pytest
from pypdf import PdfWriter

from knowledge.fetching.charsets import decode
from knowledge.fetching.errors import FetchError
from knowledge.fetching.fetch import Fetched
from knowledge.fetching.page import PageContent, tidy
from knowledge.fetching.read import read, read_body
from tests.waiting import LONGEST

ADA = """<!doctype html><html><head><title> Ada
  Lovelace &amp; the engine</title>
<meta property="article:published_time" content="2019-03-04T10:00:00Z">
<style>p { color: red }</style><script>var secret = "<p>script</p>";</script></head>
<body onload="alert(1)"><nav><a href="javascript:alert(1)">Home</a></nav>
<table><caption>Dates</caption><tr><th>Born</th><td>10 December 1815</td></tr></table>
<p>Ada <b>Love</b>lace was an English&nbsp;mathematician<sup>[1]</sup>.</p>
<ol><li>She wrote notes</li><li>and a program</li></ol>
<figure><img src="x.png" alt="portrait"><figcaption>Watercolour, 1840</figcaption></figure>
<script>document.write("written")</script><noscript>Switch scripts on</noscript><!-- a comment -->
<p style="display: none">hidden</p><svg><text>drawn</text></svg></body></html>"""


def html(page: str) -> PageContent:
    return read_body("text/html", None, page.encode())


def test_a_page_is_kept_as_a_reader_sees_it() -> None:
    page = html(ADA)
    assert page.title == "Ada Lovelace & the engine"
    assert page.published == "2019-03-04T10:00:00Z"
    lines = [" ".join(line.split()) for line in page.text.splitlines() if line.strip()]
    assert lines == [
        "Home",
        "Dates",
        "Born 10 December 1815",
        "Ada Lovelace was an English mathematician[1].",
        "She wrote notes",
        "and a program",
        "Watercolour, 1840",
    ]


def test_no_script_and_no_markup_is_kept() -> None:
    text = html(ADA).text
    for unwanted in ("secret", "alert", "written", "comment", "color", "hidden", "drawn", "Switch", "<"):
        assert unwanted not in text


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        ("<p>café – naïve</p>".encode("cp1252"), "iso-8859-1"),
        ("<meta charset=latin1><p>café – naïve</p>".encode("cp1252"), None),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">café – naïve'.encode("cp1252"),
            None,
        ),
        ("<p>café – naïve</p>".encode("cp1252"), None),
        ("<meta charset=utf-16><p>café – naïve</p>".encode(), None),
        ('<?xml version="1.0" encoding="UTF-16LE"?><html><p>café – naïve</p></html>'.encode(), None),
        ("<meta charset=utf-32><p>café – naïve</p>".encode(), None),
        ("<p>café – naïve</p>".encode("utf-16-le"), "utf-16le"),
        ("<p>café – naïve</p>".encode(), None),
        ("<p>café – naïve</p>".encode(), "no-such-charset"),
        (codecs.BOM_UTF8 + "<p>café – naïve</p>".encode(), "iso-8859-1"),
        (codecs.BOM_UTF16_LE + "<p>café – naïve</p>".encode("utf-16-le"), None),
    ],
)
def test_letters_come_out_right(body: bytes, charset: str | None) -> None:
    assert read_body("text/html", charset, body).text == "café – naïve"


def test_an_encoding_of_no_text_is_passed_over() -> None:
    assert decode(b"Ada", "base64", "hex", "undefined") == "Ada"


def test_a_text_has_one_kind_of_line_and_nothing_unreadable() -> None:
    assert tidy("\ufeffa\r\nb \t\r\r\n\n\n\x00c\x0c\ud800d") == "a\nb\n\nc\nd"


def test_plain_text_is_kept_as_it_is() -> None:
    assert read_body("text/plain", "utf-8", b"<b>Ada</b>\r\n  Lovelace") == PageContent(
        "", "", "<b>Ada</b>\n  Lovelace"
    )


@pytest.mark.parametrize("body", [b"", b"   ", b"<html><body><script>draw()</script></body></html>", b"<!-- -->"])
def test_a_page_without_text_is_refused(body: bytes) -> None:
    with pytest.raises(FetchError, match=r"empty|no text"):
        read_body("text/html", None, body)


def pdf(text: str) -> bytes:
    """A PDF of one page, written by hand."""
    content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Title (Notes on the engine) /CreationDate (D:18430910120000Z) >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"<< /Size 7 /Root 1 0 R /Info 6 0 R >>"
    return body + b"xref\n0 7\n0000000000 65535 f \n%strailer\n%s\nstartxref\n%d\n%%%%EOF" % (table, trailer, len(body))


def test_a_pdf_is_read() -> None:
    page = read_body("application/pdf", None, pdf("Ada wrote the first program."))
    assert page == PageContent("Notes on the engine", "1843-09-10", "Ada wrote the first program.")


@pytest.mark.parametrize("body", [b"", b"%PDF-1.4 and nothing else", pdf("Ada")[:200], b"<html>"])
def test_a_damaged_pdf_is_told(body: bytes) -> None:
    with pytest.raises(FetchError, match=r"damaged|no text"):
        read_body("application/pdf", None, body)


def test_a_pdf_with_a_password_is_told() -> None:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="RC4-128")
    file = BytesIO()
    writer.write(file)
    with pytest.raises(FetchError, match="password"):
        read_body("application/pdf", None, file.getvalue())


def fetched(body: bytes, media_type: str = "text/html") -> Fetched:
    return Fetched("https://example.org/", media_type, "utf-8", body)


def test_a_page_is_read_in_a_process_of_its_own() -> None:
    page = read(fetched("<title>Ada</title><p>naïve – 1843</p>".encode()), seconds=LONGEST)
    assert page == PageContent("Ada", "", "naïve – 1843")


def test_what_is_wrong_with_a_page_comes_back_from_there() -> None:
    with pytest.raises(FetchError, match="damaged"):
        read(fetched(b"junk", "application/pdf"), seconds=LONGEST)


def test_a_page_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(FetchError, match="within 0 seconds"):
        read(fetched(ADA.encode()), seconds=0)


def test_a_page_that_takes_too_much_memory_is_given_up() -> None:
    with pytest.raises(FetchError, match="too large or damaged"):
        read(fetched(b"<a b=c>" * 100_000), seconds=LONGEST, memory=64 * 1024**2)


def test_pages_nested_without_end_do_no_harm() -> None:
    page = read(fetched(b"Ada" + b"<div>" * 100_000 + b"</div>" * 100_000), seconds=LONGEST)
    assert page.text.startswith("Ada")
