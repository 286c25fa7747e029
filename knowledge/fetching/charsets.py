"""Bytes into text, as browsers do it."""

import codecs

MARKS = [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")]
# What says that it is Latin-1 or ASCII is read as the larger set that it mostly is (WHATWG Encoding Standard).
READ_AS = {"iso8859-1": "cp1252", "ascii": "cp1252"}
FALLBACK = "cp1252"


def decode(body: bytes, *named: str | None) -> str:
    """The body by its byte-order mark, else by the first of the `named` encodings that is known, else by a guess.

    The guess is UTF-8 if the body is that, else Windows-1252. What stands for no character becomes U+FFFD.
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
