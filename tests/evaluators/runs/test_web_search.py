"""Runs of methods that search the web, over real HTTP."""

import json
from datetime import timedelta
from decimal import Decimal
from hashlib import sha256

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.links.prune import pages_to_prune
from annotate.models import EndpointGrant, Role
from evaluators.models import Run, RunItem
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.listing import spent_by
from evaluators.runs.progress import progress_of
from evaluators.runs.reading import read_again
from evaluators.runs.run_job import RunJob
from jobs.budget import Room, RowBudget, Spending
from jobs.limits import Limits
from jobs.work import work_on
from knowledge.models import WebSearch
from llm.endpoints import default_endpoint
from llm.errors import EndpointAddressError
from llm.models import Call, Endpoint
from tests.evaluators.runs.test_leases import lease
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.fake_search import fake_search
from tests.knowledge.sources import make_source
from tests.pages import squeezed

pytestmark = pytest.mark.django_db(transaction=True)

SAFE_SEARCHES = 4  # one of each fact of the dataset


@pytest.fixture
def web():
    with fake_search() as server:
        yield server


@pytest.fixture
def engine(web, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_KEY_SEARCH", "secret")
    return Endpoint.objects.create(
        name="lab search",
        base_url=f"{web.address}/serper",
        key_variable="TOUCHSTONE_KEY_SEARCH",
        search_engine="serper",
        shared=True,
    )


@pytest.fixture
def bios(db):
    """Two responses of two facts each; one of them is wrong."""
    dataset = make_dataset(scheme="factscore")
    for facts in (["Ada had horses.", "Ada was wrong."], ["Ben sang.", "Ben rode."]):
        add_facts(make_response(dataset, [" ".join(facts)], prompt=facts[0][:3]), [facts])
    return dataset


def work(dataset, method="safe", limits=None, **parameters):
    given = {"search": "lab search", "claims": "given"} | parameters
    options = {"limits": limits} if limits else {}
    run = create_run(dataset, method, model="m", parameters=given, force=True, **options).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def said(run):
    return list(run.predictions.in_reading_order().values_list("value", flat=True))


@pytest.mark.parametrize("method", ["safe", "factool"])
def test_given_facts_are_judged_and_the_searches_are_frozen(bios, model, web, engine, method):
    run = work(bios, method)

    assert (run.state, run.error) == (Run.State.FINISHED, "")
    assert said(run) == ["supported", "not_supported", "supported", "supported"]
    assert run.manifest["search"] == {"engine": "serper", "address": engine.base_url}
    assert WebSearch.objects.count() == len(web.asked)
    first = len(web.asked)
    calls = model.stats()["total"]

    assert said(work(bios, method)) == said(run)
    assert (len(web.asked), model.stats()["total"]) == (first, calls)


@pytest.mark.parametrize("method", ["safe", "factool"])
def test_claims_are_extracted_searched_for_and_aligned(lab, model, web, engine, method):
    """Three responses of two segments; one has "Four is odd: wrong."."""
    run = work(lab, method, claims="extracted")

    assert (run.state, run.error) == (Run.State.FINISHED, "")
    values = said(run)
    assert (values.count("not_supported"), set(values)) == (1, {"supported", "not_supported"})
    assert web.asked


def test_a_run_without_an_engine_is_refused_in_one_sentence(bios, model, engine):
    with pytest.raises(RunError) as refused:
        create_run(bios, "safe", model="m")
    assert str(refused.value) == (
        "safe needs a search engine: name one in the parameter search; lab can use lab search."
    )
    engine.delete()
    with pytest.raises(RunError, match="who may add endpoints adds one on the page of endpoints"):
        create_run(bios, "safe", model="m")


def test_an_engine_that_is_not_granted_is_as_if_it_were_not_there(bios, model, engine):
    Endpoint.objects.filter(pk=engine.pk).update(shared=False)
    with pytest.raises(EndpointAddressError, match="There is no search engine named 'lab search'"):
        create_run(bios, "safe", model="m", parameters={"search": "lab search"})
    EndpointGrant.objects.create(endpoint=engine, dataset=bios)
    assert work(bios).state == Run.State.FINISHED


def test_an_endpoint_of_models_is_no_search_engine_and_the_other_way_round(bios, model, engine):
    with pytest.raises(EndpointAddressError, match="There is no search engine named"):
        create_run(bios, "safe", model="m", parameters={"search": default_endpoint().name})
    with pytest.raises(EndpointAddressError, match="There is no endpoint named 'lab search'"):
        create_run(bios, "factscore-no-context", model="m", parameters={"endpoint": "lab search"})


def test_without_its_key_a_run_fails_with_one_sentence(bios, model, web, engine, monkeypatch):
    monkeypatch.delenv("TOUCHSTONE_KEY_SEARCH")
    run = work(bios)
    assert run.state == Run.State.FAILED
    assert "The search engine lab search needs a key: TOUCHSTONE_KEY_SEARCH is not set on this server." in run.error
    assert (web.asked, model.stats()["total"]) == ([], 0)


def test_searches_count_against_the_budget_and_stop_at_it(bios, model, web, engine):
    Endpoint.objects.filter(pk=engine.pk).update(search_usd=Decimal("0.4"))
    default_endpoint().prices.create(model="m", prompt_usd=0, completion_usd=0)

    run = work(bios, limits=Limits(None, Decimal(1)), in_flight="1")

    assert run.state == Run.State.OUT_OF_BUDGET, run.error
    assert (run.spent_usd, len(web.asked)) == (Decimal("0.8"), 2)
    assert WebSearch.objects.filter(cost_usd=Decimal("0.4")).count() == 2


def test_a_budget_needs_the_price_of_a_search(bios, model, engine):
    default_endpoint().prices.create(model="m", prompt_usd=0, completion_usd=0)
    given = {"search": "lab search", "claims": "given"}
    with pytest.raises(RunError, match="What a search with lab search costs is not known"):
        create_run(bios, "safe", model="m", parameters=given, limits=Limits(None, Decimal(1)))


def test_the_knowledge_source_stands_for_the_web(bios, model, web):
    with pytest.raises(RunError, match="lab has none"):
        create_run(bios, "safe", model="m", parameters={"search": "corpus"})
    bios.knowledge_source = make_source(Ada="Ada had horses.", Ben="Ben sang.")
    bios.save()

    run = work(bios, search="corpus")

    assert run.state == Run.State.FINISHED, run.error
    assert run.manifest["search"] == {"engine": "corpus", "address": None}
    assert "Found: Ada" in run.predictions.in_reading_order()[0].rationale
    assert (web.asked, WebSearch.objects.count()) == ([], SAFE_SEARCHES)


def test_an_answer_that_is_no_json_fails_its_response_alone_and_names_the_place(bios, model, web, engine):
    web.raw = b'{"organic": [{"title": "x"}]}'
    run = work(bios)
    assert run.state == Run.State.FAILED
    assert "organic[0].link is missing" in run.items.all()[0].error


def test_stored_answers_are_read_again_without_a_search(bios, model, web, engine):
    run = work(bios)
    asked = len(web.asked)
    reading = read_again(run, "paper").run
    work_on(RunJob(), reading.pk)
    reading.refresh_from_db()
    assert (reading.state, said(reading), len(web.asked)) == (Run.State.FINISHED, said(run), asked)
    assert reading.manifest["search"] == run.manifest["search"]


def test_an_estimate_counts_searches_and_their_price_and_asks_nothing(bios, model, web, engine):
    Endpoint.objects.filter(pk=engine.pk).update(search_usd=Decimal("0.01"))
    default_endpoint().prices.create(model="m", prompt_usd=0, completion_usd=0)
    given = {"search": "lab search", "claims": "given", "queries": "3"}

    found = estimate(bios, "safe", model="m", parameters=given, limit=None)

    # Four facts: each revised, its relevance asked, three queries and a verdict.
    assert (found.searches, found.calls, found.cost_usd) == (12, 24, Decimal("0.12"))
    assert (web.asked, model.stats()["total"]) == ([], 0)
    Endpoint.objects.filter(pk=engine.pk).update(search_usd=None)
    assert estimate(bios, "safe", model="m", parameters=given, limit=None).cost_usd is None


def test_the_searches_of_a_run_are_listed_priced_and_downloaded(bios, model, web, engine, client):
    Endpoint.objects.filter(pk=engine.pk).update(search_usd=Decimal("0.25"))
    web.answers["Ada had horses."] = [("<i>Ada</i>", "https://lives.example/ada", "She rode.")]
    work(bios)
    again = work(bios)  # from the frozen results

    assert spent_by([again])[again.pk].cost_usd is None  # the model has no price
    default_endpoint().prices.create(model="m", prompt_usd=0, completion_usd=0)
    Call.objects.update(cost_usd=0)
    assert spent_by([again])[again.pk].cost_usd == progress_of(again).cost_usd == 4 * 0.25
    client.force_login(make_person("rhea", bios, Role.RESEARCHER))
    assert reverse("run-searches", args=[again.pk]) in client.get(reverse("run", args=[again.pk])).content.decode()
    page = squeezed(client.get(reverse("run-searches", args=[again.pk])).content.decode())
    assert "4 searches, together $1.00." in page
    assert "&lt;i&gt;Ada&lt;/i&gt;" in page
    assert "not those that were fetched" not in page
    file = client.get(reverse("run-searches-file", args=[again.pk]))
    lines = [json.loads(line) for line in b"".join(file.streaming_content).splitlines()]
    assert [line["query"] for line in lines] == [row.query for row in WebSearch.objects.order_by("pk")]
    line = next(line for line in lines if line["query"] == "Ada had horses.")
    assert line["results"] == [{"title": "<i>Ada</i>", "url": "https://lives.example/ada", "text": "She rode."}]
    assert (line["engine"], line["cost_usd"], len(line["sha256"]), line["pages"]) == ("serper", 0.25, 64, [])
    WebSearch.objects.update(results=[])
    page = squeezed(client.get(reverse("run-searches", args=[again.pk])).content.decode())
    assert "The results are not those that were fetched." in page


def test_pages_that_were_read_are_named_with_their_hashes(bios, model, web, engine, settings, client):
    settings.SNAPSHOT_ALLOW = frozenset({("127.0.0.1", web.port)})
    web.pages["about"] = "Ada had horses. She rode them."
    run = work(bios, pages="1")

    assert run.state == Run.State.FINISHED, run.error
    assert web.read == ["about"]
    client.force_login(make_person("rhea", bios, Role.RESEARCHER))
    file = client.get(reverse("run-searches-file", args=[run.pk]))
    pages = [json.loads(line)["pages"] for line in b"".join(file.streaming_content).splitlines()]
    digest = sha256(b"Ada had horses. She rode them.").hexdigest()
    assert [(page["url"], page["sha256"]) for [page] in pages] == [(web.page("about"), digest)] * 4
    assert pages_to_prune(timezone.now() + timedelta(days=1), None).count() == 0


def test_two_workers_keep_to_one_budget_of_searches(bios, engine):
    """A search has a price and no tokens."""
    run = create_run(bios, "always-supported").run
    run.max_cost_usd = Decimal(1)
    run.save()
    for owner in ("ada", "ben"):
        lease(run, owner, 1)
    search = Spending(0, Decimal("0.6"))
    assert RowBudget(run, "ada", RunItem).hold([search]) == [Room.HELD]
    assert RowBudget(run, "ben", RunItem).hold([search]) == [Room.LATER]
