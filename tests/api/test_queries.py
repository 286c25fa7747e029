"""Every list of the API: more rows on a page are no more queries."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotate.models import Dataset, Label, Prompt, ReferenceLink, User
from api.models import Webhook
from api.rest.views import ListView
from api.urls import API
from evaluators.models import EditSample, Evaluator, Run
from evaluators.runs.create import create_run
from factor.models import Benchmark, Scoring
from knowledge.models import Snapshot
from llm.models import Endpoint
from tests.annotate.adjudication.work import judge, make_task
from tests.api.conftest import ApiClient, client_of
from tests.api.test_access import EXPECTED
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.knowledge.sources import make_source
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

MORE = 4
# Annotators alone have work of their own; what others sent is in no list of theirs.
PERSON = {"assignments": "ada", "imports": "dora"}


@pytest.fixture(scope="module")
def world(module_db: None) -> World:
    """One object of each kind, and more of each that a list holds."""
    world = make_world()
    dataset = Dataset.objects.get(pk=world["dataset"])
    for number in range(MORE):
        for make in (add_labelled, add_people, add_evaluated, add_edited, add_scored, add_files):
            make(dataset, number, world)
    return world


def add_labelled(dataset: Dataset, number: int, world: World) -> None:
    response = make_response(dataset, prompt=f"Which of {number}?")
    Prompt.objects.filter(pk=response.prompt_id).update(reference_facts=["One is odd."])
    (fact,) = add_facts(response, [["One is odd."], []])
    first, second = response.segments.all()
    add_gold(second, "supported")
    task = make_task(response)
    for name in ("ada", "ben"):
        judge(task, name, {first: "supported", second: "not_supported"})
    url = f"https://{number}.example/"
    label = Label.objects.latest("pk")
    ReferenceLink.objects.create(
        label=label, position=0, url=url, snapshot=Snapshot.objects.create(url=url, settled_at=timezone.now())
    )
    run = Run.objects.get(pk=world["run"])
    run.predictions.create(segment=fact.segment, value="supported")
    claim = run.extracted_claims.create(response=response, position=0, text="One is odd.", value="supported")
    claim.alignments.create(segment=fact.segment, fact=fact)


def add_people(dataset: Dataset, number: int, world: World) -> None:
    make_person(f"annotator {number}", dataset)
    make_person("root", make_dataset(f"more {number}"))
    dataset.guidelines.create(version=number + 1, text="Read.")
    dataset.invitations.create(
        name="Zoe",
        role="annotator",
        token_hash=str(number) * 64,
        invited_by=User.objects.get(username="dora"),
        expires_at=timezone.now() + timedelta(days=1),
    )
    webhook = Webhook.objects.get(pk=world["webhook"])
    webhook.deliveries.create(event="run.ended", body="{}", state="failed", status=500)
    Webhook.objects.create(dataset=dataset, address=f"https://{number}.example/", events=["run.ended"], nonce="n")


def add_evaluated(dataset: Dataset, number: int, world: World) -> None:
    create_run(dataset, "random", parameters={"seed": str(number)}, name=f"draw {number}")
    dataset.run_batches.create(name=f"batch {number}")
    dataset.shared_comparisons.create(title=f"share {number}", key=f"key {number}", figures={})
    endpoint = Endpoint.objects.create(shared=True, name=f"e{number}", base_url=f"https://{number}.example/v1")
    endpoint.prices.create(model="m", prompt_usd=1, completion_usd=1)
    search = f"https://{number}.example/search"
    Endpoint.objects.create(shared=True, name=f"s{number}", base_url=search, search_engine="searxng")
    version = dataset.gold_versions.create(name=f"v{number + 2}", revision=0, hash="0" * 64, labels=0)
    version.releases.create(state="done", file=ContentFile(b"zip", name="v.zip"))


def add_edited(dataset: Dataset, number: int, world: World) -> None:
    run = Run.objects.get(pk=world["editing run"])
    edit = run.sentence_edits.create(segment=make_response(dataset).segments.all()[0], text="One is even.")
    sample = EditSample.objects.create(run=run, size=1, population=1, raters=2, seed=number + 2)
    sample.items.create(position=0, edit=edit)
    editor = Evaluator.objects.create(name=f"edit {number}", method="edit-copy", parameters={"run": number + 1})
    Run.objects.create(evaluator=editor, dataset=dataset, edits=True, state="finished", manifest=run.manifest)


def add_scored(dataset: Dataset, number: int, world: World) -> None:
    benchmark = Benchmark.objects.get(pk=world["benchmark"])
    example = benchmark.examples.create(position=number + 1, prefix="One is odd.")
    completions = [example.completions.create(place=place, text=f"So is {place}.") for place in range(2)]
    dataset.benchmarks.create(name=f"numbers {number}")
    model = dataset.scored_models.create(name=f"m{number}", reached_by="transformers", reached_as="m")
    benchmark.scorings.create(model=model)
    scoring = Scoring.objects.get(pk=world["scoring"])
    for completion in completions:
        scoring.scores.create(completion=completion, tokens=[[0, 4, -1.0]], total=-1.0, count=1)


def add_files(dataset: Dataset, number: int, world: World) -> None:
    dora = User.objects.get(username="dora")
    sent = {"file": ContentFile(b"{}", name="more.jsonl"), "file_name": "more.jsonl", "uploaded_by": dora}
    dora.uploads.create(dataset_name=dataset.name, format="felm", **sent)
    dataset.document_uploads.create(source_name="more", **sent)
    dataset.results_uploads.create(**sent)
    dataset.collected_prompts.create(position=number + 1, text=f"Which of {number}?")
    make_source(f"insects {number}", One="One is odd.")


def lists() -> Iterator[str]:
    for each in API:
        view = getattr(each.callback, "cls", None)
        if view is not None and issubclass(view, ListView):
            yield each.name or ""
    yield "jobs"


@pytest.mark.parametrize("name", list(lists()))
def test_more_rows_are_no_more_queries(world: World, name: str) -> None:
    address = reverse(f"api:{name}", args=[world[kind] for kind in EXPECTED[name, "GET"][0]])
    api = client_of(User.objects.get(username=PERSON.get(name, "root")))
    counts = [queries_of(api, f"{address}?page_size={size}", rows) for size, rows in ((2, 2), (1000, MORE))]
    assert counts[0] == counts[1]


def queries_of(api: ApiClient, address: str, rows: int) -> int:
    """Once before they are counted: what a process reads once, and what is noted once."""
    ask: Callable[[], list[object]] = lambda: api.get(address).json()["results"]  # noqa: E731
    ask()
    with CaptureQueriesContext(connection) as queries:
        assert len(ask()) >= rows, "too few rows to tell"
    return len(queries)
