"""Segments and tasks that lack gold, as conditions of a query."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.models import AtomicFact, FactSet, GoldLabel, Response, Scheme, Segment
from annotate.models.work import TaskQuerySet


def segments_without_gold() -> QuerySet[Segment]:
    """Segments of a response of an outer query that lack gold, themselves or in one of their facts (FActScore)."""
    gold = GoldLabel.objects.current()
    facts = AtomicFact.objects.for_labelling()
    by_people = Q(fact_set__origin=FactSet.Origin.HUMAN)
    judged = facts.filter(by_people | ~Exists(facts.filter(by_people, segment=OuterRef("segment"))))
    bare_fact = judged.filter(~Exists(gold.filter(fact=OuterRef("pk"))), segment=OuterRef("pk"))
    whole = gold.filter(segment=OuterRef("pk"), fact__isnull=True)
    bare = Segment.objects.filter(~Exists(whole), response=OuterRef("pk"))
    return bare.filter(~Q(response__dataset__scheme=Scheme.FACTSCORE) | Exists(bare_fact))


def answered(tasks: TaskQuerySet) -> TaskQuerySet:
    """Those of the tasks in which every unit has gold."""
    return tasks.exclude(_lacks_gold())


def unanswered(tasks: TaskQuerySet) -> TaskQuerySet:
    return tasks.filter(_lacks_gold())


def _lacks_gold() -> Exists:
    return Exists(Response.objects.visible().filter(Exists(segments_without_gold()), task=OuterRef("pk")))
