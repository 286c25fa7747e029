"""Lists of the facts that a complete answer to a prompt states, and which of them units of a response cover."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from annotate.corpus.aligning import WeightedTexts
from annotate.models import Dataset, Prompt
from core import row_fields as fields
from core.errors import RowError, at_line, describe
from core.json_lines import read_objects

KEYS = ("topic", "prompt")
# Responses whose lists are compared with their units are kept in memory: evaluators judge the same units.
KEPT = 4096


@dataclass(frozen=True)
class ImportedLists:
    """created: prompts that got their first list; unchanged: those that had the same one already. replaced: what had
    another one, by topic or text, in the order of the file."""

    created: int
    unchanged: int
    replaced: list[str]


@dataclass(frozen=True)
class ListForPrompts:
    """A list of the file. name: its topic or prompt. first: prompts (primary keys) that get it as their first; other:
    those that have another."""

    name: str
    facts: list[str]
    first: tuple[int, ...]
    other: tuple[int, ...]


@dataclass(frozen=True)
class ListsFile:
    """What a file brings. unchanged: prompts that have their list already."""

    dataset: Dataset
    lists: tuple[ListForPrompts, ...]
    unchanged: int


def import_reference_facts(dataset: Dataset, path: Path, replace: bool = False) -> ImportedLists:
    """Give each prompt that the file names its list, with `replace` in place of another one. Nothing is written if any
    line is at fault. Raises DataError."""
    return store_reference_facts(read_reference_facts(dataset, path, replace))


@transaction.atomic
def store_reference_facts(read: ListsFile) -> ImportedLists:
    """A prompt that got its first list since the file was read keeps it."""
    waiting = Prompt.objects.filter(reference_facts__isnull=True)
    created = sum(waiting.filter(pk__in=each.first).update(reference_facts=each.facts) for each in read.lists)
    replacing = [each for each in read.lists if each.other]
    for each in replacing:
        Prompt.objects.filter(pk__in=each.other).update(reference_facts=each.facts)
    if created or replacing:
        Dataset.objects.filter(pk=read.dataset.pk).update(lists_revision=F("lists_revision") + 1)
    return ImportedLists(created, read.unchanged, [each.name for each in replacing])


def read_reference_facts(dataset: Dataset, path: Path, replace: bool = False) -> ListsFile:
    """The lists of a file: {"topic" or "prompt", "facts": [text, …]}, one list a line, for all prompts of the topic or
    with that text.

    Raises DataError with line and cause: a topic or prompt that is not in the dataset or stands twice, or one that has
    another list already, unless the file is to `replace` these.
    """
    known = _prompts_of(dataset)
    lines: dict[int, int] = {}
    lists: list[ListForPrompts] = []
    unchanged = 0
    for line, row in read_objects(path):
        try:
            key, name, facts = _read_row(row)
            for prompt in known[key].get(name, []):
                if lines.setdefault(prompt.pk, line) != line:
                    raise RowError(f"the list of the {key} {describe(name)} is already that of line {lines[prompt.pk]}")
                if not replace and prompt.reference_facts not in (None, facts):
                    raise RowError(f"the {key} {describe(name)} has another list already")
            if name not in known[key]:
                raise RowError(f"there is no {key} {describe(name)} in {dataset.name}")
        except RowError as error:
            raise at_line(path, line, error) from None
        first = tuple(prompt.pk for prompt in known[key][name] if prompt.reference_facts is None)
        other = tuple(prompt.pk for prompt in known[key][name] if prompt.reference_facts not in (None, facts))
        lists.append(ListForPrompts(name, facts, first, other))
        unchanged += len(known[key][name]) - len(first) - len(other)
    return ListsFile(dataset, tuple(lists), unchanged)


def listed_prompts(dataset: Dataset) -> QuerySet[Prompt]:
    """Those with a list, in the order of the dataset."""
    return dataset.prompts.filter(reference_facts__isnull=False).order_by("pk")


def reference_rows(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """The lists as rows of a file that can be imported again.

    A list stands under the prompt's text, or under its topic where it has none or prompts of that text differ in their
    lists.
    """
    lists_of: dict[str, set[tuple[str, ...] | None]] = {}
    for text, facts in dataset.prompts.values_list("text", "reference_facts").iterator():
        lists_of.setdefault(text, set()).add(None if facts is None else tuple(facts))
    given: set[tuple[str, str]] = set()
    for prompt in listed_prompts(dataset).iterator():
        by_topic = prompt.topic and (not prompt.text or len(lists_of[prompt.text]) > 1)
        key, name = ("topic", prompt.topic) if by_topic else ("prompt", prompt.text)
        if (key, name) not in given:
            given.add((key, name))
            yield {key: name, "facts": prompt.reference_facts}


def reference_lists(dataset: Dataset) -> dict[int, list[str]]:
    """The list of each visible response (primary key) whose prompt has one."""
    listed = dataset.responses.visible().filter(prompt__reference_facts__isnull=False).order_by("position")
    rows = listed.values_list("pk", "prompt__reference_facts")
    return {response: facts for response, facts in rows if facts is not None}


def share_covered(facts: Sequence[str], units: Sequence[tuple[str, bool]]) -> float:
    """The share of the facts that a supported unit covers. units: their texts, and whether they are supported.

    A fact is aligned to the unit that holds the most of it (annotate/corpus/aligning.py); a supported one covers it.
    """
    places = _aligned(tuple(facts), tuple(text for text, _ in units))
    return sum(any(units[place][1] for place in best) for best in places) / len(facts)


@lru_cache(maxsize=KEPT)
def _aligned(facts: tuple[str, ...], units: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    texts = WeightedTexts(units)
    return tuple(tuple(texts.best(fact)) for fact in facts)


def _read_row(row: fields.Fields) -> tuple[str, str, list[str]]:
    """The key that names the prompt, its value, and the facts."""
    fields.check_keys(row, ("facts",), KEYS)
    given = [key for key in KEYS if key in row]
    if len(given) != 1:
        raise RowError("a row names its prompt by topic, or by prompt")
    facts = fields.texts(row, "facts")
    if not facts:
        raise RowError("facts is empty")
    if any(not fact.strip() for fact in facts):
        raise RowError(f"facts, item {next(n for n, fact in enumerate(facts, 1) if not fact.strip())}, is empty")
    if len(set(facts)) < len(facts):
        raise RowError("a fact stands twice in facts")
    return given[0], fields.filled_text(row, given[0]), facts


def _prompts_of(dataset: Dataset) -> Mapping[str, Mapping[str, list[Prompt]]]:
    """The prompts by topic, and by text."""
    found: dict[str, dict[str, list[Prompt]]] = {key: {} for key in KEYS}
    for prompt in dataset.prompts.only("dataset", "text", "topic", "reference_facts").order_by("pk"):
        found["prompt"].setdefault(prompt.text, []).append(prompt)
        if prompt.topic:
            found["topic"].setdefault(prompt.topic, []).append(prompt)
    return found
