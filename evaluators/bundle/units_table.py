"""One flat table of units with gold and every evaluator's predictions, as Parquet: for tools that take tables."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotate.export.judged_units import judged_units
from annotate.export.read import CHUNK, read_responses, sentences_of
from annotate.models import Dataset, Response
from annotate.models.gold import counted
from core.errors import DataError
from evaluators.models import Prediction, Run
from evaluators.predictions.read import latest_runs

TEXT, NUMBER = pa.string(), pa.int32()
COLUMNS = {
    "index": TEXT,
    "segment": NUMBER,
    "fact": NUMBER,
    "domain": TEXT,
    "topic": TEXT,
    "subject": TEXT,
    "prompt": TEXT,
    "response": TEXT,
    "text": TEXT,
    "gold": TEXT,
    "error_type": TEXT,
}
PREDICTION, SCORE = "{}: prediction", "{}: score"
NOT_PARSED = "not_parsed"


def write_units_table(
    dataset: Dataset, target: Path, evaluators: Collection[str] | None = None, gold_version: str | None = None
) -> list[str]:
    """One row a judged unit, with the prediction and score of the last finished run of each evaluator; their names.

    evaluators: names, None for all. A unit without a prediction has null, one that could not be parsed "not_parsed".
    Memory does not grow with the dataset. The file is put in its place when it is whole. DataError: there is no such
    version or evaluator, no run, or the file cannot be written.
    """
    runs = _runs(dataset, evaluators)
    revision = dataset.find_gold_revision(gold_version or "")
    names = [run.evaluator.name for run in runs]
    columns = COLUMNS | {column.format(name): kind for name in names for column, kind in _OF_EVALUATOR}
    schema = pa.schema(list(columns.items()))
    try:
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
            part = Path(folder, "units.parquet")
            with pq.ParquetWriter(part, schema, compression="zstd") as writer:
                responses = read_responses(
                    dataset, revision, dataset.responses.filter(counted("", revision)), lambda *_: None
                )
                while chunk := list(islice(responses, CHUNK)):
                    writer.write_table(pa.Table.from_pylist(list(_rows(dataset, runs, chunk)), schema=schema))
            part.replace(target)
    except OSError as error:
        raise DataError(f"{target} cannot be written: {error.strerror}.") from None
    return names


_OF_EVALUATOR = ((PREDICTION, TEXT), (SCORE, pa.float64()))


def _runs(dataset: Dataset, evaluators: Collection[str] | None) -> list[Run]:
    runs = {run.evaluator.name: run for run in latest_runs(dataset)}
    for name in evaluators or ():
        if name not in runs:
            raise DataError(f"{dataset.name} has no finished run of an evaluator {name!r}.")
    if not runs:
        raise DataError(f"{dataset.name} has no finished run to export.")
    return [run for name, run in runs.items() if evaluators is None or name in evaluators]


def _rows(dataset: Dataset, runs: Sequence[Run], responses: Sequence[Response]) -> Iterator[dict[str, Any]]:
    predictions = Prediction.objects.filter(run__in=runs, segment__response__in=responses)
    columns = ("run", "segment", "fact", "value", "score")
    judged = {
        (run, segment, fact): (value, score) for run, segment, fact, value, score in predictions.values_list(*columns)
    }
    for response in responses:
        prompt = response.prompt
        for sentence in sentences_of(response):
            for fact, gold in judged_units(dataset, sentence):
                row = {
                    "index": response.index,
                    "segment": sentence.segment.position,
                    "fact": fact.position if fact else None,
                    "domain": prompt.domain or None,
                    "topic": prompt.topic or None,
                    "subject": response.subject or None,
                    "prompt": prompt.text,
                    "response": response.text,
                    "text": (fact or sentence.segment).text,
                    "gold": gold.value if gold else None,
                    "error_type": gold.error_type or None if gold else None,
                }
                for run in runs:
                    name, key = run.evaluator.name, (run.pk, sentence.segment.pk, fact.pk if fact else None)
                    if key in judged:
                        value, score = judged[key]
                        row |= {PREDICTION.format(name): value or NOT_PARSED, SCORE.format(name): score}
                yield row
