"""Whether the segments or facts of a response may still be replaced: nothing may hang on what would go."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, ForeignObjectRel, OuterRef, Q, QuerySet

from annotate.models import Assignment, Dataset, FactSet, Proposal, Response, Scheme, Segment, Task
from annotate.models.corpus import ResponseQuerySet
from jobs.errors import ItemError
from jobs.models import JobItem

BEGUN = (Assignment.State.OPEN, Assignment.State.SUBMITTED)


class FixedError(ItemError):
    """Something hangs on the response: its segments and facts stay as they are. The message says what."""


def untouched(responses: ResponseQuerySet, kind: str) -> ResponseQuerySet:
    """Responses whose segments (kind segments) or facts may be replaced."""
    for hangs in _conditions(kind).values():
        responses = responses.exclude(hangs)
    return responses


def why_fixed(response: Response, kind: str) -> str:
    """One sentence on what hangs on the response; "" where nothing does. One query."""
    conditions = _conditions(kind)
    flags = {f"holds_{number}": hangs for number, hangs in enumerate(conditions.values())}
    row = Response.objects.filter(pk=response.pk).annotate(**flags).values_list(*flags).get()
    held = [what for what, hangs in zip(conditions, row, strict=True) if hangs]
    if not held:
        return ""
    stays = "segments stay" if kind == Proposal.Kind.SEGMENTS else "facts stay"
    return f"The {stays} as they are: {held[0]}."


def lock(response: Response) -> Response:
    """The response with its task's row and its own locked, in that order, until the transaction ends."""
    if response.task_id is not None:
        Task.objects.select_for_update().get(pk=response.task_id)
    return Response.objects.select_for_update(of=("self",)).select_related("prompt", "dataset").get(pk=response.pk)


def lock_untouched(response: Response, kind: str) -> Response:
    """Likewise. Raises FixedError where something hangs on it."""
    locked = lock(response)
    if reason := why_fixed(locked, kind):
        raise FixedError(reason)
    return locked


def _conditions(kind: str) -> dict[str, Exists]:
    """Rows that may depend on a response, by their name in messages."""
    begun = Assignment.objects.filter(task=OuterRef("task")).filter(Q(state__in=BEGUN) | ~Q(draft={}))
    claims = Dataset.objects.filter(pk=OuterRef("dataset"), scheme=Scheme.CLAIMS)
    runs = Response.objects.filter(pk=OuterRef("pk"), run_items__state__in=JobItem.UNSETTLED)
    return {
        "claims are as their file gives them": Exists(claims),
        "somebody has begun to label the response": Exists(begun),
        "an evaluator is at work on the response": Exists(runs),
        **{
            f"the response has {relation.related_model._meta.verbose_name_plural}": Exists(_hanging(relation, kind))
            for relation in _relations(kind)
        },
    }


def _hanging(relation: ForeignObjectRel, kind: str) -> QuerySet[Any]:
    """The rows of the relation. What an evaluator says of facts that it generated hangs on none that would go."""
    rows = relation.related_model._base_manager.filter(**{f"{relation.field.name}__response": OuterRef("pk")})
    names_facts = "fact" in {field.name for field in relation.related_model._meta.get_fields()}
    if kind == Proposal.Kind.FACTS and names_facts:
        return rows.exclude(fact__fact_set__origin=FactSet.Origin.GENERATED)
    return rows


def _relations(kind: str) -> Iterator[ForeignObjectRel]:
    """Whatever names a segment, in whichever room it is. What names a fact names its segment too."""
    for relation in Segment._meta.related_objects:
        if kind == Proposal.Kind.SEGMENTS or relation.name != "facts":
            yield relation
