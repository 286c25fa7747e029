"""The responses of a dataset by how far their facts are."""

from dataclasses import dataclass

from django.db.models import Case, CharField, Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, Sum, Value, When

from annotate.facts.judged import model_proposed
from annotate.gold.read import integers
from annotate.models import AtomicFact, Dataset, FactSet, Proposal, Segment
from annotate.models.corpus import ResponseQuerySet, visible
from core.caching import cached
from stats.boundaries import merged, split

STATES = {"none": "No facts", "proposed": "Proposed", "editing": "Being edited", "finished": "Finished"}


def responses_with_state(dataset: Dataset) -> ResponseQuerySet:
    """Responses that have sentences, each with `facts_state` (of STATES), `proposal_state`, `proposal_error` ("" where
    none was asked for) and the numbers of sentences, model and human facts."""
    sets = FactSet.objects.filter(response=OuterRef("pk")).exclude(origin=FactSet.Origin.GENERATED)
    people = sets.filter(origin=FactSet.Origin.HUMAN)
    last = Proposal.objects.filter(response=OuterRef("pk"), kind=Proposal.Kind.FACTS).order_by("-pk")
    return (
        dataset.responses.visible()
        .filter(Exists(Segment.objects.filter(response=OuterRef("pk"))))
        .annotate(
            facts_state=Case(
                When(Exists(people.filter(draft=True)), then=Value("editing")),
                When(Exists(people), then=Value("finished")),
                When(Exists(sets), then=Value("proposed")),
                default=Value("none"),
                output_field=CharField(),
            ),
            proposal_state=Subquery(last.values("state")[:1]),
            proposal_error=Subquery(last.values("error")[:1]),
            sentences=_number(Segment.objects.filter(response=OuterRef("pk")), "response"),
            model_facts=_facts_by(FactSet.Origin.MODEL),
            human_facts=_facts_by(FactSet.Origin.HUMAN),
        )
        .select_related("prompt")
        .order_by("position")
    )


def _facts_by(origin: str) -> Subquery:
    facts = AtomicFact.objects.filter(fact_set__response=OuterRef("pk"), fact_set__origin=origin)
    return _number(facts, "fact_set__response")


def _number(rows, group: str) -> Subquery:  # type: ignore[no-untyped-def]
    return Subquery(rows.order_by().values(group).annotate(number=Count("pk")).values("number"))


@dataclass(frozen=True)
class Sets:
    """A dataset's sets of facts, counted: how many there are, the newest (its key, None: there is none), how often they
    were saved; how many `responses` have any, and in how many people are `editing` them or have `finished` them."""

    number: int
    newest: int | None
    saves: int
    responses: int
    editing: int
    finished: int


def read_sets(dataset: Dataset) -> Sets:
    """One query. A response has at most one set of people and one of a model."""
    people = Q(origin=FactSet.Origin.HUMAN)
    counted = sets_of(dataset).aggregate(
        number=Count("pk"),
        newest=Max("pk"),
        saves=Sum("version", default=0),
        responses=Count("response", distinct=True),
        editing=Count("pk", filter=people & Q(draft=True)),
        finished=Count("pk", filter=people & Q(draft=False)),
    )
    return Sets(**counted)


def count_states(dataset: Dataset, sets: Sets) -> dict[str, int]:
    """The number of responses in each of STATES."""
    with_sentences = Exists(Segment.objects.filter(response=OuterRef("pk")))
    return {
        "none": dataset.responses.visible().filter(with_sentences).count() - sets.responses,
        "proposed": sets.responses - sets.editing - sets.finished,
        "editing": sets.editing,
        "finished": sets.finished,
    }


def sets_of(dataset: Dataset) -> QuerySet[FactSet]:
    """The sets of facts of the dataset's visible responses, in no order, without those generated inside runs."""
    of_dataset = FactSet.objects.filter(visible("response__"), response__dataset=dataset)
    return of_dataset.exclude(origin=FactSet.Origin.GENERATED).order_by()


@dataclass(frozen=True)
class Boundaries:
    """Of `sentences` relevant ones with facts that people finished, of responses for which a model proposed some, the
    shares with more (`split`) and with fewer (`merged`) human than model facts (docs/statistics.md, Sizes); None where
    there is no such sentence."""

    sentences: int
    split: float | None
    merged: float | None


def boundaries_of(dataset: Dataset, sets: Sets) -> Boundaries:
    """As read_boundaries, kept as long as no set of facts has changed: 1 s among two million. Each save of a set raises
    its version; a model's new proposal is another set."""
    key = f"boundaries-{dataset.pk}-{sets.number}-{sets.newest}-{sets.saves}-{sets.editing}"
    return cached(key, lambda: read_boundaries(dataset))


def read_boundaries(dataset: Dataset) -> Boundaries:
    finished = Q(fact_set__origin=FactSet.Origin.HUMAN, fact_set__draft=False)
    proposed = Q(fact_set__origin=FactSet.Origin.MODEL)
    by_people = sets_of(dataset).filter(origin=FactSet.Origin.HUMAN, draft=False).filter(model_proposed())
    rows = list(
        AtomicFact.objects.filter(fact_set__response__in=by_people.values("response"), segment__relevant=True)
        .order_by()
        .values("segment")
        .annotate(human=Count("pk", filter=finished), model=Count("pk", filter=proposed))
        .filter(human__gt=0)
        .values_list("human", "model")
    )
    if not rows:
        return Boundaries(0, None, None)
    human, model = integers(row[0] for row in rows), integers(row[1] for row in rows)
    return Boundaries(len(rows), float(split(human, model).mean()), float(merged(human, model).mean()))
