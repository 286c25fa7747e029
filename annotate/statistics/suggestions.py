"""What suggestions change: labels that saw one beside those that did not (docs/statistics.md, Suggestions)."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from django.db.models import Count, Q

from annotate.agreement.read import independent_labels, read_labels, to_ratings
from annotate.agreement.report import clusters_of
from annotate.gold.read import CHUNK, read_gold
from annotate.models import Assignment, Dataset, SuggestionShown, Task
from annotate.models.work import LabelQuerySet
from annotate.suggestions.told import SHOWN, suggested_to
from stats.agreement_rows import describe_each
from stats.bootstrap import Resampling
from stats.gold_table import GoldTable
from stats.suggestions import Following, following

# The last is what the others are compared with.
GROUPS = (*SHOWN, SuggestionShown.WITHHELD)


@dataclass(frozen=True)
class Changes:
    """Labels whose annotators saw the suggestion after their own, and how many of these changed, by where to."""

    seen: int
    towards: int
    away: int
    other: int

    @property
    def changed(self) -> int:
        return self.towards + self.away + self.other


@dataclass(frozen=True)
class SuggestedLabel:
    """A label with the number of its prompt in the table of gold; `first` is the value from before the suggestion."""

    shown: str
    value: str
    first: str
    suggested: str
    prompt: int


def describe_suggestions(dataset: Dataset) -> dict[str, Any] | None:
    """{"runs", "rows", "changes"}; None where no submitted work could show suggestions.

    rows: of each of GROUPS `following` its labels, `between`, a row of agreement of its annotators with all values,
    and `seconds` a unit (None where no time was measured) of so many `tasks`.
    """
    seconds = _seconds_a_unit(dataset)
    if seconds is None:
        return None
    table, labels = read_gold(dataset), independent_labels(dataset).exclude(suggestion="")
    read = _read(labels, table)
    between, followed = _between(labels, table), _following(read, table)
    rows = [
        {
            "title": shown.label,
            "following": followed[place],
            "between": between[place],
            "seconds": median(seconds[shown]) if seconds[shown] else None,
            "tasks": len(seconds[shown]),
        }
        for place, shown in enumerate(GROUPS)
    ]
    return {"runs": suggested_to(labels), "rows": rows, "changes": changes_of(read)}


def _seconds_a_unit(dataset: Dataset) -> dict[str, list[float]] | None:
    """Of each submitted work whose time was measured, by what it showed; None without any work with suggestions."""
    work = Assignment.objects.filter(
        task__dataset=dataset, task__kind=Task.Kind.WORK, state=Assignment.State.SUBMITTED
    ).exclude(suggestion="")
    units = Count("labels", filter=Q(labels__revision=0))
    found = list(work.annotate(units=units).values_list("suggestion", "active_seconds", "units", "undercounted"))
    if not found:
        return None
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for shown, active, labelled, undercounted in found:
        if active and labelled and not undercounted:
            seconds[shown].append(active / labelled)
    return seconds


def _read(labels: LabelQuerySet, table: GoldTable) -> list[SuggestedLabel]:
    row_of = {key: row for row, key in enumerate(table.segments.key.tolist())}
    prompts = table.responses.prompt[table.segments.response]
    columns = labels.order_by("pk").values_list("segment_id", "suggestion", "value", "first_value", "suggested")
    return [
        SuggestedLabel(shown, value, first or value, suggested, int(prompts[row_of[segment]]))
        for segment, shown, value, first, suggested in columns.iterator(CHUNK)
        if segment in row_of
    ]


def _following(labels: list[SuggestedLabel], table: GoldTable) -> list[Following]:
    """Only prompts with such labels are drawn."""
    drawn, prompt = np.unique(np.array([each.prompt for each in labels], dtype=np.int64), return_inverse=True)
    alike = np.array([each.value == each.suggested for each in labels], dtype=np.bool_)
    groups = [np.array([each.shown == shown for each in labels], dtype=np.bool_) for shown in GROUPS]
    return following(alike, prompt, groups, Resampling(table.strata[drawn]))


def _between(labels: LabelQuerySet, table: GoldTable) -> list[dict[str, Any]]:
    """Of each group the agreement of annotators who saw the same, with all values."""
    ratings = [to_ratings(read_labels(labels.filter(suggestion=shown))[0], table) for shown in GROUPS]
    return [with_all for _, with_all in describe_each(ratings, clusters_of(ratings, table))]


def changes_of(labels: list[SuggestedLabel]) -> Changes:
    seen = [each for each in labels if each.shown == SuggestionShown.AFTER]
    changed = [each for each in seen if each.first != each.value]
    towards = sum(each.value == each.suggested for each in changed)
    away = sum(each.first == each.suggested for each in changed)
    return Changes(len(seen), towards, away, len(changed) - towards - away)
