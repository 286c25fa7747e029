"""Agreement over time: in batches of tasks ordered by their last submission.

See docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from stats.agreement_rows import describe_each
from stats.ratings import Clusters, Ratings

MOST_BATCHES = 12
LEAST_TASKS = 5


@dataclass(frozen=True)
class Batch:
    """Tasks that were completed one after the other; `tasks` are primary keys."""

    name: str
    start: date
    end: date
    tasks: frozenset[int]


def by_week(completed: Mapping[int, datetime]) -> list[Batch]:
    """Tasks by the week of their completion, Monday to Sunday; weeks without any are left out."""
    weeks: dict[date, set[int]] = {}
    for task, at in completed.items():
        weeks.setdefault(at.date() - timedelta(days=at.weekday()), set()).add(task)
    return [
        Batch(f"{monday:%Y}, week {monday.isocalendar().week}", monday, monday + timedelta(days=6), frozenset(tasks))
        for monday, tasks in sorted(weeks.items())
    ]


def in_equal_batches(completed: Mapping[int, datetime]) -> list[Batch]:
    """Tasks in order of completion, in up to 12 batches that differ by one task at most and have 5 at least (all of
    them together if there are fewer)."""
    ordered = sorted(completed, key=lambda task: (completed[task], task))
    number = max(1, min(MOST_BATCHES, len(ordered) // LEAST_TASKS))
    batches: list[Batch] = []
    first = 1
    for part in np.array_split(np.array(ordered, dtype=np.int64), number):
        tasks = part.tolist()
        if tasks:
            name = f"tasks {first} to {first + len(tasks) - 1}"
            days = completed[tasks[0]].date(), completed[tasks[-1]].date()
            batches.append(Batch(name, *days, frozenset(tasks)))
            first += len(tasks)
    return batches


def describe_batches(
    ratings: Ratings, task_of_response: Sequence[int], batches: Sequence[Batch], clusters: Clusters
) -> list[dict[str, Any]]:
    """The two rows of `describe_each` per batch, with its name, first and last day and number of tasks.

    `task_of_response`: primary key of each response's task, by its row in the table (-1: none).
    """
    parts = [
        ratings.within(np.array([task in batch.tasks for task in task_of_response], dtype=np.bool_))
        for batch in batches
    ]
    return [
        {"batch": batch.name, "start": batch.start, "end": batch.end, "tasks": len(batch.tasks), **row}
        for batch, rows in zip(batches, describe_each(parts, clusters), strict=True)
        for row in rows
    ]
