"""A team's predictions are taken in: all units of the board, or nothing."""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotate.labels.rows import Address
from audit.models import Action
from audit.record import record
from core.errors import MOST_FAULTS, DataError, FaultsError
from evaluators.held_out.scoring import SentPrediction, score
from evaluators.held_out.units import by_address
from evaluators.methods.base import Unit
from evaluators.models import BoardSubmission, BoardTeam, HeldOutBoard
from evaluators.predictions.align import say_address
from evaluators.predictions.sent_rows import SentFile, SentRow, read_sent, same_text

WINDOW = timedelta(hours=24)
CLOSED = "The hidden ranks are shown: this board takes no submission any more."


def submit(request: HttpRequest, team: BoardTeam, path: Path, system: str) -> BoardSubmission:
    """DataError where the board takes none now, and where the file has not a prediction for each of its units. No
    message depends on gold."""
    board = team.board
    check_open(board, team)
    predictions = read_predictions(path, by_address(board))
    results = score(board, predictions)
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    with transaction.atomic():
        # One submission to a board at a time, and none while its hidden ranks are made.
        check_open(HeldOutBoard.objects.select_for_update().get(pk=board.pk), team)
        submission: BoardSubmission = team.submissions.create(
            system=system, file_hash=content, predictions=predictions, results=results
        )
        record(request, Action.SUBMITTED, submission, detail=str(board))
    return submission


def check_open(board: HeldOutBoard, team: BoardTeam) -> None:
    """DataError where the hidden ranks are shown, or the team has sent all that it may within 24 hours."""
    if board.shown_at is not None:
        raise DataError(CLOSED)
    again = next_at(board, team)
    if again is not None:
        raise DataError(
            f"Within 24 hours {board.daily} submission{'s are' if board.daily > 1 else ' is'} taken. "
            f"The next one is taken from {again:%d %B %Y, %H:%M} UTC."
        )


def next_at(board: HeldOutBoard, team: BoardTeam) -> datetime | None:
    """When the team may submit again; None where it may now."""
    recent = team.submissions.filter(created_at__gt=timezone.now() - WINDOW).order_by("-created_at", "-pk")
    times = list(recent.values_list("created_at", flat=True)[: board.daily])
    return times[-1] + WINDOW if len(times) == board.daily else None


def read_predictions(path: Path, units: Mapping[Address, Unit]) -> list[SentPrediction]:
    """In the order of the units. DataError: a row at fault, a unit without a prediction, too many without a value."""
    sent = read_sent(path)
    placed, faults = _place(sent, units)
    if found := sorted([*sent.faults, *faults]):
        raise FaultsError(path.name, sent.place, tuple(found[:MOST_FAULTS]))
    missing = [address for address in units if address not in placed]
    if missing:
        raise DataError(
            f"{path.name} has a prediction for {len(placed):,} of {len(units):,} units, and all are needed. "
            f"The first without one: {say_address(missing[0])}."
        )
    values = {address: row.predicted.value for address, row in placed.items()}
    decided = sum(value is not None for value in values.values())
    if decided < settings.LEAST_COVERAGE * len(units):
        raise DataError(
            f"{path.name} decides {decided:,} of {len(units):,} units; a value for "
            f"{settings.LEAST_COVERAGE * 100:g} % is needed."
        )
    return [(unit.segment_id, unit.fact_id, values[address]) for address, unit in units.items()]


def _place(sent: SentFile, units: Mapping[Address, Unit]) -> tuple[dict[Address, SentRow], list[tuple[int, str]]]:
    """The row of each address, and the faults of the other rows."""
    placed: dict[Address, SentRow] = {}
    faults = []
    for row in sent.rows:
        cause = _cause(row, units)
        if cause or row.address is None:
            faults.append((row.number, cause))
        elif (earlier := placed.setdefault(row.address, row)) is not row:
            faults.append((row.number, f"this address has its prediction in line {earlier.number} already"))
    return placed, faults


def _cause(row: SentRow, units: Mapping[Address, Unit]) -> str:
    """Why the row cannot be placed; "" where it can."""
    if row.address is None:
        return "a unit is named by index, segment and fact here, not by its text"
    if row.address not in units:
        return f"{say_address(row.address)} is no unit of this board"
    if row.text and row.text != same_text(units[row.address].text):
        return f"{say_address(row.address)} has another text"
    return ""
