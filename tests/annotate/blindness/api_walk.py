"""Every address of the API, about every object there is, asked for in every way by a person's token of all scopes."""

import json
import re
from collections.abc import Iterator
from itertools import product

from django.apps import apps
from django.core.cache import cache
from django.db import transaction
from django.db.models import Model
from django.urls import URLPattern, reverse

from annotate.models import GoldVersion, Task, Upload, User
from api.urls import API
from evaluators.models import ResultsUpload, SharedComparison
from jobs.kinds import KINDS
from tests.annotate.blindness.walk import BEGINNINGS, NAMES, Answer, Refusals, column_of
from tests.api.conftest import ApiClient, client_of
from tests.sweeps import WHOLE, Share

# As in walk.py, of words that no page's address begins with.
TABLES: dict[str, type[Model]] = {
    **BEGINNINGS,
    "gold-versions": GoldVersion,
    "imports": Upload,
    "results-imports": ResultsUpload,
    "shares": SharedComparison,
}
OF_A_JOB = ["kind", "pk"]
QUERIES = ("?q=odd&state=submitted&page_size=1", "?format=jsonl")
TIMES = re.compile(rb"\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+]\d\d:\d\d)?")


def walk_api(person: User, share: Share = WHOLE) -> Iterator[Answer]:
    """Every method of every address of the share, refusals as in walk.py; what a request changes is taken back.

    Times are left out of the answers."""
    client, body, refusals = client_of(person), _body(), Refusals()
    for pattern, path in api_paths(share):
        cache.clear()  # a walk sends more requests than a token may
        for method in methods_of(pattern):
            answer = _ask(client, method, path, body)
            yield Answer(f"API {method} {path}", answer)
            if method == "GET" and not refusals.known(pattern.name, method, answer):
                for query in QUERIES:
                    yield Answer(f"API GET {path}{query}", _ask(client, method, path + query, body))
    person.tokens.all().delete()  # their page lists it


def api_paths(share: Share = WHOLE) -> Iterator[tuple[URLPattern, str]]:
    for place, pattern in enumerate(API):
        assert isinstance(pattern, URLPattern)
        if not share.takes(place):
            continue
        numbers = list(pattern.pattern.converters)
        if numbers == OF_A_JOB:
            yield from ((pattern, reverse(f"api:{pattern.name}", args=job)) for job in _jobs())
            continue
        for named in product(*(_all_of(pattern, number) for number in numbers)):
            yield pattern, reverse(f"api:{pattern.name}", args=named)


def methods_of(pattern: URLPattern) -> list[str]:
    view = getattr(pattern.callback, "cls", None)
    if view is None:
        return ["GET"]
    return [method.upper() for method in view.http_method_names if method != "head" and hasattr(view, method)]


def api_table_of(pattern: URLPattern, number: str) -> type[Model] | None:
    """What the number is of; None if nobody has said, and no table has the name that the address begins with."""
    if number != "pk":
        return NAMES.get(number)
    word = str(pattern.pattern).partition("/")[0]
    singular = re.sub("ie$", "y", word.removesuffix("s")).replace("-", "")
    named = (table for table in apps.get_models() if table.__name__.lower() == singular)
    return TABLES.get(word) or next(named, None)


def _jobs() -> Iterator[tuple[str, int]]:
    """Every job, by the name of its kind and its number."""
    for name, kind in KINDS.items():
        if kind.job is not None:
            yield from ((name, pk) for pk in kind.job._default_manager.values_list("pk", flat=True))


def _all_of(pattern: URLPattern, number: str) -> list[int | str]:
    table = api_table_of(pattern, number)
    return [] if table is None else list(table._default_manager.values_list(column_of(number), flat=True))


def _body() -> dict[str, object]:
    """What the addresses take, as far as one object can be all of it."""
    return {
        "entries": {},
        "reason": "I cannot tell.",
        "note": "Look again.",
        "why": "So it is.",
        "choice": "third",
        "value": "supported",
        "seen": None,
        "expected": 1,
        "version": "v1",
        "name": "odd",
        "text": "One is odd.",
        "tasks": list(Task.objects.values_list("pk", flat=True)),
        "annotators": ["ada"],
        "source": "ada",
        "target": "ada",
        "number": 2,
        "kind": "work",
        "overlap": 0,
    }


def _ask(client: ApiClient, method: str, path: str, body: dict[str, object]) -> bytes:
    sent = None if method == "GET" else body
    with transaction.atomic():
        answer = client.request(method, path, sent, if_match="*")
        text = f"{answer.status_code} {json.dumps(dict(answer.headers))}".encode() + b"".join(answer)
        transaction.set_rollback(True)
    return TIMES.sub(b"time", text)
