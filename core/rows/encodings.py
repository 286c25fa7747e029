"""The encoding of a text file: by its mark, else UTF-8, else a guess, of which a note tells."""

import codecs
from itertools import islice
from pathlib import Path

from core.errors import DataError
from core.json_lines import BYTE_ORDER_MARK, opened, raw_lines

UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Lines that are not ASCII, from which the encoding is guessed.
GUESSED_FROM = 200
SHOWN = 40
CHUNK = 1024**2
WESTERN = "cp1252"
# Encodings of other scripts that spreadsheets write; what is none of them is taken for Western European.
OTHERS = ("cp1251", "cp932", "shift_jis", "gb18030", "big5", "euc_kr", "euc_jp", "cp949")
TITLES = {WESTERN: "Western European (Windows-1252)", "cp1251": "Cyrillic (Windows-1251)"}


def encoding_of(path: Path, notes: list[str]) -> str:
    """Its name in Python. A guess is added to the notes. DataError where the file cannot be read, or is no text."""
    with opened(path) as file:
        beginning = file.read(len(BYTE_ORDER_MARK))
    if beginning.startswith(UTF_16_MARKS):
        return "utf-16"
    if _is_utf_8(path):
        return "utf-8-sig"
    encoding, example = _guess(path)
    notes.append(
        f"the file is not UTF-8, and is read as {TITLES.get(encoding, encoding)}, such as “{example}”; where that is "
        "wrong, save it as what spreadsheets call “CSV UTF-8”"
    )
    return encoding


def _is_utf_8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with opened(path) as file:
            while chunk := file.read(CHUNK):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _guess(path: Path) -> tuple[str, str]:
    """The encoding, and one word of the file that is not ASCII."""
    from charset_normalizer import from_bytes

    lines = b"".join(islice((line for _, line in raw_lines(path) if not line.isascii()), GUESSED_FROM))
    best = from_bytes(lines, cp_isolation=[WESTERN, *OTHERS]).best()
    encoding = best.encoding if best is not None and best.encoding in OTHERS else WESTERN
    try:
        for _, line in raw_lines(path):
            line.decode(encoding)
        words = lines.decode(encoding).split()
    except UnicodeDecodeError:
        raise DataError(
            f"{path.name} is not UTF-8 text, nor text in another encoding that is known here; spreadsheets call the "
            "right form “CSV UTF-8”."
        ) from None
    return encoding, next(word for word in words if not word.isascii())[:SHOWN]
