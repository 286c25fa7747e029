"""Decisions on similar units: shown to who has judged a unit, never to who still has to."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.judgements.entries import draft_of
from annotate.judgements.judgement import UnitJudgement
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import LabelUnit, readings_of
from annotate.models import Assignment, GoldLabel, Label, SecondLookItem, Task
from knowledge.bm25 import PassageIndex
from knowledge.marking import MarkedText, mark
from knowledge.words import content_words

COUNT = 5
# The number of a dataset's latest decisions that are looked through.
LOOKED_THROUGH = 2000
# The least share, and the least number, of a unit's distinct content words in a similar unit.
SHARE = 1 / 3
SHARED = 2


@dataclass(frozen=True)
class Precedent:
    """Gold that somebody decided upon (with its decision, and the guidelines that this cites) and the unit's text."""

    gold: GoldLabel
    pieces: list[MarkedText]


def judged_unit(own: Assignment, key: str) -> LabelUnit | None:
    """The unit of that key of the page, if its annotator has judged it: submitted, or saved while it is theirs.

    None as well for a key that is no unit of the task.
    """
    keys = PageKeys(own)
    units = (unit for reading in readings_of(own.task) for unit in reading.units())
    unit = next((unit for unit in units if keys.of(unit.key) == key), None)
    if unit is None or not _has_judged(own, unit):
        return None
    return unit


def _has_judged(own: Assignment, unit: LabelUnit) -> bool:
    if own.state == Assignment.State.SUBMITTED:
        return Label.objects.filter(assignment=own, segment=unit.segment, fact=unit.fact).exists()
    judgement = draft_of(own).get(unit.key)
    return own.state == Assignment.State.OPEN and isinstance(judgement, UnitJudgement) and bool(judgement.value)


def precedents(own: Assignment, unit: LabelUnit) -> list[Precedent]:
    """Decisions of adjudicators on the units most like this one, most alike first.

    Only of tasks that are closed, so that nobody is served them any more, and never of this one; tasks with known
    answers, which are served again, and units that wait for a second look are left out. Alike is what shares two
    content words and a third of the unit's, ranked by BM25.
    """
    decided = list(_decided(own)[:LOOKED_THROUGH])
    texts = [(gold.fact or gold.segment).text for gold in decided]
    words = content_words(unit.text)
    nearest = []
    for place in PassageIndex(texts).ranking(words):
        shared = set(words) & set(content_words(texts[place]))
        if len(shared) >= max(SHARED, SHARE * len(set(words))):
            nearest.append(Precedent(decided[place], mark(texts[place], words)))
        if len(nearest) == COUNT:
            break
    return nearest


def _decided(own: Assignment) -> QuerySet[GoldLabel]:
    """Adjudicated gold of the dataset's closed tasks, the latest first."""
    closed = Task.objects.real().filter(dataset=own.task.dataset_id, closed_at__isnull=False).exclude(pk=own.task_id)
    return (
        GoldLabel.objects.current()
        .of(own.task.dataset)
        .filter(source=GoldLabel.Source.ADJUDICATED, segment__response__task__in=closed)
        .exclude(segment__in=SecondLookItem.objects.of(own.task.dataset).lacking().values("segment"))
        .select_related("segment", "fact", "adjudication__guideline")
        .order_by("-revision", "-pk")
    )
