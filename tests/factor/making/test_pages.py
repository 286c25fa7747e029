"""The pages of a making: Dora begins, stops and takes; Rhea reads what was left out and why."""

import pytest
from django.urls import reverse

from annotate.models import Role
from factor.filtering.forms import FilterForm
from factor.making.forms import MakeForm
from factor.models import Benchmark, Candidate, Making, MakingItem
from tests.factor.making.corpus import begin, work
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def making(model):
    return begin()


@pytest.fixture
def dora(client, making):
    client.force_login(make_person("dora", making.benchmark.dataset, Role.ADJUDICATOR))
    return client


def see(client, name, making, query=""):
    return client.get(reverse(name, args=[making.benchmark_id]) + query).content.decode()


def do(client, name, making, **fields):
    return client.post(reverse(name, args=[making.benchmark_id]), fields, follow=True).content.decode()


def described(dataset, source, **changed):
    """The form as it first stands, with the names that it needs."""
    fields = {
        field.html_name: field.initial
        for form in (MakeForm(), FilterForm(dataset))
        for field in form
        if field.initial is not None
    }
    return {**fields, "name": "things", "source": source.pk, "model": "tiny", **changed}


def test_a_benchmark_is_begun_from_the_form(dora, making):
    dataset, source = making.benchmark.dataset, making.source

    page = dora.post(
        reverse("making-start", args=[dataset.pk]), described(dataset, source, documents=2, threshold=0.7), follow=True
    )

    begun = Making.objects.get(benchmark__name="things")
    assert page.redirect_chain[0][0] == reverse("making", args=[begun.benchmark_id])
    assert (begun.items.count(), begun.created_by.username) == (2, "dora")
    assert begun.filters["contradiction"]["threshold"] == 0.7
    assert "0 of 2 documents settled" in page.content.decode()


def test_what_is_wrong_with_the_form_is_said_and_nothing_is_begun(dora, making):
    dataset = making.benchmark.dataset
    wrong = described(dataset, making.source, name="lives")
    page = dora.post(reverse("making-start", args=[dataset.pk]), wrong)

    assert page.status_code == 422
    assert "has a benchmark named lives already" in page.content.decode()
    assert Benchmark.objects.count() == 1


def test_a_filter_that_is_not_ready_is_said_at_the_form(dora, making):
    dataset = making.benchmark.dataset
    wrong = described(dataset, making.source, fluency_by="model")
    page = dora.post(reverse("making-start", args=[dataset.pk]), wrong)

    assert page.status_code == 422
    assert "fluency.model" in page.content.decode()


def test_the_estimate_counts_calls_at_most(dora, making, model):
    dataset = making.benchmark.dataset
    address = reverse("making-new", args=[dataset.pk])
    asked = described(dataset, making.source, contradiction_by="judge", contradiction_model="j")
    page = dora.get(address, asked, headers={"HX-Request": "true"}).content.decode()

    assert "6 documents, at most 30 calls" in page
    assert "about 90 times more" in page  # 30 calls, three contradictions each, one judge
    assert "<form" not in page
    assert model.stats()["total"] == 0


def test_the_form_begins_with_what_the_address_says(dora, making):
    page = dora.get(reverse("making-new", args=[making.benchmark.dataset_id]), {"threshold": "0.45"}).content.decode()

    assert 'value="0.45"' in page
    assert "This field is required" not in page


def test_without_a_source_the_form_says_what_to_do(client):
    dataset = make_dataset("bare")
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    assert "No knowledge source yet" in client.get(reverse("making-new", args=[dataset.pk])).content.decode()


def test_progress_is_asked_for_until_the_end_and_then_the_whole_page(dora, making):
    assert 'hx-trigger="every 1s"' in see(dora, "making", making)
    address = reverse("making-progress", args=[making.benchmark_id])
    assert "HX-Refresh" not in dora.get(address, headers={"HX-Request": "true"})

    work(making)

    assert dora.get(address, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    page = see(dora, "making", making)
    assert "6 of 6 documents settled: 3 examples" in page
    assert "hx-trigger" not in page


def test_a_page_that_waits_says_that_no_worker_lives(dora, making):
    Making.objects.update(created_at="2020-01-01T00:00:00Z")
    assert "No worker is alive" in see(dora, "making", making)


def test_stopped_it_goes_on_or_takes_what_there_is(dora, making):
    assert "Nothing more is asked" in do(dora, "making-stop", making)
    do(dora, "making-resume", making)
    MakingItem.objects.filter(document__key="Short").update(state="failed", error="Told to fail.")
    Making.objects.update(state="making")
    MakingItem.objects.filter(document__key="Empty").update(
        state="leased", lease_owner="x", lease_until="2999-01-01T00:00Z"
    )
    work(making)
    page = do(dora, "making-stop", making)
    assert "Told to fail." in page

    assert "Some calls are under way still" in do(dora, "making-accept", making)
    MakingItem.objects.leased().free()
    assert "The benchmark has 3 examples now." in do(dora, "making-accept", making)


def test_that_no_document_gave_an_example_is_said_with_the_reasons(dora, making, model):
    model.control(answer="I would rather not.")
    work(making)

    page = see(dora, "making", making)

    assert "No document gave an example" in page
    assert "The model brought no contradiction that can be used" in page
    assert "The answer has no contradiction that can be read" in page


def test_candidates_are_found_by_type_outcome_and_reason(dora, making):
    work(making)
    chosen = Candidate.objects.filter(outcome="chosen")
    error_type = chosen.first().error_type

    page = dora.get(
        reverse("making-candidates", args=[making.benchmark_id]), {"outcome": "chosen", "error_type": error_type}
    )

    assert page.context["page"].paginator.count == chosen.filter(error_type=error_type).count()
    assert "<del>" in page.content.decode() and "<ins>other" in page.content.decode()
    assert "None is like that" in see(dora, "making-candidates", making, "?reason=length")
    assert "None is like that" not in see(dora, "making-candidates", making, "?reason=nonsense")


def test_documents_are_found_by_reason(dora, making):
    work(making)

    page = see(dora, "making-documents", making, "?reason=only+headlines")

    assert "Headlines" in page and "It has headlines only, no sentence." in page
    assert "Piet Hale" not in page


def test_a_benchmark_that_came_as_a_file_says_that_it_was_not_made_here(dora, making):
    other = Benchmark.objects.create(dataset=making.benchmark.dataset, name="brought")
    assert "It was not made here" in dora.get(reverse("making", args=[other.pk])).content.decode()


@pytest.mark.parametrize("name", ["making", "making-candidates", "making-documents"])
def test_more_documents_take_no_more_queries(dora, making, name, django_assert_max_num_queries):
    work(making)
    with django_assert_max_num_queries(22):
        see(dora, name, making)


def test_rhea_reads_and_begins_nothing(client, making):
    client.force_login(make_person("rhea", making.benchmark.dataset, Role.RESEARCHER))
    page = see(client, "making", making)
    assert "documents settled" in page and "Stop" not in page
