"""The pages of the server's state and its work, for superusers."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from core.requests import PageRequest
from health.gauges import EXPIRED, HELD, WAITING, UnsettledItems, count_items
from health.report import examine, failed
from health.work import FAILED, STATES, listed, retry, words_of, work_of_site
from jobs.errors import StartError
from jobs.kinds import KINDS, Queue
from jobs.models import served_queues

PAGE_SIZE = 50
# The pages of jobs that have one.
PAGES = {
    "run": "run",
    "generation": "generation",
    "build": "build",
    "scoring": "scoring",
    "perplexity": "perplexity",
    "open_ended": "open-ended-study",
}


@require_GET
def server(request: PageRequest) -> HttpResponse:
    """With `outside` in the query other servers are asked too, which may take some seconds for each."""
    _admit(request)
    outside = "outside" in request.GET
    found = examine(outside)
    return render(request, "health/server.html", {"found": found, "wrong": failed(found), "outside": outside})


@dataclass(frozen=True)
class WorkChoice:
    """What of the work is looked at; "" for all. Without a word on the state those that stopped or failed."""

    kind: str
    state: str

    @classmethod
    def read(cls, query: QueryDict) -> "WorkChoice":
        """Whatever cannot be read is left out."""
        kind, state = query.get("kind", ""), query.get("state", FAILED)
        return cls(kind if kind in KINDS else "", state if state in STATES else "")


@require_GET
def work(request: PageRequest) -> HttpResponse:
    """Queues, and a page of the work that is asked for."""
    _admit(request)
    choice = WorkChoice.read(request.GET)
    rows = work_of_site([choice.kind] if choice.kind else [], [choice.state] if choice.state else [])
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "choice": choice,
        "page": page,
        "work": [(each, PAGES.get(each.kind, "")) for each in listed(list(page))],
        "queues": _queues(count_items()),
        "unserved": sorted({queue.value for queue in Queue} - served_queues()),
        "kinds": [(name, words_of(name)) for name in sorted(KINDS)],
        "states": STATES.items(),
    }
    return render(request, "health/work.html", context)


@require_POST
def work_retry(request: PageRequest, kind: str, pk: int) -> HttpResponse:
    """Try one again, and go back to the page as it was filtered."""
    _admit(request)
    if kind not in KINDS:
        raise Http404("There is no such kind of work.")
    try:
        again = retry(KINDS[kind], pk)
    except StartError as error:
        messages.error(request, str(error))
    else:
        title = f"{words_of(kind)} {pk}"
        if again:
            messages.success(request, f"{title} is tried again.")
        else:
            messages.info(request, f"{title} cannot be tried again: it has not failed, or its file is gone.")
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if safe and back.startswith(reverse("work-of-site")) else "work-of-site")


def _queues(items: list[UnsettledItems]) -> list[dict[str, Any]]:
    """A row for each kind with something to do."""
    kinds = sorted({(each.queue, each.kind) for each in items})
    return [
        {
            "queue": queue,
            "kind": kind,
            "title": words_of(kind),
            "since": min(each.since for each in items if each.kind == kind and each.since is not None),
            **{
                state: sum(each.number for each in items if (each.kind, each.state) == (kind, state))
                for state in (WAITING, HELD, EXPIRED)
            },
        }
        for queue, kind in kinds
    ]


def _admit(request: PageRequest) -> None:
    if not request.user.is_superuser:
        raise PermissionDenied
