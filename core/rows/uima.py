"""A document of INCEpTION, exported as UIMA CAS JSON, as a row: its text and the annotations of it.

https://github.com/apache/uima-uimaj-io-jsoncas. A file is one document as one person annotated it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import DataError, RowError
from core.json_lines import LONGEST_LINE, opened, parse_object

STRUCTURES = "%FEATURE_STRUCTURES"
# What a program made of the text: it is no person's annotation.
OF_PROGRAMS = ("uima.tcas.DocumentAnnotation", "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.")


def is_cas(beginning: bytes) -> bool:
    return beginning.lstrip().startswith(b"{") and any(
        f'"{key}"'.encode() in beginning for key in ("%TYPES", STRUCTURES)
    )


def read_cas(path: Path) -> Iterator[tuple[int, dict[str, Any] | RowError]]:
    """The one row: `title`, `text` and `annotations`, each with `type`, `begin`, `end` in characters and its features.
    DataError: the file has no text."""
    with opened(path) as file:
        data = file.read(LONGEST_LINE + 1)
    if len(data) > LONGEST_LINE:
        raise DataError(f"{path.name} is longer than {LONGEST_LINE // 1024**2} MB.")
    try:
        document = parse_object(b" ".join(data.splitlines()) + b"\n")
    except RowError as error:
        raise DataError(f"{path.name}: {error}.") from None
    structures = document.get(STRUCTURES)
    structures = [each for each in structures if isinstance(each, dict)] if isinstance(structures, list) else []
    text = next((each["sofaString"] for each in structures if isinstance(each.get("sofaString"), str)), None)
    if text is None:
        raise DataError(f"{path.name}: the document of UIMA has no text.")
    titles = (each["documentTitle"] for each in structures if isinstance(each.get("documentTitle"), str))
    places = _places(text)
    annotations = [_annotation(each, places) for each in structures if _is_annotation(each, places)]
    yield 1, {"title": next(titles, path.stem), "text": text, "annotations": annotations}


def _is_annotation(structure: dict[str, Any], places: list[int]) -> bool:
    by_program = str(structure.get("%TYPE", "")).startswith(OF_PROGRAMS)
    ends = (structure.get("begin"), structure.get("end"))
    return not by_program and all(isinstance(end, int) and 0 <= end < len(places) for end in ends)


def _annotation(structure: dict[str, Any], places: list[int]) -> dict[str, Any]:
    features = {key: value for key, value in structure.items() if not key.startswith(("%", "@", "^"))}
    offsets = {"begin": places[structure["begin"]], "end": places[structure["end"]]}
    return {**features, "type": structure["%TYPE"], **offsets}


def _places(text: str) -> list[int]:
    """The character at each offset of UIMA, which counts the code units of UTF-16."""
    places = [place for place, character in enumerate(text) for _ in range(2 if ord(character) > 0xFFFF else 1)]
    return [*places, len(text)]
