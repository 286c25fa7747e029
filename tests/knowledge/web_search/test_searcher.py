"""Searching over real HTTP: the protocols, what is frozen, limits and failures."""

import asyncio
import json
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from jobs.budget import Room
from knowledge.engines import ENGINES
from knowledge.engines.engine import FoundPage
from knowledge.models import WebSearch
from llm.errors import (
    AccessRefusedError,
    BudgetSpentError,
    CallLimitError,
    EndpointAddressError,
    EndpointUnavailableError,
    RequestRefusedError,
    UnknownPriceError,
)

PROTOCOLS = ("serper", "brave", "searxng")
SPREE = ("The Spree", "https://rivers.example/spree", "A river through Berlin.")
HAVEL = ("The Havel", "https://rivers.example/havel", "Another river.")


def asking(*queries, count=2):
    async def talk(search):
        return [await search(query, count) for query in queries]

    return talk


class Purse:
    """A budget of so many dollars, None for none in dollars."""

    reached = "The budget is spent."

    def __init__(self, usd):
        self.usd, self.spent = usd, Decimal(0)

    def hold(self, most):
        if any(call.usd is None for call in most):
            return [Room.UNPRICED for _ in most]
        return [Room.HELD if self.spent + call.usd <= self.usd else Room.SPENT for call in most]

    def settle(self, calls):
        self.spent += sum(took.usd for _, took in calls)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_best_pages_are_found_by_every_protocol(web, make_engine, with_searcher, protocol):
    web.answers["river in Berlin"] = [SPREE, HAVEL, ("More", "https://rivers.example/", "…")]

    [found] = with_searcher(make_engine(protocol), asking("river in Berlin"))

    assert found == [FoundPage(*SPREE), FoundPage(*HAVEL)]
    assert web.asked == [(protocol, "river in Berlin")]


@pytest.mark.parametrize(
    ("protocol", "header"), [("serper", "x-api-key"), ("brave", "x-subscription-token"), ("searxng", None)]
)
def test_the_key_goes_out_where_the_protocol_wants_it_and_nowhere_else(
    web, make_engine, with_searcher, protocol, header
):
    with_searcher(make_engine(protocol), asking("river"))

    assert [name for name, value in web.headers.items() if "secret" in value] == ([header] if header else [])
    assert "authorization" not in web.headers


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nothing_found_is_no_error(web, make_engine, with_searcher, protocol):
    web.answers["river"] = []
    assert with_searcher(make_engine(protocol), asking("river")) == [[]]


def test_marks_around_the_words_of_the_query_are_taken_out(web, make_engine, with_searcher):
    web.answers["river"] = [("<b>River</b> &amp; lake", "https://a.example/", "A <strong>river</strong>\nis long.")]
    [[page]] = with_searcher(make_engine("brave"), asking("river"))
    assert (page.title, page.text) == ("River & lake", "A river is long.")


def test_the_same_query_is_answered_without_the_network_later(web, make_engine, with_searcher):
    web.answers["river"] = [SPREE]
    engine = make_engine(search_usd=Decimal("0.001"))
    before = timezone.now()
    first = with_searcher(engine, asking("river", " river\n"))
    web.answers["river"] = [HAVEL]

    assert with_searcher(engine, asking("river"), call_limit=0) == first[:1]

    assert web.asked == [("serper", "river")]
    row = WebSearch.objects.get()
    assert (row.engine, row.address, row.query, row.count) == ("serper", f"{web.address}/serper", "river", 2)
    assert row.results == [dict(zip(("title", "url", "text"), SPREE, strict=True))]
    assert (row.cost_usd, row.is_intact) == (Decimal("0.001"), True)
    assert before <= row.fetched_at <= before + timedelta(hours=1)
    row.results[0]["text"] = "A lake."
    assert not row.is_intact


def test_another_number_of_results_another_query_and_another_engine_are_other_searches(web, make_engine, with_searcher):
    serper, brave = make_engine("serper"), make_engine("brave")
    with_searcher(serper, asking("river", count=1))
    with_searcher(serper, asking("river", "lake", count=2))
    with_searcher(brave, asking("river", count=1))
    assert web.asked == [("serper", "river"), ("serper", "river"), ("serper", "lake"), ("brave", "river")]


def test_the_same_query_at_once_is_one_search(web, make_engine, with_searcher):
    async def talk(search):
        return await asyncio.gather(*(search("river", 2) for _ in range(5)))

    found = with_searcher(make_engine(), talk)

    assert len(web.asked) == 1
    assert found == [found[0]] * 5


def test_an_empty_query_asks_nothing(web, make_engine, with_searcher):
    assert with_searcher(make_engine(), asking("", " \n")) == [[], []]
    assert web.asked == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_passes_is_tried_again(web, make_engine, with_searcher, status):
    web.fail = [status, status]
    [[page]] = with_searcher(make_engine(), asking("river"))
    assert (page.title, len(web.asked)) == ("About river", 3)


def test_a_failure_that_does_not_pass_says_so_and_freezes_nothing(web, make_engine, with_searcher):
    web.fail = [500] * 9
    with pytest.raises(EndpointUnavailableError, match=r"serper at .*/serper answered 500: .* \(4 attempts\)"):
        with_searcher(make_engine(), asking("river"))
    assert (len(web.asked), WebSearch.objects.count()) == (4, 0)


@pytest.mark.parametrize(
    ("status", "kind"), [(401, AccessRefusedError), (402, AccessRefusedError), (400, RequestRefusedError)]
)
def test_a_refusal_is_not_tried_again(web, make_engine, with_searcher, status, kind):
    web.fail = [status]
    with pytest.raises(RequestRefusedError, match=f"answered {status}") as refused:
        with_searcher(make_engine(), asking("river"))
    assert (type(refused.value), len(web.asked)) == (kind, 1)
    assert "very secret" not in str(refused.value)


def test_without_its_key_an_engine_is_not_asked(web, make_engine, with_searcher, monkeypatch):
    monkeypatch.delenv("TOUCHSTONE_KEY_SEARCH")
    with pytest.raises(AccessRefusedError, match="The search engine serper needs a key: TOUCHSTONE_KEY_SEARCH is not"):
        with_searcher(make_engine("serper"), asking("river"))
    assert with_searcher(make_engine("searxng"), asking("river"))
    assert [protocol for protocol, _ in web.asked] == ["searxng"]


def test_a_variable_that_is_no_key_is_not_sent(web, make_engine, with_searcher, monkeypatch):
    monkeypatch.setenv("DATABASE_PASSWORD", "hidden")
    with pytest.raises(AccessRefusedError, match="DATABASE_PASSWORD is not set"):
        with_searcher(make_engine(key_variable="DATABASE_PASSWORD"), asking("river"))
    assert web.asked == []


@pytest.mark.parametrize(
    ("protocol", "raw", "said"),
    [
        ("serper", b"<html>", r"it is not JSON \(Expecting value: line 1 column 1"),
        ("serper", b"[]", r"the answer is a list, not an object"),
        ("serper", b'{"message": "no"}', r"organic is missing"),
        ("serper", b'{"organic": [{"link": "https://a.example/"}, {"title": "b"}]}', r"organic\[1\]\.link is missing"),
        ("brave", b'{"web": {"results": null}}', r"web\.results is null, not a list"),
        ("searxng", b'{"results": [7]}', r"results\[0\] is a number or a truth value, not an object"),
    ],
)
def test_an_answer_of_another_form_names_the_place_and_the_cause(web, make_engine, with_searcher, protocol, raw, said):
    web.raw = raw
    with pytest.raises(RequestRefusedError, match=rf"{protocol} at .* to 'river' that cannot be read: {said}"):
        with_searcher(make_engine(protocol), asking("river"))
    assert not WebSearch.objects.exists()


def test_a_closed_address_is_refused(web, make_engine, with_searcher, settings):
    settings.LLM_ALLOW = ()
    for address in (f"{web.address}/serper", f"http://localhost:{web.port}/serper"):
        with pytest.raises(EndpointAddressError, match="not an address of the open internet"):
            with_searcher(make_engine(name=address, base_url=address), asking("river"))
    assert web.asked == []


def test_searches_stop_at_the_budget(web, make_engine, with_searcher):
    engine, purse = make_engine(search_usd=Decimal("0.4")), Purse(Decimal(1))
    with pytest.raises(BudgetSpentError, match="The budget is spent"):
        with_searcher(engine, asking("a", "b", "a", "c"), budget=purse)
    assert (purse.spent, [query for _, query in web.asked]) == (Decimal("0.8"), ["a", "b"])


def test_with_a_budget_in_dollars_the_price_must_be_known(web, make_engine, with_searcher):
    with pytest.raises(UnknownPriceError, match="What a search with serper costs is not known"):
        with_searcher(make_engine(), asking("a"), budget=Purse(Decimal(1)))
    assert web.asked == []


def test_a_limit_of_searches_holds_for_new_ones(web, make_engine, with_searcher):
    with pytest.raises(CallLimitError):
        with_searcher(make_engine(), asking("a", "a", "b"), call_limit=1)
    assert [query for _, query in web.asked] == ["a"]


def test_requests_are_spaced_as_the_engine_allows(web, make_engine, with_searcher):
    """Three requests at 305 a minute are 0.2 seconds apart."""
    began = timezone.now()
    with_searcher(make_engine(requests_per_minute=305), asking("a", "b", "c"))
    assert timezone.now() - began >= timedelta(seconds=0.4)


def test_pages_are_read_once_and_shown_by_what_bears_on_the_query(web, make_engine, with_searcher, settings):
    settings.SNAPSHOT_ALLOW = frozenset({("127.0.0.1", web.port)})
    filler = " ".join(["Nothing of note stands here."] * 40)
    spree = web.page("spree", f"{filler} The Spree flows through Berlin. {filler}")
    web.answers["Spree Berlin"] = [("Spree", spree, "snippet"), ("Havel", web.page("havel", "A river."), "snippet")]
    engine = make_engine()

    [[first, second]] = with_searcher(engine, asking("Spree Berlin"), pages=1)

    assert "The Spree flows through Berlin." in first.text
    assert len(first.text.split()) <= 2 * 128 + 1
    assert second.text == "snippet"
    web.pages["spree"] = "Changed."
    assert with_searcher(engine, asking("Spree Berlin"), pages=1, call_limit=0, fetches=False) == [[first, second]]
    assert (web.read, len(web.asked)) == (["spree"], 1)
    [snapshot] = WebSearch.objects.get().pages.all()
    assert (snapshot.url, snapshot.state) == (spree, "done")


def test_a_page_that_is_closed_to_us_is_not_read_and_keeps_its_snippet(web, make_engine, with_searcher, settings):
    settings.SNAPSHOT_ALLOW = frozenset()
    web.answers["river"] = [("Spree", web.page("spree", "Secret."), "snippet"), ("Odd", "javascript:alert(1)", "odd")]
    found = with_searcher(make_engine(), asking("river"), pages=2)
    assert [page.text for page in found[0]] == ["snippet", "odd"]
    assert web.read == []
    assert "not an address of the open internet" in WebSearch.objects.get().pages.get().error


def test_every_engine_says_what_it_is():
    for name, engine in ENGINES.items():
        assert (engine.name, bool(engine.title)) == (name, True)
        request = engine.request("river", 3, "key")
        assert request.method in {"GET", "POST"}
        assert json.dumps({**request.params, **(request.body or {})})
