"""What whoever has the link of a shared comparison sees: a page, its data, and texts where they were chosen.

Nobody needs a session. A frozen comparison is found by one query and kept in memory ready to be sent.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.caching import cached
from core.table_response import requested_table, table_response
from core.tables import Table
from evaluators.comparison.documents import ComparedPair
from evaluators.models import SharedComparison
from evaluators.sharing.documents import thaw_table

UNITS_A_PAGE = 10
# Of a page behind a secret link no other site learns the address. Where it has a form, the browser says to this site
# where it comes from: the check against forged requests asks for that.
NO_REFERRER, TO_THIS_SITE = "no-referrer", "same-origin"
FORM_TITLES = (("csv", "CSV"), ("markdown", "Markdown"), ("latex", "LaTeX"))

View = Callable[[HttpRequest], HttpResponse]
Answer = TypeVar("Answer", bound=HttpResponseBase)


def keep_quiet(response: Answer, referrer: str = NO_REFERRER) -> Answer:
    """In no index, and told to no other site."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response.headers["Referrer-Policy"] = referrer
    return response


def behind_link(view: View) -> View:
    """A view that opens without a log-in, by a key in its address."""

    @wraps(view)
    def quiet(request: HttpRequest) -> HttpResponse:
        response = keep_quiet(view(request))
        # Shown, and no download: of these the audit log has an entry each, and strangers could fill it.
        if disposition := response.headers.get("Content-Disposition"):
            response.headers["Content-Disposition"] = disposition.replace("attachment", "inline", 1)
        return response

    return login_not_required(require_safe(quiet))


@behind_link
def shared(request: HttpRequest) -> HttpResponse:
    found = _find(request)
    tables = [thaw_table(table) for table in found["figures"]["tables"]]
    table = requested_table(request, tables)
    if table is not None:
        return table
    return HttpResponse(cached(f"shared-page-{found['key']}", lambda: _page(request, found, tables)))


def _page(request: HttpRequest, found: dict[str, Any], tables: list[Table]) -> bytes:
    """The same for everybody: nothing of the request but the key stands in it."""
    pairs = [_turned(pair) for pair in found["figures"]["pairs"]]
    page = {
        "shared": found,
        "figures": {**found["figures"], "pairs": pairs},
        "any_better": any(pair["better"] for pair in pairs),
        "tables": {each.name: each for each in tables},
        "forms": FORM_TITLES,
    }
    return render(request, "sharing/shared.html", page).content


def _turned(pair: ComparedPair) -> dict[str, Any]:
    """With the size of the difference and its simultaneous interval, seen from the better one."""
    ends, turned = pair["simultaneous_interval"], (pair["difference"] or 0.0) < 0
    size = None if pair["difference"] is None else abs(pair["difference"])
    return {**pair, "size": size, "ends": [-ends[1], -ends[0]] if ends and turned else ends}


@behind_link
def shared_json(request: HttpRequest) -> HttpResponse:
    """The frozen document; `units`: null where no texts were chosen."""
    found = _find(request)
    document = {"title": found["title"], **found["figures"], "units": found["units"]}
    named = {"Content-Disposition": 'inline; filename="comparison.json"'}
    return JsonResponse(document, json_dumps_params={"indent": 1, "ensure_ascii": False}, headers=named)


@behind_link
def shared_csv(request: HttpRequest) -> HttpResponse:
    """The table of evaluators."""
    return table_response(thaw_table(_find(request)["figures"]["tables"][0]), "csv")


@behind_link
def shared_units(request: HttpRequest) -> HttpResponse:
    found = _find(request)
    if found["units"] is None:
        raise Http404("No texts were chosen.")
    page = Paginator(found["units"]["units"], UNITS_A_PAGE).get_page(request.GET.get("page"))
    context = {"shared": found, "figures": found["figures"], "page": page, "of": found["units"]["of"]}
    return render(request, "sharing/units.html", context)


def _find(request: HttpRequest) -> dict[str, Any]:
    """The title, key, figures and units of the live link; Http404 alike for one that never was and a revoked one."""
    key = request.GET.get("key", "")
    live = SharedComparison.objects.live().filter(key=key, dataset__ready=True)
    if not key or not live.exists():
        raise Http404("No such page.")

    def read() -> dict[str, Any]:
        return dict(SharedComparison.objects.values("title", "key", "figures", "units").get(key=key))

    return cached(f"shared-{key}", read)
