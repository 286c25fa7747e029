"""Prompts into a dataset's collection, after those that are there."""

from collections.abc import Iterable
from dataclasses import asdict

from django.db import transaction
from django.db.models import Max

from annotate.corpus.rows import PromptRow
from annotate.models import CollectedPrompt, Dataset

BATCH = 500


@transaction.atomic
def collect(dataset: Dataset, prompts: Iterable[PromptRow], origin: str) -> None:
    """The dataset's row is locked: two who collect at once get places one after the other."""
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    last = dataset.collected_prompts.aggregate(last=Max("position"))["last"]
    first = 0 if last is None else last + 1
    CollectedPrompt.objects.bulk_create(
        (
            CollectedPrompt(dataset=dataset, position=place, origin=origin, **asdict(prompt))
            for place, prompt in enumerate(prompts, start=first)
        ),
        batch_size=BATCH,
    )
