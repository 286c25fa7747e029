"""Every address of the site, about every object there is, asked for in every way."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import product
from typing import Any, NamedTuple
from zipfile import ZipFile, is_zipfile

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Model
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotate.models import (
    Assignment,
    AtomicFact,
    Challenge,
    CollectedPrompt,
    Dataset,
    DatasetDeletion,
    Generation,
    Import,
    Invitation,
    Membership,
    OutsidePerson,
    RecruitmentLink,
    Release,
    RequestedPage,
    Response,
    Sample,
    SecondLookItem,
    Segment,
    Segmentation,
    Task,
    TaskMove,
    UnitMark,
    Upload,
    User,
)
from annotate.rebuttal.evidence import page_key
from api.models import Webhook, WebhookDelivery
from evaluators.models import (
    BoardTeam,
    EditItem,
    EditSample,
    ErrorAnalysis,
    GoldAudit,
    HeldOutBoard,
    Mistake,
    Run,
    RunBatch,
    SharedComparison,
)
from factor.models import (
    Benchmark,
    BenchmarkBuild,
    Example,
    Exclusion,
    OpenEndedStudy,
    Perplexity,
    Scoring,
    ThresholdSample,
    Validation,
)
from knowledge.models import Document, Snapshot
from llm.models import Call, Endpoint
from tests.sweeps import WHOLE, Share

# What the number in an address is of: by the word that the address begins with, else by the number's own name.
BEGINNINGS: dict[str, type[Model]] = {
    "account": Authenticator,
    "accounts": User,
    "assignments": Assignment,
    "audits": GoldAudit,
    "batches": RunBatch,
    "benchmarks": Benchmark,
    "boards": HeldOutBoard,
    "builds": BenchmarkBuild,
    "challenges": Challenge,
    "datasets": Dataset,
    "deletions": DatasetDeletion,
    "edit-samples": EditSample,
    "edits": Run,
    "errors": ErrorAnalysis,
    "examples": Example,
    "exclusions": Exclusion,
    "generations": Generation,
    "import": Upload,
    "imports": Import,
    "invitations": Invitation,
    "marks": UnitMark,
    "members": Membership,
    "open-ended": OpenEndedStudy,
    "perplexities": Perplexity,
    "prompts": CollectedPrompt,
    "outside-people": OutsidePerson,
    "recruitment": RecruitmentLink,
    "releases": Release,
    "responses": Response,
    "runs": Run,
    "samples": Sample,
    "scorings": Scoring,
    "second-looks": SecondLookItem,
    "segmentations": Segmentation,
    "server": Release,
    "snapshots": Snapshot,
    "task-moves": TaskMove,
    "tasks": Task,
    "threshold-samples": ThresholdSample,
    "validations": Validation,
    "webhook-deliveries": WebhookDelivery,
    "webhooks": Webhook,
}
NAMES: dict[str, type[Model]] = {
    "call_pk": Call,
    "document": Document,
    "endpoint_pk": Endpoint,
    "item": EditItem,
    "fact": AtomicFact,
    "key": Assignment,
    "mistake": Mistake,
    "page": RequestedPage,
    "segment": Segment,
    "share": SharedComparison,
    "team": BoardTeam,
}
# What is a word in an address, and no number: a chart is asked for by a name that none has, in a form that all have, a
# password is reset by a link that nobody was sent.
WORDS = {"name": "none", "form": "csv", "uidb36": "1", "kind": "release"}
# Sent to every address that takes a form, or JSON: what the pages send, as far as one form can be all of them.
FORM = {"action": "submit", "reason": "I cannot tell.", "version": "0", "text": "It is odd.", "state": "submitted"}
JSON = {"version": 0, "entries": {}, "unsaved": [], "worked": [], "submit": True}
HTMX = {"HTTP_HX_REQUEST": "true"}
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "GET": ("get", {}),
    "GET for HTMX": ("get", HTMX),
    "GET JSON": ("get", {"HTTP_ACCEPT": "application/json"}),
    "POST": ("post", {"data": FORM}),
    "POST for HTMX": ("post", {"data": FORM, **HTMX}),
    "POST JSON": ("post", {"data": JSON, "content_type": "application/json", "HTTP_ACCEPT": "application/json"}),
}
# What a bare GET is asked with: another form of a page, a search, a link.
QUERIES = ("", "?plain", "?q=odd&query=odd&page=1&state=submitted&unit=1&url=https://one.example/")


class Address(NamedTuple):
    name: str
    route: str
    numbers: tuple[str, ...]


class Answer(NamedTuple):
    asked: str
    text: bytes


class Way(NamedTuple):
    name: str
    query: str
    sent: dict[str, Any]


class Refusals:
    """Which addresses have refused a method, and how."""

    STATUSES = (b"403", b"404", b"405")

    def __init__(self) -> None:
        self._seen: set[tuple[str | None, str, bytes]] = set()

    def known(self, address: str | None, method: str, answer: bytes) -> bool:
        """Whether the address refused this method with this status before; it is kept for the next time."""
        refusal = (address, method, answer[:3])
        if refusal[2] not in self.STATUSES:
            return False
        before = refusal in self._seen
        self._seen.add(refusal)
        return before


def addresses(patterns: list[URLPattern | URLResolver] | None = None) -> Iterator[Address]:
    """All but those of the admin pages, which are for superusers, and of the API, which needs a token."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLPattern):
            yield Address(pattern.name, str(pattern.pattern), tuple(pattern.pattern.converters))
        elif pattern.namespace not in ("admin", "api"):
            yield from addresses(pattern.url_patterns)


def table_of(address: Address, number: str) -> type[Model] | None:
    """What the number is of; None if nobody has said."""
    if number != "pk":
        return NAMES.get(number)
    return BEGINNINGS.get(address.route.partition("/")[0])


def column_of(number: str) -> str:
    """The column that stands in the address."""
    return "key" if number == "key" else "pk"


def walk(client: Client, *methods: str, share: Share = WHOLE) -> Iterator[Answer]:
    """Every address of the share about every object, in every way of these methods.

    What a request changes is taken back. An address that refuses the plain request as it did before is not asked in the
    other ways again."""
    refusals = Refusals()
    for address, path in paths(share):
        for method in methods:
            plain, *others = _ways(method)
            answer = _ask(client, method, path, plain.sent)
            yield Answer(f"{plain.name} {path}", answer)
            if not refusals.known(address.name, method, answer):
                for way in others:
                    yield Answer(f"{way.name} {path}{way.query}", _ask(client, method, path + way.query, way.sent))


def pages(client: Client) -> Iterator[bytes]:
    """What every address answers about every object, asked in the plainest way."""
    for _, path in paths():
        yield _ask(client, "get", path, {})


def _ways(method: str) -> list[Way]:
    """The plain one first."""
    return [
        Way(name, query, sent)
        for name, (used, sent) in WAYS.items()
        if used == method
        for query in (QUERIES if name == "GET" else QUERIES[:1])
    ]


def paths(share: Share = WHOLE) -> Iterator[tuple[Address, str]]:
    """Every address of the share about every object."""
    for place, address in enumerate(addresses()):
        if not share.takes(place):
            continue
        for numbers in product(*(_named_by(address, number) for number in address.numbers)):
            yield address, reverse(address.name, args=numbers)


def _named_by(address: Address, number: str) -> list[int | str]:
    """All that may stand there."""
    if number in WORDS:
        return [WORDS[number]]
    if number == "page":
        return page_keys()
    table = table_of(address, number)
    return [] if table is None else list(table._default_manager.values_list(column_of(number), flat=True))


def page_keys() -> list[int | str]:
    """Of every page that somebody asked for, and of every page in a rebuttal."""
    keys: list[int | str] = list(RequestedPage.objects.values_list("key", flat=True))
    for assignment in Assignment.objects.filter(task__rebuttal_at__isnull=False):
        cited = Snapshot.objects.filter(references__label__assignment__task=assignment.task_id).distinct()
        keys += [page_key(assignment, snapshot) for snapshot in cited.values_list("pk", flat=True)]
    return keys


def _ask(client: Client, method: str, path: str, sent: dict[str, Any]) -> bytes:
    with transaction.atomic():
        cookies = client.cookies.copy()
        answer = getattr(client, method)(path, follow=True, **sent)
        client.cookies = cookies
        transaction.set_rollback(True)
    return _everything(answer)


def _everything(response: HttpResponse) -> bytes:
    """Where one was sent, the headers, the cookies and the body."""
    sent_on = [address for address, _ in getattr(response, "redirect_chain", [])]
    head = f"{response.status_code} {sent_on} {dict(response.headers)} {response.cookies.output()}".encode()
    return head + _unpacked(b"".join(response))


def _unpacked(body: bytes) -> bytes:
    """The files in it where it is a zip archive."""
    if not is_zipfile(BytesIO(body)):
        return body
    with ZipFile(BytesIO(body)) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


def without_chance(text: bytes) -> bytes:
    """The answer without what differs each time: tokens, the request's number, the times of day, and whether it is long
    enough to be compressed, which a time in words decides."""
    text = re.sub(rb'("X-CSRFToken": "|name="csrfmiddlewaretoken" value=")[^"]*', b"token", text)
    text = re.sub(rb"(csrftoken|sessionid)=[^;]*", b"cookie", text)
    text = re.sub(rb"<time[^>]*>.*?</time>", b"time", text, flags=re.DOTALL)
    text = text.replace(b"Cookie, Accept-Encoding", b"Cookie")
    text = re.sub(rb"X-Request-ID\W+\w+", b"number", text)
    return re.sub(rb"expires=[^;]*|'Content-Length': '\d+'|\d\d:\d\d(:\d\d(\.\d+)?)?", b"", text)
