"""A model's facts of a response, stored."""

from collections.abc import Sequence

from django.db import transaction

from annotate.models import AtomicFact, FactSet, Proposal, Response, Segment
from annotate.segments.untouched import FixedError, lock_untouched
from jobs.errors import ItemError

Sentences = Sequence[tuple[int, str]]  # primary key and text of each segment


class ChangedError(ItemError):
    """The response was cut into other segments while the model was asked."""

    retry = True


def sentences_of(response: int) -> list[tuple[int, str]]:
    """Primary key and text of each segment of the response (its primary key), in order."""
    return list(Segment.objects.filter(response=response).order_by("position").values_list("pk", "text"))


@transaction.atomic
def store_facts(
    response: Response, sentences: Sentences, facts: Sequence[Sequence[str]], model: str, prompt_hash: str
) -> None:
    """Keep the facts of each sentence as the model's, in place of its earlier ones.

    Raises FixedError where something hangs on the response or people have begun to edit, ChangedError where its
    sentences are others by now.
    """
    locked = lock_untouched(response, Proposal.Kind.FACTS)
    if locked.fact_sets.filter(origin=FactSet.Origin.HUMAN).exists():
        raise FixedError("The facts stay as they are: people have written facts from what a model proposed before.")
    if sentences_of(locked.pk) != list(sentences):
        raise ChangedError("The response was cut into other segments meanwhile.")
    locked.fact_sets.filter(origin=FactSet.Origin.MODEL).delete()
    fact_set = FactSet.objects.create(
        response=locked, origin=FactSet.Origin.MODEL, model=model, prompt_hash=prompt_hash
    )
    AtomicFact.objects.bulk_create(
        AtomicFact(fact_set=fact_set, segment_id=segment, position=position, text=text)
        for (segment, _), texts in zip(sentences, facts, strict=True)
        for position, text in enumerate(texts)
    )
