"""The answers of a generation into the dataset, as responses: through the import, all at once or not at all."""

import tempfile
from pathlib import Path
from typing import Any

from django.utils import timezone

from annotate.corpus.importing import import_file
from annotate.models import CollectedPrompt, Generation, GenerationItem, Import, Scheme
from core.errors import DataError
from core.json_lines import json_line

CHUNK = 500


def index_of(subject: str, prompt: CollectedPrompt) -> str:
    """The index of the response: the subject with the topic, or with the prompt's place in the collection."""
    return f"{subject}/{prompt.topic or prompt.position + 1}"


def take_in(generation: Generation) -> int:
    """Make responses of the answered prompts and return the number of new ones. Earlier responses are unchanged.

    Raises DataError where another import is under way, or an index belongs to another response.
    """
    facts = generation.dataset.scheme == Scheme.FACTSCORE
    answered = GenerationItem.objects.filter(generation=generation).done().select_related("prompt")
    if not answered.exists():
        return 0
    row_of = _row_for_facts if facts else _row
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{generation.subject} {generation.created_at:%Y-%m-%d}.jsonl".replace("/", "-")
        with path.open("w", encoding="utf-8") as file:
            for item in answered.iterator(chunk_size=CHUNK):
                file.write(json_line(row_of(generation.subject, item)) + "\n")
        return import_file(
            path,
            generation.dataset.name,
            Import.Format.FOR_FACTS if facts else Import.Format.RESPONSES,
            generation.subject,
            created_by=generation.created_by,
        ).created


def accept(generation: Generation) -> int:
    """Finish a stopped generation with what has been answered; how many responses are new.

    Raises DataError, also while calls are under way.
    """
    if GenerationItem.objects.filter(generation=generation).leased().exists():
        raise DataError("Some calls are in progress: wait until they have ended.")
    created = take_in(generation)
    Generation.objects.filter(pk=generation.pk, state=Generation.State.STOPPED).update(
        state=Generation.State.FINISHED, error="", finished_at=timezone.now()
    )
    return created


def _row(subject: str, item: GenerationItem) -> dict[str, Any]:
    prompt = item.prompt
    row = {
        "index": index_of(subject, prompt),
        "prompt": prompt.text,
        "response": item.text,
        "domain": prompt.domain,
        "source": prompt.source,
        "topic": prompt.topic,
        "samples": item.samples,
    }
    return {key: value for key, value in row.items() if value}


def _row_for_facts(subject: str, item: GenerationItem) -> dict[str, Any]:
    """A model that says nothing abstains."""
    row = _row(subject, item)
    del row["index"]
    about = {"frequency": item.prompt.frequency, "nationality": item.prompt.nationality}
    return {**row, "response": item.text or None, **{key: value for key, value in about.items() if value}}
