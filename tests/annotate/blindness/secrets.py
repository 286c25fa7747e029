"""A dataset in which all that an annotator must not learn is a word of its own, to be found wherever it comes out.

Ada looks. Ben, whose very name is a secret, labels the same two tasks: `done`, on which everybody has submitted and
much was decided since, and `hand`, which Ada has at hand. A secret's word tells what it is and of which task.
"""

import re
from dataclasses import dataclass

from django.core.files.base import ContentFile
from django.utils import timezone

from annotate.models import (
    Adjudication,
    Assignment,
    AtomicFact,
    Challenge,
    Dataset,
    Edit,
    GoldEdit,
    GoldLabel,
    Label,
    Qualification,
    ReferenceLink,
    Removal,
    Response,
    ResponseLabel,
    Role,
    Sample,
    SampleItem,
    SampleRating,
    SecondLook,
    SecondLookItem,
    SecondLookRating,
    Segment,
    Segmentation,
    Signature,
    Task,
    UnitMark,
    Upload,
    User,
    ViewReceipt,
)
from evaluators.models import AuditItem, EditSample, ErrorAnalysis, Evaluator, GoldAudit, Prediction, Run
from knowledge.models import Document, KnowledgeSource, Snapshot
from tests.annotate.adjudication.work import make_task
from tests.factories import add_facts, make_dataset, make_person, make_response

WORD = re.compile(rb"zq-[a-z]+(?:-[a-z]+)*-(?:done|hand|any)")


def secret(what: str, task: str = "any") -> str:
    return f"zq-{what}-{task}"


@dataclass(frozen=True)
class People:
    ada: User
    ben: User
    dora: User


def make_world(scheme: str) -> Dataset:
    dataset = make_dataset(scheme=scheme)
    source = KnowledgeSource.objects.create(name="numbers", revision=1)
    Document.objects.create(
        source=source, key="odd", title="Odd", title_key="odd", text="One is odd.", content_hash="0" * 64, revision=1
    )
    dataset.knowledge_source = source
    dataset.save(update_fields=["knowledge_source"])
    dataset.guidelines.create(version=1, text="Judge what is said.")
    people = People(
        ada=make_person("ada", dataset),
        ben=make_person(secret("name"), dataset),
        dora=make_person("dora", dataset, Role.ADJUDICATOR),
    )
    make_person("oscar", make_dataset("other"))
    for name in ("done", "hand"):
        _make_task(dataset, people, name)
    _make_standing(dataset, people)
    _look_again(dataset, people)
    return dataset


def _make_task(dataset: Dataset, people: People, name: str) -> Task:
    response = make_response(dataset, details={secret("detailkey", name): secret("detail", name)})
    facts = add_facts(response, [["One is odd."], ["Two is odd."]])
    unit = response.segments.all()[0] if dataset.scheme == "felm" else facts[0]
    task = make_task(response)
    _label(task, response, unit, people.ben, name)
    if name == "done":
        _label(task, response, unit, people.ada, name="")
    else:
        Assignment.objects.create(
            task=task, annotator=people.ada, place=1, state="open", lease_until=timezone.now(), opened_at=timezone.now()
        )
    task.shared_messages.create(author=people.ben, text=secret("toall", name))
    _settle(dataset, response, unit, people.dora, name)
    _predict(dataset, unit, name)
    return task


def _label(task: Task, response: Response, unit: Segment | AtomicFact, who: User, name: str) -> None:
    """Work that is submitted; without a name of the task nothing in it is a secret."""

    def said(what: str) -> str:
        return secret(what, name) if name else f"my {what}"

    segment, fact = (unit, None) if isinstance(unit, Segment) else (unit.segment, unit)
    assignment = Assignment.objects.create(
        task=task,
        annotator=who,
        place=task.assignments.count(),
        state="submitted",
        submitted_at=timezone.now(),
        comment=said("comment"),
        draft={str(segment.pk): {"reason": said("draft")}},
    )
    label = Label.objects.create(
        assignment=assignment, segment=segment, fact=fact, value="not_supported", reason=said("reason")
    )
    url = f"https://{said('url').replace(' ', '-')}.example/"
    snapshot = Snapshot.objects.create(
        url=url, state="done", settled_at=timezone.now(), title=said("snapshot"), text="x", text_hash="0" * 64
    )
    ReferenceLink.objects.create(label=label, position=0, url=url, quote=said("quote"), snapshot=snapshot)
    assignment.requested_pages.create(url=url, state="done", settled_at=timezone.now(), snapshot=snapshot)
    Edit.objects.create(assignment=assignment, segment=segment, text=said("edit"))
    ResponseLabel.objects.create(assignment=assignment, response=response, keep=False, reason=said("removal"))
    UnitMark.objects.create(assignment=assignment, segment=segment, fact=fact, kind="cut", note=said("mark"))
    Challenge.objects.create(assignment=assignment, segment=segment, fact=fact, text=said("challenge"), revision=0)
    ViewReceipt.objects.create(task=task, who=who, what="labels", first_at=timezone.now(), last_at=timezone.now())


def _settle(dataset: Dataset, response: Response, unit: Segment | AtomicFact, dora: User, name: str) -> None:
    segment, fact = (unit, None) if isinstance(unit, Segment) else (unit.segment, unit)
    why, cites = secret("why", name), secret("cites", name)
    decision = Adjudication.objects.create(segment=segment, fact=fact, who=dora, why=why, cites=cites)
    revision = dataset.next_gold_revision()
    gold = GoldLabel.objects.create(
        segment=segment,
        fact=fact,
        value="supported",
        reason=secret("gold", name),
        source="adjudicated",
        adjudication=decision,
        revision=revision,
    )
    ReferenceLink.objects.create(gold=gold, position=0, url=f"https://{secret('goldurl', name)}.example/")
    GoldEdit.objects.create(segment=segment, text=secret("goldedit", name), adjudication=decision, revision=revision)
    Removal.objects.create(response=response, keep=False, who=dora, why=secret("goldremoval", name), revision=revision)
    Signature.objects.create(response=response, level="reviewer", who=dora, note=secret("signature", name))


def _predict(dataset: Dataset, unit: Segment | AtomicFact, name: str) -> None:
    segment, fact = (unit, None) if isinstance(unit, Segment) else (unit.segment, unit)
    evaluator = Evaluator.objects.create(name=secret("evaluator", name), method="always-supported")
    run = Run.objects.create(dataset=dataset, evaluator=evaluator, state="finished", error=secret("error", name))
    run.items.create(response=segment.response, position=0, state="done")
    Prediction.objects.create(
        run=run, segment=segment, fact=fact, value="supported", score=0.25, rationale=secret("rationale", name)
    )
    claim = run.extracted_claims.create(
        response=segment.response,
        position=0,
        text=secret("claim", name),
        value="supported",
        rationale=secret("why", name),
    )
    claim.alignments.create(segment=segment, fact=fact)


def _make_standing(dataset: Dataset, people: People) -> None:
    """What belongs to no task."""
    Qualification.objects.create(
        dataset=dataset, annotator=people.ben, granted_by=people.dora, why=secret("qualification")
    )
    link = dataset.recruitment_links.create(
        name=secret("link"),
        platform="mturk",
        tasks_each=9,
        most_people=9,
        screened_code=secret("screened"),
        token_hash="0" * 64,
        created_by=people.dora,
    )
    link.people.create(person=people.ben, outside_id=secret("outsideid"), code=secret("code")[:20])
    response = dataset.responses.all()[0]
    Segmentation.objects.create(response=response, origin="human", spans=[[0, len(response.text)]], author=people.ben)
    sample = Sample.objects.create(dataset=dataset, kind="safety", size=1, population=1, raters=2, seed=1)
    item = SampleItem.objects.create(sample=sample, position=0, response=response)
    SampleRating.objects.create(item=item, rater=people.ben, safe=True, valid=False, note=secret("rating"))
    Upload.objects.create(
        file=ContentFile(b"{}", name=f"{secret('file')}.jsonl"),
        file_name=f"{secret('file')}.jsonl",
        dataset_name=dataset.name,
        format="felm",
        uploaded_by=people.dora,
    )


def _look_again(dataset: Dataset, people: People) -> None:
    """A unit that is audited, and that Ada may look at: Ben has, and gold and a prediction are there. So are the units
    of the two tasks, at which she may not look. A sample of mistakes holds it, too."""
    response = make_response(dataset)
    facts = add_facts(response, [["Three is odd."], ["Four is odd."]])
    unit = response.segments.all()[0] if dataset.scheme == "felm" else facts[0]
    segment, fact = (unit, None) if isinstance(unit, Segment) else (unit.segment, unit)
    _settle(dataset, response, unit, people.dora, "any")
    _predict(dataset, unit, "any")
    run = Run.objects.latest("pk")
    look = SecondLook.objects.create(
        dataset=dataset, size=3, population=3, raters=2, seed=1, revision=dataset.gold_revision
    )
    audit = GoldAudit.objects.create(dataset=dataset, second_look=look, least=1, candidates=1, seed=1)
    audit.runs.add(run)
    judged = [(segment, fact), *((gold.segment, gold.fact) for gold in GoldLabel.objects.exclude(segment=segment))]
    for place, address in enumerate(judged):
        item = SecondLookItem.objects.create(sample=look, position=place, segment=address[0], fact=address[1])
        AuditItem.objects.create(audit=audit, item=item, gold="supported", against=place % 2, judged=1)
        SecondLookRating.objects.create(
            item=item, rater=people.ben, value="not_supported", note=secret("look"), links=[secret("looklink")]
        )
    analysis = ErrorAnalysis.objects.create(run=run, revision=dataset.gold_revision, size=1, population=1, seed=1)
    analysis.items.create(position=0, segment=segment, fact=fact, gold="supported", predicted="not_supported")
    _edit(dataset, segment, people)


def _edit(dataset: Dataset, segment: Segment, people: People) -> None:
    """An editor's correction of a sentence, and Ben's rating of it."""
    parameters = {"run": 0, "sentences": "all"}
    editor = Evaluator.objects.create(name=secret("editor"), method="edit-copy", parameters=parameters)
    manifest = {"gold": {"revision": dataset.gold_revision}}
    run = Run.objects.create(dataset=dataset, evaluator=editor, edits=True, state="finished", manifest=manifest)
    sample = EditSample.objects.create(run=run, size=1, population=1, raters=2, seed=1)
    item = sample.items.create(position=0, edit=run.sentence_edits.create(segment=segment, text=secret("edit")))
    item.ratings.create(rater=people.ben, accepted=True, new_error=False, note=secret("edit rating"))
