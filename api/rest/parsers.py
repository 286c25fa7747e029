"""JSON bodies, within the limits of core/json_limits.py, and bodies that are a file."""

import json
import shutil
from typing import IO, Any

from django.core.files.uploadedfile import TemporaryUploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, DataAndFiles

from core.errors import RowError
from core.json_limits import MOST_IN_DOCUMENT, parse_json

NUL = "\x00"


class LimitedJsonParser(BaseParser):
    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Any = None) -> Any:
        data = stream.read()
        try:
            value = parse_json(data, MOST_IN_DOCUMENT, parse_constant=_refuse)
        except (RowError, UnicodeDecodeError, json.JSONDecodeError, ValueError) as error:
            raise ParseError(f"The body is no JSON that is taken here: {error}.") from None
        if b"\\u0000" in data:
            _refuse_nul(value)
        return value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def _refuse_nul(value: Any) -> None:
    """No database keeps a text with a NUL character."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, str) and NUL in each:
            raise ParseError("A text holds a NUL character, which cannot be kept.")


class FileParser(BaseParser):
    """The body as the one file `file`, kept on disk; its name ends as its form asks for."""

    ending: str

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Any = None) -> "DataAndFiles[Any, Any]":
        file = TemporaryUploadedFile(f"body.{self.ending}", self.media_type, 0, None)
        shutil.copyfileobj(stream, file)
        file.size = file.tell()
        file.seek(0)
        return DataAndFiles(QueryDict(), MultiValueDict({"file": [file]}))


class JsonLinesParser(FileParser):
    media_type = "application/x-ndjson"
    ending = "jsonl"


class CsvParser(FileParser):
    media_type = "text/csv"
    ending = "csv"


class ParquetParser(FileParser):
    media_type = "application/vnd.apache.parquet"
    ending = "parquet"


FILE_PARSERS = [JsonLinesParser, CsvParser, ParquetParser]
