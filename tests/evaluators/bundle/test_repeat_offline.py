"""A run that searched the web, repeated elsewhere from its results bundle, without the search engine and its pages."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.models import Role
from evaluators.bundle.export import export_results
from evaluators.bundle.take_in import import_results
from evaluators.models import Run
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.repeats import copy_query
from evaluators.runs.run_job import RunJob
from evaluators.runs.run_searches import describe_pages, describe_searches
from jobs.work import work_on
from knowledge.fetching.page import hash_of
from knowledge.models import MARK, Snapshot, WebSearch
from llm.models import Endpoint
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.fake_search import fake_search

pytestmark = pytest.mark.django_db(transaction=True)

GIVEN = {"claims": "given", "pages": "1"}


def make_bios(name):
    """Two responses of two facts each; one of them is wrong."""
    dataset = make_dataset(scheme="factscore", name=name)
    for index, facts in enumerate((["Ada had horses.", "Ada was wrong."], ["Ben sang.", "Ben rode."])):
        add_facts(make_response(dataset, [" ".join(facts)], prompt=facts[0][:3], index=f"r{index}"), [facts])
    return dataset


def work(dataset, **parameters):
    run = create_run(dataset, "safe", model="m", parameters=GIVEN | parameters, name=f"over {parameters}").run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def said(run):
    return list(run.predictions.in_reading_order().values_list("value", "rationale"))


@pytest.fixture
def first(model, settings, monkeypatch, tmp_path):
    """What the run said, with the engine that is there no more; its bundle is results.zip."""
    monkeypatch.setenv("TOUCHSTONE_KEY_SEARCH", "secret")
    dataset = make_bios("one")
    with fake_search() as web:
        settings.SNAPSHOT_ALLOW = frozenset({("127.0.0.1", web.port)})
        for name in ("Ada", "Ben"):
            web.answers |= {
                query: [(name, web.page(name, f"{name} had horses. {name} rode them."), f"{name} …")]
                for query in (f"{name} had horses.", f"{name} was wrong.", f"{name} sang.", f"{name} rode.")
            }
        engine = {"base_url": f"{web.address}/serper", "key_variable": "TOUCHSTONE_KEY_SEARCH"}
        Endpoint.objects.create(name="lab search", search_engine="serper", shared=True, **engine)
        run = work(dataset, search="lab search")
        assert (run.state, run.error) == (Run.State.FINISHED, "")
        assert sorted(web.read) == ["Ada", "Ben"]
    export_results(dataset, tmp_path / "results.zip", searches=True)
    return run


@pytest.fixture
def imported(first, tmp_path):
    """The run in another dataset, whose server has none of the searches and pages but those of the bundle, and keeps
    another text of each page."""
    WebSearch.objects.all().delete()
    urls = list(Snapshot.objects.values_list("url", flat=True))
    Snapshot.objects.all().delete()
    Endpoint.objects.filter(search_engine="serper").delete()
    for url in urls:
        known = {"text": "Nobody had horses.", "text_hash": hash_of("Nobody had horses.")}
        Snapshot.objects.create(url=url, state="done", settled_at=timezone.now(), **known)
    dataset = make_bios("two")
    import_results(dataset, tmp_path / "results.zip")
    return dataset.runs.get()


def test_the_same_verdicts_follow_from_its_searches_and_pages_without_a_network(first, imported, model) -> None:
    assert said(imported) == said(first)
    assert {value for value, _ in said(first)} == {"supported", "not_supported"}
    asked = model.stats()["total"]

    again = work(imported.dataset, search=f"run:{imported.pk}")

    assert (again.state, again.error) == (Run.State.FINISHED, "")
    assert said(again) == said(first)
    # Every prompt was the same, with the same passages of the pages, so every answer was known.
    assert model.stats()["total"] == asked
    assert list(describe_searches(again)) == list(describe_searches(imported))
    assert list(describe_pages(again)) == list(describe_pages(imported))
    assert again.manifest["search"] == {
        "run": imported.pk,
        "engine": "serper",
        "address": first.manifest["search"]["address"],
    }
    assert set(Snapshot.objects.filter(searches__runs=again).values_list("url", flat=True)) == {
        f"{MARK}{page['url']}" for page in describe_pages(again)
    }


def test_a_search_that_it_did_not_make_fails_with_one_sentence(imported, model) -> None:
    other = work(imported.dataset, search=f"run:{imported.pk}", results="2")
    assert other.state == Run.State.FAILED
    assert f"Among the searches of run {imported.pk} is none for 2 results of 'A" in other.error


def test_only_a_run_of_the_dataset_that_has_searches_can_be_named(first, imported, model) -> None:
    plain = create_run(imported.dataset, "always-supported").run
    for run in (first.pk, plain.pk, 10**17):
        with pytest.raises(RunError) as refused:
            work(imported.dataset, search=f"run:{run}")
        assert str(refused.value) == f"search is run:{run}; two has no run {run} that was given searches of the web."


def test_an_estimate_counts_no_new_search(imported, model) -> None:
    given = {**GIVEN, "search": f"run:{imported.pk}"}
    assert estimate(imported.dataset, "safe", model="m", parameters=given, limit=None).searches == 0


def test_the_page_of_the_run_leads_to_a_form_that_repeats_it(imported, model, client) -> None:
    client.force_login(make_person("rhea", imported.dataset, Role.RESEARCHER))
    query = copy_query(imported)
    assert query.replace("&", "&amp;") in client.get(reverse("run", args=[imported.pk])).text
    form = client.get(f"{reverse('run-new', args=[imported.dataset_id])}?{query}").text
    assert f'<option value="run:{imported.pk}" selected>the results of run {imported.pk}, over' in form
