"""Rows for tests, in the fewest words. Ada, Ben and Cleo annotate, Dora adjudicates, Rhea researches."""

from collections.abc import Sequence

from django.utils import timezone

from annotate.corpus.passages import write_passages
from annotate.corpus.rows import PassageRow
from annotate.models import (
    Adjudication,
    AtomicFact,
    Dataset,
    FactSet,
    GoldEdit,
    GoldLabel,
    Import,
    Membership,
    Prompt,
    Response,
    Role,
    Segment,
    SourceOwner,
    User,
)
from knowledge.models import KnowledgeSource


def make_person(name: str, dataset: Dataset | None = None, role: str = Role.ANNOTATOR) -> User:
    """A person who logs in with their own name as password, and stays at the unit that they judged."""
    person = User.objects.filter(username=name).first() or User.objects.create_user(name, password=name, moves_on=False)
    if dataset is not None:
        Membership.objects.create(user=person, dataset=dataset, role=role)
    return person


def make_dataset(name: str = "lab", scheme: str = "felm") -> Dataset:
    """What its annotators agree on may be accepted in bulk: no signatures."""
    return Dataset.objects.create(name=name, scheme=scheme, review="bulk", ready=True)


def own_source(dataset: Dataset, source: KnowledgeSource) -> None:
    """Let the source belong to the dataset, which is judged by it from now on."""
    KnowledgeSource.objects.filter(pk=source.pk).update(shared=False)
    SourceOwner.objects.create(source=source, dataset=dataset)
    Dataset.objects.filter(pk=dataset.pk).update(knowledge_source=source)


def make_response(
    dataset: Dataset,
    segments: Sequence[str] = ("One is odd.", "Two is odd."),
    prompt: str | Prompt = "Which numbers are odd?",
    domain: str = "math",
    subject: str = "",
    index: str | None = None,
    frequency: str = "",
    details: dict[str, object] | None = None,
) -> Response:
    """A visible response whose text is its segments joined by a space."""
    imported, _ = Import.objects.get_or_create(
        dataset=dataset, file_name="made.jsonl", defaults={"format": "responses", "finished_at": timezone.now()}
    )
    if isinstance(prompt, str):
        prompt = Prompt.objects.create(dataset=dataset, text=prompt, domain=domain, frequency=frequency, topic=prompt)
    position = dataset.responses.count()
    text = " ".join(segments)
    response = Response.objects.create(
        dataset=dataset,
        imported=imported,
        prompt=prompt,
        index=index or (f"{subject}/{prompt.topic}" if subject else str(position)),
        position=position,
        subject=subject,
        text=text,
        content_hash=f"{position:064d}",
        details=details or {},
    )
    rows, start = [], 0
    for place, segment in enumerate(segments):
        rows.append(Segment(response=response, position=place, text=segment, start=start, end=start + len(segment)))
        start += len(segment) + 1
    Segment.objects.bulk_create(rows)
    return response


def add_passages(claim: Segment, *texts: str) -> None:
    """What the claim is judged by, in order."""
    write_passages(claim.response.dataset, [(claim.pk, [PassageRow(text) for text in texts])])


def add_facts(response: Response, facts: Sequence[Sequence[str]], origin: str = "human") -> list[AtomicFact]:
    """Facts of the response, one list a segment."""
    fact_set = FactSet.objects.create(response=response, origin=origin)
    return [
        AtomicFact.objects.create(fact_set=fact_set, segment=segment, position=place, text=text)
        for segment, texts in zip(response.segments.all(), facts, strict=True)
        for place, text in enumerate(texts)
    ]


def add_gold(unit: Segment | AtomicFact, value: str, error_type: str = "") -> GoldLabel:
    """Imported gold for a segment or a fact, one revision further."""
    segment, fact = (unit, None) if isinstance(unit, Segment) else (unit.segment, unit)
    return GoldLabel.objects.create(
        segment=segment,
        fact=fact,
        value=value,
        error_type=error_type,
        source="import",
        revision=segment.response.dataset.next_gold_revision(),
    )


def add_correction(segment: Segment, text: str) -> GoldEdit:
    """Dora's settled correction of a sentence ("" removes it), one revision further; it ends one that was there."""
    revision = segment.response.dataset.next_gold_revision()
    segment.gold_edits.filter(superseded__isnull=True).update(superseded=revision)
    decision = Adjudication.objects.create(segment=segment, who=make_person("dora"), why="So it reads right.")
    return GoldEdit.objects.create(segment=segment, text=text, adjudication=decision, revision=revision)
