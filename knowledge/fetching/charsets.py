"""Bytes into text, as browsers do it."""

import codecs

MARKS = [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")]
# A page labelled Latin-1 or ASCII is read as the larger set that it mostly is (WHATWG Encoding Standard).
READ_AS = {"iso8859-1": "cp1252", "ascii": "cp1252"}
FALLBACK = "cp1252"
# In these ASCII is not written as ASCII.
WIDE = {"utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"}


def as_declared(name: str) -> str:
    """The encoding of a page that names its encoding in its own text, which was read as ASCII. UTF-16 and UTF-32 are
    impossible then; a page that names them is in UTF-8 (WHATWG HTML, "prescan a byte stream")."""
    try:
        return "utf-8" if codecs.lookup(name).name in WIDE else name
    except LookupError:
        return name


def decode(body: bytes, *named: str | None) -> str:
    """The body by its byte-order mark, else by the first known encoding of `named`, else by a guess.

    The guess is UTF-8 if the body is that, else Windows-1252. Bytes without a character become U+FFFD.
    """
    for mark, encoding in MARKS:
        if body.startswith(mark):
            return body.removeprefix(mark).decode(encoding, errors="replace")
    for name in filter(None, named):
        try:
            return body.decode(READ_AS.get(codecs.lookup(name).name, name), errors="replace")
        except (LookupError, ValueError):
            continue
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode(FALLBACK, errors="replace")
