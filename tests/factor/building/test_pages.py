"""The pages of a build: Dora begins, stops and takes; Rhea reads what was left out and why."""

import pytest
from django.urls import reverse

from annotate.models import Role
from factor.building.forms import MakeForm
from factor.filtering.forms import FilterForm
from factor.models import Benchmark, BenchmarkBuild, BenchmarkBuildItem, Candidate
from tests.factor.building.corpus import begin, work
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def enqueued(monkeypatch):
    """Kinds and keys that the queue got."""
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda message, **_: sent.append(message))
    return sent


@pytest.fixture
def build(model):
    return begin()


@pytest.fixture
def dora(client, build):
    client.force_login(make_person("dora", build.benchmark.dataset, Role.ADJUDICATOR))
    return client


def see(client, name, build, query=""):
    return client.get(reverse(name, args=[build.benchmark_id]) + query).content.decode()


def do(client, name, build, **fields):
    return client.post(reverse(name, args=[build.benchmark_id]), fields, follow=True).content.decode()


def described(dataset, source, **changed):
    """The form as it first stands, with the names that it needs."""
    fields = {
        field.html_name: field.initial
        for form in (MakeForm(dataset), FilterForm(dataset))
        for field in form
        if field.initial is not None
    }
    return {**fields, "name": "things", "source": source.pk, "model": "tiny", **changed}


def test_a_benchmark_is_begun_from_the_form(dora, build):
    dataset, source = build.benchmark.dataset, build.source

    page = dora.post(
        reverse("build-start", args=[dataset.pk]), described(dataset, source, documents=2, threshold=0.7), follow=True
    )

    begun = BenchmarkBuild.objects.get(benchmark__name="things")
    assert page.redirect_chain[0][0] == reverse("build", args=[begun.benchmark_id])
    assert (begun.items.count(), begun.created_by.username) == (2, "dora")
    assert begun.filters["contradiction"]["threshold"] == 0.7
    assert "0 of 2 documents done" in squeezed(page.content.decode())


def test_what_is_wrong_with_the_form_is_said_and_nothing_is_begun(dora, build):
    dataset = build.benchmark.dataset
    wrong = described(dataset, build.source, name="lives")
    page = dora.post(reverse("build-start", args=[dataset.pk]), wrong)

    assert page.status_code == 422
    assert "already has a benchmark named lives" in page.content.decode()
    assert Benchmark.objects.count() == 1


def test_a_filter_that_is_not_ready_is_said_at_the_form(dora, build):
    dataset = build.benchmark.dataset
    wrong = described(dataset, build.source, fluency_by="model")
    page = dora.post(reverse("build-start", args=[dataset.pk]), wrong)

    assert page.status_code == 422
    assert "fluency.model" in page.content.decode()


def test_the_estimate_counts_calls_at_most(dora, build, model):
    dataset = build.benchmark.dataset
    address = reverse("build-new", args=[dataset.pk])
    asked = described(dataset, build.source, contradiction_by="judge", contradiction_model="j")
    page = squeezed(dora.get(address, asked, headers={"HX-Request": "true"}).content.decode())

    assert "6 documents, at most 30 calls" in page
    assert "about 90 more calls" in page  # 30 calls, three contradictions each, one judge
    assert "<form" not in page
    assert model.stats()["total"] == 0


def test_the_form_begins_with_what_the_address_says(dora, build):
    page = dora.get(reverse("build-new", args=[build.benchmark.dataset_id]), {"threshold": "0.45"}).content.decode()

    assert 'value="0.45"' in page
    assert "This field is required" not in page


def test_without_a_source_the_form_says_what_to_do(client):
    dataset = make_dataset("bare")
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    assert "No knowledge source yet" in client.get(reverse("build-new", args=[dataset.pk])).content.decode()


def test_progress_is_asked_for_until_the_end_and_then_the_whole_page(dora, build):
    assert 'hx-trigger="every 1s"' in see(dora, "build", build)
    address = reverse("build-progress", args=[build.benchmark_id])
    assert "HX-Refresh" not in dora.get(address, headers={"HX-Request": "true"})

    work(build)

    assert dora.get(address, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    page = squeezed(see(dora, "build", build))
    assert "6 of 6 documents done: 3 examples" in page
    assert 'hx-trigger="every' not in page


def test_a_page_that_waits_says_that_no_worker_lives(dora, build):
    BenchmarkBuild.objects.update(created_at="2020-01-01T00:00:00Z")
    assert "No worker is running" in see(dora, "build", build)


def test_stopped_it_goes_on_or_takes_what_there_is(dora, build):
    assert "Stopped. The examples so far" in do(dora, "build-stop", build)
    do(dora, "build-resume", build)
    BenchmarkBuildItem.objects.filter(document__key="Short").update(state="failed", error="Told to fail.")
    BenchmarkBuild.objects.update(state="building")
    BenchmarkBuildItem.objects.filter(document__key="Empty").update(
        state="leased", lease_owner="x", lease_until="2999-01-01T00:00Z"
    )
    work(build)
    page = do(dora, "build-stop", build)
    assert "Told to fail." in page

    assert "Some calls are in progress" in do(dora, "build-accept", build)
    BenchmarkBuildItem.objects.leased().give_back()
    assert "The benchmark now has 3 examples." in do(dora, "build-accept", build)


def test_that_no_document_gave_an_example_is_said_with_the_reasons(dora, build, model):
    model.control(answer="I would rather not.")
    work(build)

    page = see(dora, "build", build)

    assert "No examples. The reasons are below" in page
    assert "The model brought no contradiction that can be used" in page
    assert "The answer has no contradiction that can be read" in page


def test_candidates_are_found_by_type_outcome_and_reason(dora, build):
    work(build)
    chosen = Candidate.objects.filter(outcome="chosen")
    error_type = chosen.first().error_type

    page = dora.get(
        reverse("build-candidates", args=[build.benchmark_id]), {"outcome": "chosen", "error_type": error_type}
    )

    assert page.context["page"].paginator.count == chosen.filter(error_type=error_type).count()
    assert "<del>" in page.content.decode() and "<ins>other" in page.content.decode()
    assert "No matches" in see(dora, "build-candidates", build, "?reason=length")
    assert "No matches" not in see(dora, "build-candidates", build, "?reason=nonsense")


def test_documents_are_found_by_reason(dora, build):
    work(build)

    page = see(dora, "build-documents", build, "?reason=only+headlines")

    assert "Headlines" in page and "It has headlines only, no sentence." in page
    assert "Piet Hale" not in page


def test_a_benchmark_that_came_as_a_file_says_that_it_was_not_made_here(dora, build):
    other = Benchmark.objects.create(dataset=build.benchmark.dataset, name="brought")
    assert "No build" in dora.get(reverse("build", args=[other.pk])).content.decode()
    assert dora.get(reverse("build-progress", args=[other.pk])).status_code == 404
    assert dora.post(reverse("build-stop", args=[other.pk])).status_code == 404


@pytest.mark.parametrize("name", ["build", "build-candidates", "build-documents"])
def test_more_documents_take_no_more_queries(dora, build, name, django_assert_max_num_queries):
    work(build)
    with django_assert_max_num_queries(22):
        see(dora, name, build)


def test_rhea_reads_and_begins_nothing(client, build):
    client.force_login(make_person("rhea", build.benchmark.dataset, Role.RESEARCHER))
    page = see(client, "build", build)
    assert "documents done" in page and "Stop" not in page.split("<main")[1]
