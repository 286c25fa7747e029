"""The pages of people from crowd platforms: begin or come back, and the end with its code."""

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import MemberRequest, fetch_dataset
from annotate.models import OutsidePerson, RecruitmentLink, Role
from annotate.people.throttle import count_by_address
from annotate.recruitment.begin import (
    BeginError,
    OutsideIds,
    begin,
    bind_device,
    check_open,
    find_person,
    is_device_of,
    read_ids,
)
from annotate.recruitment.finish import finish
from annotate.recruitment.links import find_link

COOKIE = "outside_browser"
COOKIE_SECONDS = 90 * 86_400


@never_cache
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def outside(request: HttpRequest) -> HttpResponse:
    """Begin, or go on with what was begun. Looking at the page changes nothing."""
    link = find_link(request.GET.get("key", ""))
    if link is None:
        return render(request, "recruitment/over.html", status=404)
    ids = read_ids(link, request.GET, request.POST.get("id", ""))
    known = find_person(link, ids)
    other = request.user.is_authenticated and (known is None or known.person != request.user)
    context = {"link": link, "ids": ids, "known": known, "other": other}
    try:
        if known is None:
            check_open(link)
        elif known.device_hash and not is_device_of(known, request.COOKIES.get(COOKIE, "")):
            return render(request, "recruitment/other_browser.html", context, status=403)
        if request.method == "POST" and not other:
            count_by_address(request, "outside_began")
            return _go_on(request, link, ids, known)
    except BeginError as error:
        return render(request, "recruitment/over.html", {**context, "reason": str(error)}, status=410)
    return render(request, "recruitment/begin.html", context, status=422 if request.method == "POST" else 200)


def _go_on(request: HttpRequest, link: RecruitmentLink, ids: OutsideIds, known: OutsidePerson | None) -> HttpResponse:
    if known is None:
        known, secret = begin(request, link, ids)
    else:
        secret = "" if known.device_hash else bind_device(known)
    response: HttpResponse = perform_login(
        request, known.person, redirect_url=reverse("label-next", args=[link.dataset_id])
    )
    if secret:
        response.set_cookie(
            COOKIE,
            secret,
            max_age=COOKIE_SECONDS,
            path=reverse("outside"),
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response


@never_cache
@require_GET
def outside_end(request: MemberRequest, pk: int) -> HttpResponse:
    """For a person from a platform: their code, once they have finished."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    mine = OutsidePerson.objects.select_related("link__dataset", "person")
    known = mine.filter(person=request.user, link__dataset=dataset).first()
    if known is None:
        raise Http404("The person came by no recruitment link.")
    context = {"dataset": dataset, "role": Role.ANNOTATOR, "tab": "label", "known": known, "end": finish(known)}
    return render(request, "recruitment/end.html", context)
