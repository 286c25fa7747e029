"""The pages on which accounts are administered: by superusers, by adjudicators of one's datasets, by oneself."""

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, admit_superuser, fetch_in_dataset
from annotate.administration.accounts import AccountError, deactivate, reactivate
from annotate.datasets.create import RIGHT, set_right
from annotate.models import Membership, Role, User
from annotate.people.resets import ResetError, check_reset, reset_path
from audit.models import Action
from audit.record import record

PER_PAGE = 50


@require_GET
def accounts(request: MemberRequest) -> HttpResponse:
    """Everybody who has an account, for superusers."""
    admit_superuser(request.user)
    text = request.GET.get("q", "").replace("\0", "").strip()
    people = User.objects.order_by("username")
    if text:
        people = people.filter(Q(username__icontains=text) | Q(first_name__icontains=text) | Q(email__icontains=text))
    page = Paginator(people.prefetch_related("user_permissions"), PER_PAGE).get_page(request.GET.get("page"))
    codename = RIGHT.partition(".")[2]
    rows = [
        {
            "person": person,
            "may_create": any(right.codename == codename for right in person.user_permissions.all()),
        }
        for person in page
    ]
    return render(request, "administration/accounts.html", {"page": page, "rows": rows, "text": text})


@require_POST
def account_change(request: MemberRequest, pk: int) -> HttpResponse:
    """Give or take the right to create datasets, deactivate or reactivate (the button's name)."""
    admit_superuser(request.user)
    person = get_object_or_404(User, pk=pk)
    name = person.get_username()
    with transaction.atomic():
        if "right" in request.POST:
            allowed = request.POST["right"] == "1"
            set_right(person, allowed)
            record(request, Action.RIGHT_CHANGED, person, detail="given" if allowed else "taken back")
            done = f"{name} can create datasets now." if allowed else f"{name} can no longer create datasets."
        elif "reactivate" in request.POST:
            reactivate(person)
            record(request, Action.REACTIVATED, person)
            done = f"{name} can log in again."
        elif "deactivate" in request.POST and person != request.user:
            try:
                deactivate(person)
            except AccountError as error:
                messages.error(request, f"Not done: {error}.")
                return redirect("accounts")
            record(request, Action.DEACTIVATED, person)
            done = f"{name} cannot log in any more."
        else:
            return redirect("accounts")
    messages.success(request, done)
    return redirect("accounts")


@require_http_methods(["GET", "HEAD", "POST"])
def account_reset(request: MemberRequest, pk: int) -> HttpResponse:
    """Make a reset link for anybody, for superusers."""
    admit_superuser(request.user)
    return _reset(request, get_object_or_404(User, pk=pk), {})


@require_http_methods(["GET", "HEAD", "POST"])
def member_reset(request: MemberRequest, pk: int) -> HttpResponse:
    """Make a reset link for a member, for adjudicators."""
    members = Membership.objects.select_related("user", "dataset")
    member = fetch_in_dataset(request.user, members, pk, "dataset", Role.ADJUDICATOR)
    return _reset(request, member.user, {"dataset": member.dataset, "role": Role.ADJUDICATOR, "tab": "people"})


def _reset(request: MemberRequest, person: User, context: dict[str, object]) -> HttpResponse:
    """The page that asks first, and its answer, on which alone the link stands."""
    trouble, link = "", ""
    try:
        check_reset(request.user, person)
    except ResetError as error:
        trouble = str(error)
    else:
        if request.method == "POST":
            record(request, Action.RESET_LINK, person)
            link = request.build_absolute_uri(reset_path(person))
    context |= {
        "person": person,
        "trouble": trouble,
        "link": link,
        "hours": settings.PASSWORD_RESET_TIMEOUT // 3600,
        "frame": "site/dataset_base.html" if "dataset" in context else "site/base.html",
    }
    return render(
        request, "administration/reset.html", context, status=422 if trouble and request.method == "POST" else 200
    )


@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def deactivate_own(request: MemberRequest) -> HttpResponse:
    """End one's own account; the password is asked for first, and a tick."""
    trouble = ""
    if request.method == "POST" and request.POST.get("sure") != "1":
        trouble = "Tick the box: after this you cannot log in."
    elif request.method == "POST":
        try:
            with transaction.atomic():
                deactivate(request.user)
                record(request, Action.DEACTIVATED, request.user)
        except AccountError as error:
            trouble = f"Not done: {error}."
        else:
            logout(request)
            return redirect("account_login")
    return render(request, "account/deactivate.html", {"trouble": trouble}, status=422 if trouble else 200)
