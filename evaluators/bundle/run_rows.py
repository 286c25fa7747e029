"""The files of a packed run as checked rows: every error names file, line and cause."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from annotate.corpus.rows import LONGEST_INDEX
from annotate.labels.rows import Address, check_count, read_address
from core.errors import DataError, RowError, at_line, describe
from core.json_lines import read_objects
from core.row_fields import check_keys, check_list, filled_text, text
from evaluators.bundle.contents import CLAIMS, FACTS, FALLBACKS, ITEMS, RUN
from evaluators.models import RunItem
from evaluators.predictions.rows import Predicted, read_predicted
from llm.price import Part, in_order

TIMES = ("created_at", "started_at", "last_prediction_at", "finished_at")
LONGEST_METHOD, LONGEST_MODEL, LONGEST_REASON, HASH = 100, 200, 100, 64
MOST_ROWS = 1_000_000
# Of items, as the file names them.
STATES = {"done": RunItem.State.DONE, "failed": RunItem.State.FAILED, "pending": RunItem.State.WAITING}


@dataclass(frozen=True)
class RunRow:
    """The contents of run.json. times: by the name of the column, None where it is not known. known_usd, unpriced: of
    the parts of a price, where it is not wholly known (evaluators.runs.listing.Spent)."""

    evaluator: str
    method: str
    model: str
    parameters: dict[str, Any]
    times: dict[str, datetime | None]
    tokens: int
    cost_usd: float | None
    known_usd: float
    unpriced: tuple[str, ...]


@dataclass(frozen=True)
class ItemRow:
    index: str
    state: str
    error: str
    skipped: dict[str, int]


@dataclass(frozen=True)
class GeneratedFactRow:
    """A fact that the run made: at its address, by a model with a prompt of this hash."""

    address: Address
    text: str
    model: str
    prompt_hash: str


@dataclass(frozen=True)
class ClaimRow:
    """A claim that the method extracted. segment: that it was taken from, None where not said. units: the addresses of
    the units that say it. file, line: where the row stands."""

    index: str
    position: int
    text: str
    predicted: Predicted
    segment: int | None
    units: tuple[Address, ...]
    file: Path
    line: int

    def error(self, cause: str) -> DataError:
        return at_line(self.file, self.line, cause)


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def read_run(folder: Path) -> RunRow:
    """Raises DataError."""
    path = folder / RUN
    line, row = next(read_objects(path))
    try:
        keys = ("evaluator", "method", "model", "parameters", *TIMES, "tokens", "cost_usd")
        check_keys(row, keys, ("known_usd", "unpriced"))  # that earlier versions do not write
        parameters, tokens, cost = row["parameters"], row["tokens"], row["cost_usd"]
        if not isinstance(parameters, dict):
            raise RowError(f"parameters must be an object, not {describe(parameters)}")
        if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
            raise RowError("tokens is no whole number from 0")
        if cost is not None and not _is_price(cost):
            raise RowError("cost_usd is no price")
        known, unpriced = row.get("known_usd", cost or 0), row.get("unpriced", [])
        if not _is_price(known):
            raise RowError("known_usd is no price")
        if not isinstance(unpriced, list) or not set(map(str, unpriced)) <= set(Part):
            raise RowError(f"unpriced lists other parts of a price than {', '.join(Part)}")
        return RunRow(
            filled_text(row, "evaluator", LONGEST_MODEL),
            filled_text(row, "method", LONGEST_METHOD),
            short_text(row, "model", LONGEST_MODEL),
            parameters,
            {name: read_time(row, name) for name in TIMES},
            tokens,
            None if cost is None else float(cost),
            float(known),
            in_order([unpriced or ([Part.CALLS] if cost is None else [])]),
        )
    except RowError as error:
        raise at_line(path, line, error) from None


def read_items(folder: Path) -> Iterator[ItemRow]:
    """Raises DataError."""
    for path, line, row in rows_in(folder / ITEMS):
        try:
            check_keys(row, ("index", "state", "error", "skipped"))
            skipped = row["skipped"]
            if row["state"] not in tuple(STATES):
                raise RowError(f"state is {describe(row['state'])}")
            if not isinstance(skipped, dict) or not all(type(count) is int for count in skipped.values()):
                raise RowError("skipped must count units by reason")
            yield ItemRow(filled_text(row, "index", LONGEST_INDEX), STATES[row["state"]], text(row, "error"), skipped)
        except RowError as error:
            raise at_line(path, line, error) from None


def read_fallbacks(folder: Path) -> dict[Address, str]:
    """The reason of each judgement by another method, by address. Raises DataError."""
    reasons: dict[Address, str] = {}
    for path, line, row in rows_in(folder / FALLBACKS):
        try:
            check_keys(row, ("index", "segment", "fact", "reason"))
            reasons[read_address(row)] = filled_text(row, "reason", LONGEST_REASON)
        except RowError as error:
            raise at_line(path, line, error) from None
    return reasons


def read_facts(folder: Path) -> list[GeneratedFactRow]:
    """Raises DataError."""
    facts = []
    for path, line, row in rows_in(folder / FACTS):
        try:
            check_keys(row, ("index", "segment", "fact", "text", "model", "prompt_hash"))
            address = read_address(row)
            if address[2] is None:
                raise RowError("fact counts from 0; it is missing")
            hashed = short_text(row, "prompt_hash", HASH)
            facts.append(GeneratedFactRow(address, text(row, "text"), short_text(row, "model", LONGEST_MODEL), hashed))
        except RowError as error:
            raise at_line(path, line, error) from None
    return facts


def read_claims(folder: Path) -> Iterator[ClaimRow]:
    """None where the run has no such file. Raises DataError."""
    path = folder / CLAIMS
    for _, line, row in rows_in(path) if path.exists() else ():
        try:
            check_keys(row, ("index", "position", "text", "value", "score", "rationale", "segment", "units"))
            index = filled_text(row, "index", LONGEST_INDEX)
            yield ClaimRow(
                index,
                check_count(row, "position"),
                filled_text(row, "text"),
                read_predicted(row),
                None if row["segment"] is None else check_count(row, "segment"),
                tuple(_unit(index, each) for each in check_list(row["units"], "units")),
                path,
                line,
            )
        except RowError as error:
            raise at_line(path, line, error) from None


def _unit(index: str, pair: object) -> Address:
    if not isinstance(pair, list) or len(pair) != 2:
        raise RowError("units holds what is no pair of segment and fact")
    return read_address({"index": index, "segment": pair[0], "fact": pair[1]})


def rows_in(path: Path) -> Iterator[tuple[Path, int, dict[str, Any]]]:
    """The objects of a file that may be empty. Raises DataError where they are more than any run has."""
    if path.stat().st_size:
        for number, (line, row) in enumerate(read_objects(path)):
            if number == MOST_ROWS:
                raise at_line(path, line, f"more than {MOST_ROWS:,} rows")
            yield path, line, row


def short_text(row: dict[str, Any], key: str, longest: int) -> str:
    value = text(row, key)
    if len(value) > longest:
        raise RowError(f"{key} is longer than {longest} characters")
    return value


def read_time(row: dict[str, Any], key: str) -> datetime | None:
    if row[key] is None:
        return None
    try:
        at = datetime.fromisoformat(row[key])
    except (TypeError, ValueError):
        raise RowError(f"{key} is no time") from None
    if at.tzinfo is None:
        raise RowError(f"{key} has no time zone")
    return at
