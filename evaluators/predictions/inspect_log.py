"""Scores of an eval log of inspect_ai (inspect.aisi.org.uk/eval-logs.html), in JSON or `.eval`, as predictions."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotate.corpus.rows import LONGEST_INDEX
from annotate.labels.rows import Address
from annotate.models import Value
from core.errors import DataError, RowError, at_line, describe
from core.json_limits import parse_json
from core.json_lines import opened
from core.row_fields import Fields, check_list, check_text, outside_index
from core.zips import BROKEN_ZIP, opened_zip
from core.zstd_zips import read_entry
from evaluators.predictions.rows import Predicted, SaidValues
from evaluators.predictions.sent_rows import SentFile, SentRow

LARGEST = 256 * 1024**2
MOST_VALUES = 20_000_000
# Settings of generation that change no answer.
OF_THE_CONNECTION = ("max_connections", "max_retries", "timeout", "attempt_timeout")
ZIP = b"PK\x03\x04"
# The files of a log in the format `.eval`.
HEADER, SAMPLES = "header.json", "samples/"
OF_A_SAMPLE = ("id", "epoch", "metadata", "scores")


@dataclass(frozen=True)
class InspectLog:
    """sent: a prediction each unit that has a score. model, parameters: of the evaluator. origin: what the run's
    manifest keeps of the log, with the tokens and the price in dollars of all its models (None: not known)."""

    sent: SentFile
    model: str
    parameters: dict[str, Any]
    origin: dict[str, Any]


@dataclass(frozen=True)
class InspectReader:
    """scorer: its name; "" where the log has one only. epoch: whose scores are read. values: ours by those of the
    scorer, numbers as short as they can be written ("1", "0.5")."""

    scorer: str = ""
    epoch: int = 1
    values: Mapping[str, str] = field(default_factory=dict)

    def read(self, path: Path) -> InspectLog:
        """A sample's id is the response's index. A scorer's value is a list with one item a unit of the sample's
        metadata, an object by the units' numbers from 0, or a single value where there is one unit.

        DataError names the sample's number and id.
        """
        log = _load(path)
        rows: list[SentRow] = []
        said = SaidValues(self.values)
        try:
            samples = check_list(log.get("samples"), "samples")
            scorer = self.scorer or _only_scorer(samples)
        except RowError as error:
            raise DataError(f"{path.name}: {error}.") from None
        for number, sample in enumerate(samples, start=1):
            try:
                if sample.get("epoch") == self.epoch:
                    judged = self._judged(sample, scorer, said)
                    rows.extend(SentRow(number, address, address[0], "", predicted) for address, predicted in judged)
            except (RowError, AttributeError, KeyError, TypeError) as error:
                cause = error if isinstance(error, RowError) else "it is no sample of an eval log"
                raise at_line(path, number, cause, "sample") from None
        if not rows:
            raise DataError(f"{path.name}: no sample of epoch {self.epoch} has a score of {scorer!r}.")
        said.check_used(path)
        return InspectLog(SentFile("sample", rows, []), log["eval"]["model"], _parameters(log, scorer), _origin(log))

    def _judged(self, sample: Fields, scorer: str, said: SaidValues) -> Iterator[tuple[Address, Predicted]]:
        score = (sample.get("scores") or {}).get(scorer)
        if score is None:
            return
        index = outside_index({"index": sample["id"]}, LONGEST_INDEX)
        units = check_list(sample["metadata"].get("units"), f"metadata.units of {index}")
        rationale = check_text(score.get("explanation") or "", "explanation")
        for place, value in _values(score["value"], len(units), index):
            unit = units[place]
            yield (index, unit["segment"], unit["fact"]), Predicted(_ours(value, index, said), rationale=rationale)


def _ours(value: object, index: str, said: SaidValues) -> str | None:
    """None of a unit that the scorer left without a score."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    ours = str(said.translate(value))
    if ours not in Value.values:
        key = json.dumps(value) if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else ours
        raise RowError(f"{index}: the score {key[:40]!r} is none of {', '.join(Value.values)}: say which it is")
    return ours


def _load(path: Path) -> Fields:
    with opened(path) as file:
        is_zip = file.read(len(ZIP)) == ZIP
    log = _load_archive(path) if is_zip else _load_json(path)
    about = log.get("eval") if isinstance(log, dict) else None
    if not isinstance(about, dict) or not isinstance(about.get("model"), str):
        raise DataError(f"{path.name}: it is no eval log of inspect_ai.")
    return dict(log)


def _load_json(path: Path) -> Any:
    with opened(path) as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise DataError(f"{path.name}: larger than {LARGEST // 1024**2} MB.")
    try:
        return parse_json(content, MOST_VALUES)
    except (RowError, ValueError) as error:
        raise DataError(f"{path.name}: not JSON: {error}.") from None


def _load_archive(path: Path) -> Any:
    """The zip has the log without its samples as one file, and each sample as one. Of a sample are kept the parts that
    are read, for its transcript takes far more."""
    try:
        with opened_zip(path) as (archive, entries):
            names = {entry.filename: entry for entry in entries}
            if HEADER not in names:
                raise RowError("the eval has not ended, or it is no eval log of inspect_ai")
            log = parse_json(read_entry(archive, names[HEADER]), MOST_VALUES)
            samples = []
            for entry in entries:
                if entry.filename.startswith(SAMPLES):
                    sample = parse_json(read_entry(archive, entry), MOST_VALUES)
                    samples.append({key: sample[key] for key in OF_A_SAMPLE if key in sample})
    except BROKEN_ZIP as error:
        raise DataError(f"{path.name}: a broken zip: {error}.") from None
    except (RowError, ValueError) as error:
        raise DataError(f"{path.name}: {error}.") from None
    return {**log, "samples": samples} if isinstance(log, dict) else log


def _only_scorer(samples: list[Any]) -> str:
    names = sorted({name for sample in samples if isinstance(sample, dict) for name in sample.get("scores") or {}})
    if len(names) != 1:
        raise RowError(f"name one of its scorers ({', '.join(names)})" if names else "no sample has a score")
    return str(names[0])


def _values(value: object, units: int, index: str) -> list[tuple[int, object]]:
    """(number of the unit, value) of each unit that the score is about."""
    if isinstance(value, dict):
        keys = [key for key in value if not key.isdecimal() or int(key) >= units]
        if keys:
            raise RowError(f"{index}: the score names {describe(keys[0])}; the units are 0 to {units - 1}")
        return [(int(key), each) for key, each in value.items()]
    values = value if isinstance(value, list) else [value]
    if len(values) != units:
        raise RowError(f"{index}: the score has {len(values)} values, the sample {units} units")
    return list(enumerate(values))


def _parameters(log: Fields, scorer: str) -> dict[str, Any]:
    """The task, the scorer, and how answers were generated."""
    about = log["eval"]
    config = {**(about.get("model_generate_config") or {}), **((log.get("plan") or {}).get("config") or {})}
    generating = {key: value for key, value in config.items() if value is not None and key not in OF_THE_CONNECTION}
    return {"task": about.get("task"), "scorer": scorer, **generating}


def _origin(log: Fields) -> dict[str, Any]:
    about, usage = log["eval"], list((log.get("stats", {}).get("model_usage") or {}).values())
    costs = [each.get("total_cost") for each in usage]
    kept = ("run_id", "created", "task", "task_args", "model", "model_args", "solver", "packages", "revision")
    return {
        **{key: about[key] for key in kept if key in about},
        "status": log.get("status"),
        "tokens": sum(each.get("total_tokens", 0) for each in usage),
        "cost_usd": None if not costs or None in costs else sum(costs),
    }
