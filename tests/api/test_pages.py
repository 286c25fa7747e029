"""Pages of the API's lists in every order: each row once, whatever comes in meanwhile, forwards and back."""

from collections.abc import Callable
from datetime import date, timedelta
from itertools import islice

import pytest
from django.utils import timezone

from annotate.corpus.finding import SORTS as RESPONSE_SORTS
from annotate.links.table import SORTS as LINK_SORTS
from annotate.models import Assignment, Dataset, Role
from annotate.tasks.table import SORTS as TASK_SORTS
from evaluators.models import Run
from evaluators.runs.create import create_run
from evaluators.runs.listing import ORDERS as RUN_ORDERS
from factor.benchmarks.examples import ORDERS as EXAMPLE_ORDERS
from factor.models import Benchmark
from knowledge.models import Snapshot
from tests.api.conftest import ApiClient, client_of
from tests.api.test_knowledge import cite
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    return make_dataset()


@pytest.fixture
def dora(lab: Dataset) -> ApiClient:
    return client_of(make_person("dora", lab, Role.ADJUDICATOR))


def follow(api: ApiClient, address: str, link: str, between: Callable[[], object] = lambda: None) -> list[list[int]]:
    """The keys of each page from the address on, by `next` or `previous`."""
    pages, at = [], address
    while at:
        page = api.get(at.removeprefix("http://testserver")).json()
        pages.append([each["id"] for each in page["results"]])
        at = page[link]
        between()
    return pages


def last_page(api: ApiClient, address: str) -> str:
    at = address
    while following := api.get(at.removeprefix("http://testserver")).json()["next"]:
        at = following
    return at


@pytest.mark.parametrize("sort", [sign + order for order in RUN_ORDERS for sign in ("", "-")])
def test_runs_in_every_order_of_the_page(lab: Dataset, dora: ApiClient, sort: str) -> None:
    """Two runs without a duration or a person, and four with: ties and missing values at once."""
    make_response(lab)
    now, person = timezone.now(), make_person("rhea", lab, Role.RESEARCHER)
    for method in ("random", "lexical"):
        for minutes in (None, 1, 2):
            run = create_run(lab, method, force=True, created_by=person if minutes else None).run
            if minutes:
                ended = now + timedelta(minutes=minutes)
                Run.objects.filter(pk=run.pk).update(started_at=now, last_prediction_at=ended, state="finished")
    address = f"datasets/{lab.pk}/runs/?sort={sort}"
    (whole,) = follow(dora, address, "next")
    assert len(set(whole)) == 6
    if sort.endswith("seconds"):
        empty = set(lab.runs.filter(started_at=None).values_list("pk", flat=True))
        assert set(whole[4:]) == empty
    pages = follow(dora, f"{address}&page_size=2", "next")
    assert pages == [whole[:2], whole[2:4], whole[4:]]
    assert follow(dora, last_page(dora, f"{address}&page_size=2"), "previous") == pages[::-1]


@pytest.mark.parametrize("sort", RESPONSE_SORTS)
def test_responses_in_every_order_while_others_come_in(lab: Dataset, dora: ApiClient, sort: str) -> None:
    for number in range(5):
        texts, domain = ["Odd."] * (number % 2 + 1), ("sky", "math")[number % 2]
        make_response(lab, texts, prompt=str(number), domain=domain, subject="tiny")
    address = f"datasets/{lab.pk}/responses/?fields=id&sort={sort}"
    (whole,) = follow(dora, address, "next")
    # Behind all others, or before the place that was reached: in neither case is one of the five twice or missing.
    more = iter([["x"], ["y", "y", "y"]])
    pages = follow(
        dora, f"{address}&page_size=2", "next", lambda: [make_response(lab, each) for each in islice(more, 1)]
    )
    assert [each for page in pages for each in page if each in whole] == whole


def test_orders_of_responses_are_those_of_the_page(lab: Dataset, dora: ApiClient) -> None:
    for number, text in enumerate((["Long enough to be the longest."], ["a", "b", "c"], ["d", "e"])):
        make_response(lab, text, subject="zyx"[number], domain="bac"[number])

    def found(sort: str) -> list[int]:
        listed = dora.get(f"datasets/{lab.pk}/responses/?fields=position&sort={sort}").json()["results"]
        return [each["position"] for each in listed]

    assert found("-segment_count") == [1, 2, 0]
    assert found("-length") == [0, 1, 2]
    assert found("prompt__domain") == [1, 0, 2]
    assert found("subject") == [2, 1, 0]


@pytest.mark.parametrize("sort", TASK_SORTS)
def test_tasks_in_every_order_of_the_page(lab: Dataset, dora: ApiClient, sort: str) -> None:
    ada = make_person("ada", lab, Role.ANNOTATOR)
    for number in range(5):
        task = lab.tasks.create(position=number)
        if number in (1, 3):
            Assignment.objects.create(
                task=task,
                annotator=ada,
                place=0,
                state=Assignment.State.OPEN,
                lease_until=timezone.now() + timedelta(hours=9 - number),
            )
    address = f"datasets/{lab.pk}/tasks/?sort={sort}"
    (whole,) = follow(dora, address, "next")
    pages = follow(dora, f"{address}&page_size=2", "next")
    assert pages == [whole[:2], whole[2:4], whole[4:]]
    positions = [lab.tasks.get(pk=pk).position for pk in whole]
    assert positions == ([3, 1, 0, 2, 4] if sort == "lease" else [0, 1, 2, 3, 4])


@pytest.mark.parametrize("sort", LINK_SORTS)
def test_links_in_every_order_of_the_page(lab: Dataset, dora: ApiClient, sort: str) -> None:
    links = [cite(lab, f"p{number}", url=f"https://{letter}.example/") for number, letter in enumerate("caabd")]
    for number in (1, 3):
        links[number].snapshot = Snapshot.objects.create(url=links[number].url, settled_at=timezone.now())
        links[number].save()
    address = f"datasets/{lab.pk}/links/?sort={sort}"
    (whole,) = follow(dora, address, "next")
    assert follow(dora, f"{address}&page_size=2", "next") == [whole[:2], whole[2:4], whole[4:]]
    numbers = [[each.pk for each in links].index(pk) for pk in whole]
    expected = {"newest": [4, 3, 2, 1, 0], "address": [1, 2, 3, 0, 4], "fetched": [3, 1, 4, 2, 0]}
    assert numbers == expected[sort]


@pytest.mark.parametrize("sort", [each for each in EXAMPLE_ORDERS if each])
def test_examples_in_every_order_of_the_page(lab: Dataset, dora: ApiClient, sort: str) -> None:
    benchmark = Benchmark.objects.create(dataset=lab, name="insects")
    days = [date(2024, 1, 2), None, date(2024, 1, 1), date(2024, 1, 2), None]
    for position, day in enumerate(days):
        benchmark.examples.create(position=position, prefix="Ants.", dated=day, document_key="cabba"[position])
    address = f"benchmarks/{benchmark.pk}/examples/?sort={sort}"
    (whole,) = follow(dora, address, "next")
    assert follow(dora, f"{address}&page_size=2", "next") == [whole[:2], whole[2:4], whole[4:]]
    positions = [benchmark.examples.get(pk=pk).position for pk in whole]
    assert positions == {"newest": [0, 3, 2, 1, 4], "oldest": [2, 0, 3, 1, 4], "document": [1, 4, 2, 3, 0]}[sort]


@pytest.mark.parametrize("query", ["sort=colour", "cursor=x", "cursor=%C3%A9", "sort=-length&cursor={}"])
@pytest.mark.parametrize("list_", ["responses", "runs", "tasks", "links"])
def test_orders_and_cursors_that_there_are_not(lab: Dataset, dora: ApiClient, list_: str, query: str) -> None:
    """The last one is a cursor of another order."""
    make_response(lab)
    make_response(lab)
    page = dora.get(f"datasets/{lab.pk}/responses/?page_size=1").json()
    cursor = page["next"].partition("cursor=")[2].partition("&")[0]
    assert dora.get(f"datasets/{lab.pk}/{list_}/?{query.format(cursor)}").status_code == 422
