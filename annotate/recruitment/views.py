"""The adjudicators' pages of recruitment: links, the people who came by each, whom to approve."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.models import Dataset, OutsidePerson, RecruitmentLink, Role
from annotate.recruitment.approvals import SORTS, approval_lines, approvals_of
from annotate.recruitment.forms import LinkForm
from annotate.recruitment.links import make_link, set_closed
from core.downloads import download_csv

PAGE_SIZE = 100


@require_GET
def recruitment(request: MemberRequest, pk: int) -> HttpResponse:
    """The links of the dataset."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    links = dataset.recruitment_links.annotate(
        began=Count("people"), completed=Count("people", filter=Q(people__outcome=OutsidePerson.Outcome.COMPLETED))
    )
    return render(request, "recruitment/links.html", _context(dataset, links=links))


@require_http_methods(["GET", "HEAD", "POST"])
def recruitment_new(request: MemberRequest, pk: int) -> HttpResponse:
    """Make a link; its address is on the answer and nowhere else."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = LinkForm(request.POST if request.method == "POST" else None)
    if not form.is_bound or not form.is_valid():
        return render(
            request, "recruitment/new.html", _context(dataset, form=form), status=422 if form.is_bound else 200
        )
    link, address = make_link(request, dataset, request.user, form)
    return render(request, "recruitment/made.html", _context(dataset, link=link, address=address))


@require_GET
def recruitment_link(request: MemberRequest, pk: int) -> HttpResponse:
    """The people who came by the link, in the order that is asked for."""
    link = _fetch(request, pk)
    sort = request.GET.get("sort", "")
    rows = approvals_of(link, sort)
    more = {"link": link, "page": Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))}
    more |= {"sort": sort if sort in SORTS else "began", "states": OutsidePerson.Outcome}
    return render(request, "recruitment/people.html", _context(link.dataset, **more))


@require_GET
def recruitment_csv(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    link = _fetch(request, pk)
    return download_csv(approval_lines(link), f"approvals-{link.pk}.csv")


@require_POST
def recruitment_state(request: MemberRequest, pk: int) -> HttpResponse:
    """Close or reopen the link."""
    link = _fetch(request, pk)
    closed = request.POST.get("closed") == "1"
    set_closed(request, link, closed)
    messages.success(request, "The link is closed: nobody new begins." if closed else "The link is open again.")
    return redirect("recruitment-link", link.pk)


@require_POST
def outside_browser(request: MemberRequest, pk: int) -> HttpResponse:
    """Let a person go on in another browser: the next one that comes with their id."""
    people = OutsidePerson.objects.select_related("link__dataset", "person")
    known = fetch_in_dataset(request.user, people, pk, "link.dataset", Role.ADJUDICATOR)
    OutsidePerson.objects.filter(pk=known.pk).update(device_hash="")
    messages.success(request, f"{known.person.get_username()} can go on in another browser.")
    return redirect("recruitment-link", known.link_id)


def _fetch(request: MemberRequest, pk: int) -> RecruitmentLink:
    links = RecruitmentLink.objects.select_related("dataset")
    return fetch_in_dataset(request.user, links, pk, "dataset", Role.ADJUDICATOR)


def _context(dataset: Dataset, **more: object) -> dict[str, object]:
    return {"dataset": dataset, "role": Role.ADJUDICATOR, "tab": "people", **more}
