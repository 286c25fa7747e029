"""One object of each kind, with people of every role: what every address of the site can be asked about."""

from datetime import timedelta
from hashlib import sha256

from django.core.files.base import ContentFile
from django.utils import timezone

from annotate.models import (
    Assignment,
    Challenge,
    Dataset,
    DatasetDeletion,
    GoldVersion,
    Invitation,
    Label,
    ReferenceLink,
    RequestedPage,
    Response,
    Role,
    Sample,
    Task,
    UnitMark,
    Upload,
    User,
)
from annotate.rebuttal.evidence import page_key
from annotate.second_look.send import send
from api.models import Webhook
from evaluators.models import (
    EditSample,
    ErrorAnalysis,
    Evaluator,
    GoldAudit,
    HeldOutBoard,
    Run,
    SharedComparison,
)
from factor.models import Benchmark, Exclusion, Scoring
from factor.thresholds.draw import draw_sample
from factor.validation.exclude import exclude
from knowledge.models import Snapshot
from llm.models import Call, Endpoint
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.links.pages import frozen
from tests.factor.open_ended.work import make_settled_study
from tests.factor.perplexity.work import make_perplexity
from tests.factor.thresholds.work import FIGURES, make_build
from tests.factor.validation.work import draw, make_benchmark, rate_all
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.knowledge.sources import make_source

World = dict[str, int | str]
# Of an open recruitment link.
RECRUITMENT_KEY = "recruited"
# Of the link of an open invitation.
INVITATION_KEY = "key-of-the-world"
# Of a shared comparison, and of a team of a held-out board.
SHARED_KEY, TEAM_KEY = "key-of-what-is-shared", "key-of-the-team"


def recipe_document() -> dict[str, object]:
    return {"recipe": 1, "title": "Numbers", "responses": {"prompt": "prompt", "text": "response"}}


def make_world() -> World:
    """One object of each kind; a task that is labelled, another that Ada has at hand.

    Ada and Ben annotate, Dora adjudicates, Rhea does research; Oscar annotates another dataset, Root is superuser."""
    dataset = make_dataset()
    people = {name: make_person(name, dataset) for name in ("ada", "ben")}
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    make_person("rhea", dataset, Role.RESEARCHER)
    make_person("oscar", make_dataset("other"))
    User.objects.create_superuser("root", password="root")
    labelled, at_hand = make_response(dataset), make_response(dataset)
    fact, _ = add_facts(labelled, [["One is odd."], ["Two is odd."]])
    task = make_task(labelled)
    for name, value in (("ada", "supported"), ("ben", "not_supported")):
        judge(task, people[name], dict.fromkeys(labelled.segments.all(), value))
    assignment = Assignment.objects.create(
        task=make_task(at_hand), annotator=people["ada"], place=0, state="open", lease_until=timezone.now()
    )
    assignment.messages.create(author=dora, text="Is it odd?")
    in_rebuttal = make_task(make_response(dataset))
    rebuttal, _ = (judge(in_rebuttal, people[name], {}) for name in ("ada", "ben"))
    Task.objects.filter(pk=in_rebuttal.pk).update(rebuttal_at=timezone.now())
    upload = Upload.objects.create(
        file=ContentFile(b"{}", name="more.jsonl"),
        file_name="more.jsonl",
        dataset_name=dataset.name,
        format="felm",
        uploaded_by=dora,
    )
    run = Run.objects.create(
        dataset=dataset,
        evaluator=Evaluator.objects.create(name="yes", method="always-supported"),
        state=Run.State.QUEUED,
    )
    run.items.create(response=labelled, position=0)
    source = make_source(One="One is odd.")
    Dataset.objects.filter(pk=dataset.pk).update(knowledge_source=source)
    snapshot = Snapshot.objects.create(url="https://numbers.example/")
    label = Label.objects.filter(assignment__annotator=people["ada"]).first()
    ReferenceLink.objects.create(label=label, position=0, url=snapshot.url, snapshot=snapshot)
    requested = requested_page(assignment)
    settled = judge(make_task(make_response(dataset), wants=1), people["ada"], {})
    Task.objects.filter(pk=settled.task_id).update(closed_at=timezone.now())
    mark = UnitMark.objects.create(assignment=settled, segment=fact.segment, fact=fact, kind="cut")
    challenge = Challenge.objects.create(assignment=settled, segment=fact.segment, text="I doubt it.", revision=0)
    endpoint = Endpoint.objects.create(shared=True, name="fake", base_url="http://127.0.0.1:1")
    audit, analysis = audited(dataset, run)
    call = Call.objects.create(endpoint=endpoint, request_hash="c" * 64, model="tiny", request={}, seconds=1)
    run.predictions.create(segment=fact.segment, value="supported").calls.add(call)
    edited = edited_sample(dataset)
    webhook = Webhook.objects.create(dataset=dataset, address="https://hooks.example/", events=["run.ended"], nonce="n")
    version = dataset.gold_versions.create(name="v1", revision=0, hash="0" * 64, labels=0)
    release = version.releases.create(state="done", file=ContentFile(b"zip", name="v1.zip"))
    exclusion = validated(dataset, dora)
    build = make_build(dataset, FIGURES[:1])
    return {
        "dataset": dataset.pk,
        "document": source.documents.get().pk,
        "example": exclusion.example_id,
        "exclusion": exclusion.pk,
        "scoring": scored(exclusion).pk,
        "perplexity": make_perplexity(dataset, source).pk,
        "build": build.pk,
        "threshold sample": draw_sample(build, 1, 7, None).pk,
        "validation": exclusion.example.benchmark.validations.get().pk,
        "release": release.pk,
        "version": version.pk,
        "snapshot": snapshot.pk,
        "response": labelled.pk,
        "segmentation": labelled.segmentations.create(origin="import", spans=[]).pk,
        "segment": fact.segment_id,
        "fact": fact.pk,
        "assignment": assignment.key,
        "assignment row": assignment.pk,
        "submitted assignment": task.assignments.get(annotator=people["ada"]).key,
        "requested page": requested.key,
        "rebuttal": rebuttal.key,
        "rebuttal page": cited_in_rebuttal(rebuttal, in_rebuttal, requested),
        "in rebuttal": in_rebuttal.pk,
        "task": task.pk,
        "task move": dataset.task_moves.create(kind="assign", who=dora).pk,
        "sample": rated_sample(labelled, dora).pk,
        "member": people["ben"].memberships.get().pk,
        "person": people["ben"].pk,
        # Of a link that is not valid.
        "link key": "none",
        "invitation": invitation_of(dataset, dora).pk,
        **recruited(dataset, dora),
        "share": shared_comparison(dataset).pk,
        **held_out(version),
        "upload": upload.pk,
        "import": labelled.imported_id,
        "recipe": dora.recipes.create(name="numbers", document=recipe_document()).name,
        "document upload": dataset.document_uploads.create(
            file=ContentFile(b"{}", name="more.jsonl"), file_name="more.jsonl", source_name="more", uploaded_by=dora
        ).pk,
        "results import": dataset.results_uploads.create(
            file=ContentFile(b"zip", name="results.zip"), file_name="results.zip", uploaded_by=dora
        ).pk,
        "deletion": DatasetDeletion.objects.create(name="gone", requested_by=dora, state="failed").pk,
        "run": run.pk,
        "kind of job": "run",
        "batch": dataset.run_batches.create(name="two").pk,
        "call": call.pk,
        "endpoint": Endpoint.objects.create(shared=True, name="e", base_url="https://models.example/v1").pk,
        "settled": settled.key,
        "challenge": challenge.pk,
        "mark": mark.pk,
        "prompt": dataset.collected_prompts.create(position=0, text="Which numbers are odd?").pk,
        "audit": audit.pk,
        "look item": audit.second_look.items.get().pk,
        "analysis": analysis.pk,
        "mistake": analysis.items.get().pk,
        "editing run": edited.run_id,
        "edit sample": edited.pk,
        "edit item": edited.items.get().pk,
        "chart": "none",
        "kind": "release",
        "form": "csv",
        **benchmark_of(dataset),
        "webhook": webhook.pk,
        "delivery": webhook.deliveries.create(event="run.ended", body="{}", state="failed", status=500).pk,
        "study": make_settled_study(dataset).pk,
        "generation": dataset.generations.create(subject="tiny", model="tiny", endpoint=endpoint).pk,
    }


def invitation_of(dataset: Dataset, adjudicator: User) -> Invitation:
    invitation: Invitation = dataset.invitations.create(
        name="Zoe",
        email="zoe@example.org",
        role=Role.ANNOTATOR,
        token_hash=sha256(INVITATION_KEY.encode()).hexdigest(),
        invited_by=adjudicator,
        expires_at=timezone.now() + timedelta(days=14),
    )
    return invitation


def recruited(dataset: Dataset, adjudicator: User) -> dict[str, int]:
    """A recruitment link, and Walt, who came by it."""
    link = dataset.recruitment_links.create(
        name="pilot",
        platform="mturk",
        tasks_each=2,
        most_people=5,
        created_by=adjudicator,
        token_hash=sha256(RECRUITMENT_KEY.encode()).hexdigest(),
    )
    known = link.people.create(person=User.objects.create_user("walt"), outside_id="w1", code="WALT")
    return {"recruitment link": link.pk, "outside person": known.pk}


def shared_comparison(dataset: Dataset) -> SharedComparison:
    """A link that shows the comparison of a moment without any evaluator, and no unit of its texts."""
    document = {
        "dataset": "lab",
        "scheme": "felm",
        "gold": {"version": None, "revision": 1},
        "level": "segment",
        "level_title": "Segments",
        "figure": "f1",
        "figure_title": "F1",
        "slices": [],
        "n": 1,
        "error_prompts": 1,
        "test": "",
        "seed": 1,
        "resamples": 1,
        "permutations": 1,
        "least_coverage": 0.95,
        "shared_on": "2026-01-01",
        "software": {"version": "1"},
        "evaluators": [],
        "pairs": [],
        "manifest": {},
        "tables": [{"name": "evaluators", "title": "the table", "columns": ["Rank"], "rows": []}],
    }
    shared: SharedComparison = dataset.shared_comparisons.create(
        title="Shared", key=SHARED_KEY, figures=document, units={"of": 0, "units": []}
    )
    return shared


def held_out(version: GoldVersion) -> dict[str, int]:
    """A board without prompts, and its team."""
    board = HeldOutBoard.objects.create(
        dataset=version.dataset, version=version, title="Board", seed=1, hidden=[], public=[], daily=1
    )
    team = board.teams.create(name="Team", key_hash=sha256(TEAM_KEY.encode()).hexdigest())
    return {"board": board.pk, "team": team.pk}


def requested_page(assignment: Assignment) -> RequestedPage:
    """A page that was fetched for the assignment."""
    page: RequestedPage = assignment.requested_pages.create(
        url="https://odd.example/", state="done", settled_at=timezone.now(), snapshot=frozen("https://odd.example/")
    )
    return page


def cited_in_rebuttal(own: Assignment, task: Task, page: RequestedPage) -> str:
    """The key of the page that the other annotator of the task cites."""
    other = task.assignments.exclude(pk=own.pk).get()
    label = other.labels.create(segment=task.responses.get().segments.all()[0], value="supported")
    label.references.create(position=0, url=page.url, snapshot=page.snapshot)
    assert page.snapshot is not None
    return page_key(own, page.snapshot.pk)


def validated(dataset: Dataset, adjudicator: User) -> Exclusion:
    """An example that is left out since its sample of one completion has its one rating."""
    validation = draw(make_benchmark(dataset, false=1), raters=1)
    rate_all(validation, adjudicator)
    return exclude(validation.benchmark.examples.get(), adjudicator, "It is true after all.")


def scored(exclusion: Exclusion) -> Scoring:
    """A scoring of the excluded example's benchmark."""
    benchmark = exclusion.example.benchmark
    model = benchmark.dataset.scored_models.create(name="local", reached_by="transformers", reached_as="local")
    return benchmark.scorings.create(model=model)


def benchmark_of(dataset: Dataset) -> dict[str, int]:
    """A benchmark with one example."""
    benchmark = Benchmark.objects.create(dataset=dataset, name="numbers")
    example = benchmark.examples.create(position=0, prefix="One is odd.")
    for place, text in enumerate(("So is three.", "So is four.")):
        example.completions.create(place=place, text=text)
    return {"benchmark": benchmark.pk, "example": example.pk}


def audited(dataset: Dataset, run: Run) -> tuple[GoldAudit, ErrorAnalysis]:
    """A unit with gold that is audited, and a mistake of the run there."""
    segment = make_response(dataset).segments.all()[0]
    add_gold(segment, "supported")
    dataset.refresh_from_db()
    (item,) = send(dataset, [(segment.pk, None)], 1, 1, dataset.gold_revision, User.objects.get(username="dora"))
    audit = GoldAudit.objects.create(dataset=dataset, second_look=item.sample, least=1, candidates=1, seed=1)
    audit.items.create(item=item, gold="supported", against=1, judged=1)
    analysis = ErrorAnalysis.objects.create(run=run, revision=1, size=1, population=1, seed=1)
    analysis.items.create(position=0, segment=segment, gold="supported", predicted="not_supported")
    return audit, analysis


def edited_sample(dataset: Dataset) -> EditSample:
    """A sample of one edit, of an editor's run."""
    editor = Evaluator.objects.create(name="edit-copy", method="edit-copy", parameters={"run": 0, "sentences": "all"})
    manifest = {"gold": {"revision": 0}}
    run = Run.objects.create(evaluator=editor, dataset=dataset, edits=True, state="finished", manifest=manifest)
    segment = make_response(dataset).segments.all()[0]
    sample = EditSample.objects.create(run=run, size=1, population=1, raters=2, seed=1)
    sample.items.create(position=0, edit=run.sentence_edits.create(segment=segment, text="One is even."))
    return sample


def rated_sample(response: Response, rater: User) -> Sample:
    """A sample of one response, with its one rating."""
    sample = Sample.objects.create(dataset=response.dataset, kind="safety", size=1, population=1, seed=7)
    sample.items.create(position=0, response=response).ratings.create(rater=rater, safe=True, valid=True)
    return sample
