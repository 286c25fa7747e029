"""A file of prompts into a dataset's collection: checked whole, then written at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from annotate.corpus.rows import LONGEST_DOMAIN, LONGEST_FREQUENCY, LONGEST_NATIONALITY, LONGEST_TOPIC, PromptRow
from annotate.models import CollectedPrompt, Dataset, Scheme
from annotate.prompts.collect import collect
from annotate.prompts.labelled import labelled_topics
from annotate.prompts.sample_entities import name_key
from core import row_fields as fields
from core.errors import DataError, RowError, at_line, describe
from core.json_lines import read_objects

OPTIONAL = ("domain", "source", "topic", "frequency", "nationality")


@dataclass(frozen=True)
class ImportedPrompts:
    """Rows that became prompts, and rows that were there already."""

    created: int
    unchanged: int


@dataclass(frozen=True)
class PromptsFile:
    """A file that is read. rows: each prompt with its line; none is compared with a dataset yet."""

    path: Path
    rows: list[tuple[int, PromptRow]]


def import_prompts(dataset: Dataset, path: Path, apart_from: Sequence[Dataset] = ()) -> ImportedPrompts:
    """Collect the prompts of a file of JSON lines {"prompt", "topic"?, "domain"?, "source"?, "frequency"?,
    "nationality"?}. A dataset of atomic facts needs topics: they are what its responses are known by.

    Nothing is written if any line is at fault. Raises DataError; also for a topic that the dataset, or one of
    `apart_from`, has responses on: labelled topics must not be asked about again (FActScore §4.3.1).
    """
    return store_prompts(dataset, read_prompts(dataset, path), apart_from)


def read_prompts(dataset: Dataset, path: Path) -> PromptsFile:
    """The prompts, each checked by itself: nobody waits for that to write. Raises DataError."""
    if dataset.scheme == Scheme.CLAIMS:
        raise DataError(f"{dataset} holds claims against a source: they come with their files, and no model is asked.")
    file = PromptsFile(path, [])
    for line, row in read_objects(path):
        try:
            file.rows.append((line, _read_row(row, dataset.scheme)))
        except RowError as error:
            raise at_line(path, line, error) from None
    return file


@transaction.atomic
def store_prompts(dataset: Dataset, file: PromptsFile, apart_from: Sequence[Dataset] = ()) -> ImportedPrompts:
    """Collect the prompts that the dataset has not yet. Raises DataError as `import_prompts`."""
    labelled = labelled_topics([dataset, *apart_from])
    there = {prompt.text: _about(prompt) for prompt in dataset.collected_prompts.all()}
    topics = {name_key(prompt.topic): prompt.text for prompt in dataset.collected_prompts.exclude(topic="")}
    new: list[PromptRow] = []
    for line, prompt in file.rows:
        try:
            if prompt.text in there and there[prompt.text] != _about(prompt):
                raise RowError("the prompt is there already, with another topic, domain or category")
            _check_topic(prompt, topics, labelled)
        except RowError as error:
            raise at_line(file.path, line, error) from None
        if prompt.text not in there:
            there[prompt.text] = _about(prompt)
            new.append(prompt)
    collect(dataset, new, CollectedPrompt.Origin.FILE)
    return ImportedPrompts(len(new), len(file.rows) - len(new))


def _read_row(row: fields.Fields, scheme: str) -> PromptRow:
    fields.check_keys(row, ("prompt",), OPTIONAL)
    prompt = PromptRow(
        text=fields.filled_text(row, "prompt").strip(),
        domain=fields.optional_text(row, "domain", LONGEST_DOMAIN),
        source=fields.optional_text(row, "source"),
        topic=fields.optional_text(row, "topic", LONGEST_TOPIC),
        frequency=fields.optional_text(row, "frequency", LONGEST_FREQUENCY),
        nationality=fields.optional_text(row, "nationality", LONGEST_NATIONALITY),
    )
    if scheme == Scheme.FACTSCORE and not prompt.topic.strip():
        raise RowError("topic is missing: responses for atomic facts are known by it")
    return prompt


def _check_topic(prompt: PromptRow, topics: dict[str, str], labelled: Collection[str]) -> None:
    """RowError where another prompt has the topic, or there are responses on it."""
    if not prompt.topic:
        return
    key = name_key(prompt.topic)
    if key in labelled:
        raise RowError(f"there are responses on {describe(prompt.topic)} already: it must not be asked about again")
    if topics.setdefault(key, prompt.text) != prompt.text:
        raise RowError(f"another prompt is on {describe(prompt.topic)} already")


def _about(prompt: PromptRow | CollectedPrompt) -> tuple[str, ...]:
    return prompt.domain, prompt.source, prompt.topic, prompt.frequency, prompt.nationality
