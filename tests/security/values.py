"""Values that programs stumble over, for a field of a form, a part of a query and a place in a JSON document."""

import io
import json
import random
import zipfile
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

TEXTS = (
    "",
    " ",
    "\t\r\n",
    "0",
    "-1",
    "1",
    "007",
    "1.5",
    "1e309",
    "-0.0",
    "NaN",
    "inf",
    "9" * 40,
    str(2**31),
    str(2**63),
    str(-(2**63) - 1),
    "٣",
    "²",
    "½",
    "1_000",
    "0x10",
    "true",
    "null",
    "None",
    "[]",
    "{}",
    '{"a":',
    "[" * 2_000,
    "\x00",
    "a\x00b",
    "\x1b[31m",
    "\ufeff",
    "\u202e",
    "\ufffe",
    "😀" * 50,
    "é" * 300,
    "e\u0301",
    "a" * 20_000,
    "../../etc/passwd",
    "/",
    "//elsewhere.example/",
    "https://elsewhere.example/",
    "http://[::1",
    "http://127.0.0.1:1/",
    "javascript:alert(1)",
    "<script>alert(1)</script>",
    "{{ 7|add:7 }}",
    "{% include 'x' %}",
    "$",
    "${x}",
    "%s%n%d",
    "' OR 1=1 --",
    "*",
    "(",
    "\\",
    '"',
    "a,b;c",
    "2026-02-30",
    "2026-11-22T25:61:00Z",
    "-",
    "submitted",
    "supported",
    "felm",
)
JSON_VALUES: tuple[Any, ...] = (None, True, False, 0, -1, 2**63, 2**70, 1.5, -0.0, 1e308, [], {}, [[]], {"": {}})
FILES = (
    b"",
    b"\n",
    b"\x00" * 100,
    b"\xff\xfe\x00",
    b"\xef\xbb\xbf{}",
    b"{}",
    b"[]",
    b"null",
    b'{"a": NaN}',
    b"{" * 5_000,
    b"[" * 50_000,
    b'{"index": "1"}\n{"index": "1"}\n',
    b'{"index": 1, "prompt": null, "response": [], "segmented_response": {}}\n',
    b"a,b\n1\n1,2,3\n",
    b'a,b\n"1',
    b"PK\x03\x04",
    b"PAR1" + b"\x00" * 20 + b"PAR1",
    b"\x1f\x8b\x08\x00",
    "index;prompt\n1;é".encode("latin-1"),
)
NAMES = ("a.jsonl", "a.json", "a.csv", "a.zip", "a.txt", "a.parquet", "../../a.jsonl", "a", "é😀.jsonl", "a" * 300)


def text(chance: random.Random) -> str:
    return chance.choice(TEXTS)


def file(chance: random.Random) -> SimpleUploadedFile:
    content = chance.choice((*FILES, _zipped(chance.choice(FILES))))
    return SimpleUploadedFile(chance.choice(NAMES), content)


def document(chance: random.Random, known: Any) -> Any:
    """The JSON document with one place in it that holds another value, or is gone, or stands there twice."""
    if isinstance(known, dict) and known and chance.random() < 0.8:
        name = chance.choice(sorted(known))
        changed = dict(known)
        match chance.randrange(4):
            case 0:
                del changed[name]
            case 1:
                changed[text(chance)] = changed.pop(name)
            case _:
                changed[name] = document(chance, known[name])
        return changed
    if isinstance(known, list) and known and chance.random() < 0.8:
        place = chance.randrange(len(known))
        return [*known[:place], document(chance, known[place]), *known[place:]]
    return chance.choice(JSON_VALUES) if chance.random() < 0.5 else text(chance)


def body(chance: random.Random, known: Any) -> bytes:
    """Of a request that says it is JSON; some are none."""
    if chance.random() < 0.1:
        return chance.choice(FILES)
    return json.dumps(document(chance, known)).encode()


def _zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.jsonl", content)
        archive.writestr("manifest.json", content)
    return packed.getvalue()
