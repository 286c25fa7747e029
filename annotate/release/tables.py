"""The release as two tables, one of judged units and one of responses: Parquet, which keeps every type, and CSV."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from annotate.export.read import cited_by
from annotate.models import Response
from annotate.release.contents import Frozen, ReleasedUnit, units_of
from annotate.release.counts import Counts
from core.chunks import in_chunks
from core.csv import BYTE_ORDER_MARK, csv_line, flat_cell

TEXT, NUMBER, FLAG, TEXTS = pa.string(), pa.int32(), pa.bool_(), pa.list_(pa.string())

Columns = Mapping[str, tuple[pa.DataType, str]]
Row = dict[str, Any]

# The type of each column by name, and its description.
UNITS: Columns = {
    "index": (TEXT, "The response that the unit is of: `index` in the table of responses."),
    "segment": (NUMBER, "Which segment of the response, from 0."),
    "fact": (NUMBER, "Which atomic fact of the segment, from 0; null where the segment itself is judged."),
    "domain": (TEXT, "Domain of the prompt."),
    "subject": (TEXT, "The model that wrote the response."),
    "prompt": (TEXT, "What the model was asked."),
    "segment_text": (TEXT, "The segment."),
    "text": (TEXT, "The unit that is judged: the segment or the fact."),
    "value": (TEXT, "supported, not_supported or irrelevant; of claims also not_enough_evidence."),
    "error_type": (TEXT, "The type of an error; null where there is none."),
    "reason": (TEXT, "Why; null where nobody said."),
    "source": (TEXT, "import, unanimous or adjudicated: how the judgement came about."),
    "references": (
        TEXTS,
        "Addresses of the pages that the judgement goes by; of a document without one its title.",
    ),
    "correction_settled": (FLAG, "Whether it is settled how the segment reads when it is made right."),
    "correction": (
        TEXT,
        "How it reads then: as it is if nothing is wrong, empty if it is to be removed; null where nobody settled it.",
    ),
}
RESPONSES: Columns = {
    "index": (TEXT, "Key of the response."),
    "domain": (TEXT, "Domain of the prompt."),
    "source": (TEXT, "Where the prompt comes from."),
    "topic": (TEXT, "What the prompt is about."),
    "frequency": (TEXT, "How often the topic is mentioned: a class."),
    "nationality": (TEXT, "Region of the topic."),
    "subject": (TEXT, "The model that wrote the response."),
    "prompt": (TEXT, "What the model was asked."),
    "response": (TEXT, "What it answered."),
    "abstained": (FLAG, "Whether it declined to answer."),
    "segments": (NUMBER, "Segments of the response."),
    "units": (NUMBER, "Units with a judgement."),
    "errors": (NUMBER, "Those of them with another value than supported."),
    "references": (TEXTS, "Addresses that belong to the response."),
}
# Responses whose rows are written together.
BATCH = 200


def write_tables(frozen: Frozen, folder: Path, counts: Counts, progress: Callable[[int], None]) -> None:
    """units and responses, each as .parquet and .csv, with their contents added to `counts`. `progress` is called with
    how many responses are written."""
    with TableWriter(folder, "units", UNITS) as units, TableWriter(folder, "responses", RESPONSES) as responses:
        written = 0
        for group in in_chunks(frozen.responses(), BATCH):
            judged = [(response, list(units_of(frozen.dataset, response))) for response in group]
            for response, of in judged:
                counts.add(response, of)
            units.write([_unit_row(response, unit) for response, of in judged for unit in of])
            responses.write([_response_row(response, of) for response, of in judged])
            written += len(group)
            progress(written)


class TableWriter:
    """One table into two files, a batch at a time; used as a context."""

    def __init__(self, folder: Path, name: str, columns: Columns) -> None:
        self._columns = columns
        self._schema = pa.schema([(column, kind) for column, (kind, _) in columns.items()])
        self._parquet = folder / f"{name}.parquet"
        self._csv = folder / f"{name}.csv"
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._writer = self._open.enter_context(pq.ParquetWriter(self._parquet, self._schema, compression="zstd"))
        self._lines = self._open.enter_context(self._csv.open("w", encoding="utf-8", newline=""))
        self._lines.write(f"{BYTE_ORDER_MARK}{csv_line(self._columns)}\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def write(self, rows: Sequence[Row]) -> None:
        self._writer.write_table(pa.Table.from_pylist(list(rows), schema=self._schema))
        self._lines.writelines(f"{csv_line(flat_cell(row[column]) for column in self._columns)}\n" for row in rows)


def _unit_row(response: Response, unit: ReleasedUnit) -> Row:
    gold = unit.gold
    return {
        "index": response.index,
        "segment": unit.segment.position,
        "fact": None if unit.fact is None else unit.fact.position,
        "domain": response.prompt.domain or None,
        "subject": response.subject or None,
        "prompt": response.prompt.text,
        "segment_text": unit.segment.text,
        "text": unit.text,
        "value": gold.value,
        "error_type": gold.error_type or None,
        "reason": gold.reason or None,
        "source": gold.source,
        "references": cited_by(gold),
        "correction_settled": unit.correction is not None,
        "correction": unit.correction,
    }


def _response_row(response: Response, units: Sequence[ReleasedUnit]) -> Row:
    prompt = response.prompt
    return {
        "index": response.index,
        "domain": prompt.domain or None,
        "source": prompt.source or None,
        "topic": prompt.topic or None,
        "frequency": prompt.frequency or None,
        "nationality": prompt.nationality or None,
        "subject": response.subject or None,
        "prompt": prompt.text,
        "response": response.text,
        "abstained": response.abstained,
        "segments": len(response.segments.all()),
        "units": len(units),
        "errors": sum(unit.gold.value != "supported" for unit in units),
        "references": [link.url for link in response.references.all() if link.url],
    }
