"""Everybody asks for everything in every way: no outsider learns or changes anything, and no request is a server error.

`pytest tests/security --requests 60000` asks for all of it; the ordinary run takes a sample of the requests.
"""

import random
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import resolve, reverse

from annotate.cases.counts import count_changed
from annotate.models import Dataset, Membership, User
from tests.annotate.blindness.walk import FORM, HTMX, JSON, WORDS, Address, paths
from tests.api.test_access import EXPECTED
from tests.security.asking import Answer, ask
from tests.security.conftest import senders_of
from tests.security.crawling import crawl, is_page
from tests.security.forms import Form, forms_of
from tests.security.people import EVERYBODY, OUTSIDERS, add_outsiders, by_token, log_in
from tests.world import World, make_world

pytestmark = pytest.mark.django_db

PLAIN = {"HTTP_ACCEPT": "application/json"}
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "GET": ("get", {}),
    "GET for HTMX": ("get", HTMX),
    "GET JSON": ("get", PLAIN),
    "HEAD": ("head", {}),
    "OPTIONS": ("options", {}),
    "POST": ("post", {"data": FORM}),
    "POST for HTMX": ("post", {"data": FORM, **HTMX}),
    "POST JSON": ("post", {"data": JSON, "content_type": "application/json", **PLAIN}),
    "PUT": ("put", {"data": JSON, "content_type": "application/json"}),
    "PATCH": ("patch", {"data": JSON, "content_type": "application/json"}),
    "DELETE": ("delete", {}),
}
# By a token of all scopes.
OF_API: dict[str, tuple[str, dict[str, Any]]] = {
    "API GET": ("get", {}),
    "API HEAD": ("head", {}),
    "API OPTIONS": ("options", {}),
    "API POST of a form": ("post", {"data": FORM}),
    "API POST": ("post", {"data": JSON, "content_type": "application/json"}),
    "API POST of nothing": ("post", {"data": {}, "content_type": "application/json"}),
    "API POST of a file": ("post", {"data": b"{}", "content_type": "application/x-ndjson"}),
    "API PUT": ("put", {"data": JSON, "content_type": "application/json", "headers": {"If-Match": "*"}}),
    "API PATCH": ("patch", {"data": JSON, "content_type": "application/json", "headers": {"If-Match": "*"}}),
    "API DELETE": ("delete", {"data": {}, "content_type": "application/json"}),
}
# Everybody's own settings.
OWN_FORMS = ("/keys/", "/logout/", "/account/")
# About people and the server, whatever dataset they are of.
OF_THE_SITE = ("/accounts/", "/account/", "/password/", "/server/")
# What a person's own visit writes.
OWN_TABLES = {"django_session", "audit_auditentry", "annotate_user", "usersessions_usersession", "api_token"}
# Adjudicators alone decide; those who research write no judgement, and those who annotate nothing of machines.
DECISIONS = {
    "annotate_goldlabel",
    "annotate_goldedit",
    "annotate_adjudication",
    "annotate_signature",
    "annotate_removal",
    "annotate_membership",
    "annotate_guideline",
}
JUDGEMENTS = DECISIONS | {"annotate_label", "annotate_assignment", "annotate_responselabel", "annotate_task"}
MACHINES = DECISIONS | {
    "annotate_release",
    "evaluators_run",
    "evaluators_runitem",
    "evaluators_evaluator",
    "evaluators_prediction",
    "llm_endpoint",
    "factor_benchmark",
    "factor_example",
}
NEVER_WRITES = {"rhea": JUDGEMENTS, "ada": MACHINES, "ben": MACHINES}


class Place(Enum):
    """What an address is about: nothing of a dataset, the lab, or the lab's objects by way of another dataset."""

    HOUSE = "house"
    LAB = "lab"
    LAB_FROM_ELSEWHERE = "elsewhere"


REFUSALS = {
    Place.HOUSE: range(200, 500),
    # 401: without a token, or with one of a closed account.
    Place.LAB: (401, 404, 405),
    # Their own role refuses some of them before the object is looked for.
    Place.LAB_FROM_ELSEWHERE: (401, 403, 404, 405),
}


class Request(NamedTuple):
    way: str
    path: str
    method: str
    sent: dict[str, Any]
    place: Place


@pytest.fixture(scope="module")
def requests(module_db: None, request: pytest.FixtureRequest) -> list[Request]:
    """All there are: every address in every way, and every form that a member's page has."""
    world = make_world()
    add_outsiders()
    count_changed()  # or the first who asks for a number of cases would write it down
    asked = list(requests_of_api(world))
    asked += [
        Request(way, path, method, sent, place)
        for address, path in paths()
        if (place := place_of(address, path)) is not None
        for way, (method, sent) in WAYS.items()
    ]
    forms: dict[tuple[str, str, tuple[str, ...]], Form] = {}
    for name in senders_of(request.config, 1):
        for path, answer in crawl(log_in(name)):
            if is_page(answer):
                forms |= {
                    form.shape: form
                    for form in forms_of(path, answer.body)
                    if form.method == "post" and not form.path.startswith(OWN_FORMS) and not is_elsewhere(form.path)
                }
    asked += [
        Request(
            "the form",
            form.path,
            "post",
            {"data": form.fields},
            Place.LAB if is_of_a_dataset(form.path) else Place.HOUSE,
        )
        for form in forms.values()
    ]
    return asked


def requests_of_api(world: World) -> Iterator[Request]:
    """Every address of the API about an object of the lab, and about one of it as if it were the other dataset's."""
    for name, about in {name: about for (name, _), (about, _) in EXPECTED.items()}.items():
        # Of the methods that it does not serve, one stands for all.
        served = {method.lower() for known, method in EXPECTED if known == name} | {"head", "options", "put"}
        numbers = [world[kind] for kind in about]
        places = {reverse(f"api:{name}", args=numbers): Place.LAB if about else Place.HOUSE}
        if len(numbers) > 1:
            elsewhere = [Dataset.objects.get(name="other").pk, *numbers[1:]]
            places[reverse(f"api:{name}", args=elsewhere)] = Place.LAB_FROM_ELSEWHERE
        for path, place in places.items():
            for way, (method, sent) in OF_API.items():
                if method in served:
                    yield Request(way, path, method, sent, place)


def place_of(address: Address, path: str) -> Place | None:
    """None of what is the other dataset's own."""
    if not is_of_a_dataset(path):
        return Place.HOUSE
    if not is_elsewhere(path):
        return Place.LAB
    return Place.LAB_FROM_ELSEWHERE if len(set(address.numbers) - WORDS.keys()) == 2 else None


def is_of_a_dataset(path: str) -> bool:
    """By a number: a word, such as that of a person's own recipe or of a file's form, is no object of a dataset."""
    numbers = resolve(urlsplit(path).path).kwargs.keys() - WORDS.keys()
    return bool(numbers) and not path.startswith(OF_THE_SITE)


def is_elsewhere(path: str) -> bool:
    """Below the other dataset, or one of its members."""
    others = Membership.objects.filter(dataset__name="other")
    elsewhere = [f"/datasets/{Dataset.objects.get(name='other').pk}/", *(f"/members/{each.pk}/" for each in others)]
    return path.startswith(tuple(elsewhere))


@pytest.fixture
def sample(requests: list[Request], amount: int, seed: int) -> list[tuple[str, Request]]:
    """Of everybody's requests, so many as are asked for."""
    everything = [(name, request) for name in EVERYBODY for request in requests]
    return random.Random(seed).sample(everything, min(amount, len(everything)))


def test_nobody_gets_in_and_nothing_breaks(sample: list[tuple[str, Request]]) -> None:
    clients = {(name, of_api): log(name) for name in EVERYBODY for of_api, log in ((False, log_in), (True, by_token))}
    statuses: Counter[int] = Counter()
    found = []
    for name, request in sample:
        cache.clear()  # of the limits on requests
        answer = ask(clients[name, request.way in OF_API], request.method, request.path, **request.sent)
        statuses[answer.status] += 1
        found += [f"{name}: {request.way} {request.path}: {what}" for what in findings(name, request, answer)]
    assert not found, f"{len(found)} of {len(sample)} requests:\n" + "\n".join(found)
    assert statuses[404] > len(sample) / 8 and statuses[200] > len(sample) / 40, statuses


def findings(name: str, request: Request, answer: Answer) -> list[str]:
    """What is wrong with the answer, in words."""
    found = []
    if answer.error is not None or answer.status >= 500:
        found.append(f"{answer.status}, {answer.error}")
    if name in OUTSIDERS and "/login/" not in answer.headers.get("Location", ""):
        if answer.status == 401 and request.way not in OF_API:
            found.append("401 by a page")
        if answer.status not in REFUSALS[request.place]:
            found.append(f"{answer.status} for an outsider")
        if request.place != Place.HOUSE and answer.wrote - OWN_TABLES:
            found.append(f"an outsider wrote {sorted(answer.wrote - OWN_TABLES)}")
    # The membership that is asked for is Ben's, and everybody may leave.
    may = {"annotate_membership"} if (name, request.way) == ("ben", "API DELETE") else set()
    if wrong := answer.wrote & NEVER_WRITES.get(name, set()) - may:
        found.append(f"wrote {sorted(wrong)}")
    return found


def test_who_writes_what_is_seen(requests: list[Request]) -> None:
    """So the test above can fail: whoever may send the forms writes by them."""
    root = log_in("root")
    written = set()
    for request in requests:
        if request.way == "the form":
            written |= ask(root, request.method, request.path, **request.sent).wrote
    assert len(written & (JUDGEMENTS | MACHINES)) >= 2, written


def test_no_form_is_taken_from_another_site(requests: list[Request]) -> None:
    careful = Client(enforce_csrf_checks=True, raise_request_exception=False)
    careful.force_login(User.objects.get(username="dora"))
    forms = [request for request in requests if request.way in ("the form", "PUT", "DELETE")]
    answers = {request.path: ask(careful, request.method, request.path, **request.sent) for request in forms}
    assert {path: answer.status for path, answer in answers.items() if answer.status not in (403, 405)} == {}
    assert {path for path, answer in answers.items() if answer.wrote - OWN_TABLES} == set()
