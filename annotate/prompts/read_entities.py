"""A file of entities with their counts: JSON lines, or CSV with a line of names."""

import csv
from collections.abc import Iterator
from pathlib import Path

from annotate.corpus.rows import LONGEST_TOPIC
from annotate.prompts.sample_entities import REGIONS, Entity, name_key
from core import row_fields as fields
from core.errors import DataError, RowError, at_line, describe
from core.json_lines import read_objects

KEYS = ("name", "region")
COUNTS = ("occurrences", "views")


def read_entities(path: Path) -> list[Entity]:
    """The entities of the file, by its ending. Each has a `name`, a `region` of REGIONS, and `occurrences`, `views` or
    both; CSV may leave one of them blank. Raises DataError, which names the line at fault."""
    rows = _csv_rows(path) if path.suffix.lower() == ".csv" else read_objects(path)
    lines: dict[str, int] = {}
    entities = []
    for line, row in rows:
        try:
            entity = _read_entity(row)
            first = lines.setdefault(name_key(entity.name), line)
            if first != line:
                raise RowError(f"{describe(entity.name)} is already that of line {first}")
        except RowError as error:
            raise at_line(path, line, error) from None
        entities.append(entity)
    return entities


def _read_entity(row: fields.Fields) -> Entity:
    fields.check_keys(row, KEYS, COUNTS)
    region = fields.filled_text(row, "region")
    if region not in REGIONS:
        raise RowError(f"region must be one of {', '.join(REGIONS)}, not {describe(region)}")
    counts = {key: _count(row, key) for key in COUNTS}
    if all(count is None for count in counts.values()):
        raise RowError("occurrences or views must be given")
    return Entity(fields.filled_text(row, "name", LONGEST_TOPIC).strip(), region, **counts)


def _count(row: fields.Fields, key: str) -> int | None:
    value = row.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise RowError(f"{key} must be a whole number from 0, not {describe(value)}")
    return value


def _csv_rows(path: Path) -> Iterator[tuple[int, fields.Fields]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True, restkey="a column without a name")
            rows = 0
            for row in reader:
                rows += 1
                yield reader.line_num, {key: _csv_value(key, value) for key, value in row.items() if value is not None}
            if not rows:
                raise at_line(path, 1, "the file is empty")
    except UnicodeDecodeError:
        raise DataError(f"{path.name}: not UTF-8 text.") from None
    except csv.Error as error:
        raise DataError(f"{path.name}: not CSV: {error}.") from None
    except OSError as error:
        raise DataError(f"{path.name}: it cannot be read: {error.strerror}.") from None


def _csv_value(key: str, value: str) -> object:
    """Counts as numbers, where they are; a blank one is unknown."""
    if key not in COUNTS:
        return value
    text = value.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else text or None
