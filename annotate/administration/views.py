"""The pages of members and guidelines, and of a dataset's settings, for adjudicators."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import fetch_dataset, fetch_in_dataset, role_in
from annotate.administration.guidelines import GuidelineError, StaleGuidelineError, save_guidelines
from annotate.administration.members import MemberError, add_member, change_role, remove_member
from annotate.administration.settings import SettingsForm
from annotate.models import Dataset, Membership, Role, Task
from audit.models import Action
from audit.record import record
from core.numbers import read_number


@require_GET
def people(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    return _page(request, dataset)


@require_POST
def member_add(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    name, role = request.POST.get("name", ""), request.POST.get("role", "")

    def add() -> None:
        member = add_member(dataset, name, role)
        record(request, Action.MEMBER_ADDED, member.user, detail=f"{dataset}: {role}")

    return _try(request, dataset, add, f"{name} is {role} now.")


@require_POST
def member_change(request: HttpRequest, pk: int) -> HttpResponse:
    member = fetch_in_dataset(
        request.user, Membership.objects.select_related("user", "dataset"), pk, "dataset", Role.ADJUDICATOR
    )
    name, role, before = member.user.username, request.POST.get("role", ""), member.role

    def remove() -> None:
        remove_member(member)
        record(request, Action.MEMBER_REMOVED, member.user, detail=f"{member.dataset}: {before}")

    def change() -> None:
        change_role(member, role)
        record(request, Action.ROLE_CHANGED, member.user, detail=f"{member.dataset}: {before} to {role}")

    if "remove" in request.POST:
        return _try(request, member.dataset, remove, f"{name} is no longer a member; what they labelled stays.")
    return _try(request, member.dataset, change, f"{name} is {role} now.")


@require_POST
def guidelines_save(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    text, since = request.POST.get("text", ""), read_number(request.POST.get("since", "")) or 0
    try:
        save_guidelines(dataset, text, since)
    except StaleGuidelineError as error:
        # Having been shown the newer version, the person may save over it.
        return _refuse(request, dataset, error, text=text, stale=True)
    except GuidelineError as error:
        return _refuse(request, dataset, error, text=text, since=since)
    messages.success(request, "The new guidelines are in force.")
    return redirect("people", dataset.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def dataset_settings(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = SettingsForm(request.POST if request.method == "POST" else None, instance=dataset)
    if form.is_bound and form.is_valid():
        form.store()
        messages.success(request, "Saved. It holds from now on; what was done before stays as it is.")
        return redirect("dataset-settings", dataset.pk)
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "settings",
        "form": form,
        "lease_hours": settings.TASK_LEASE_HOURS,
        "qualifications": dataset.tasks.filter(kind=Task.Kind.QUALIFICATION).count(),
        "controls": dataset.tasks.filter(kind=Task.Kind.CONTROL).count(),
    }
    return render(request, "administration/settings.html", context, status=422 if form.is_bound else 200)


def _try(request: HttpRequest, dataset: Dataset, change: Callable[[], object], done: str) -> HttpResponse:
    """Change the members and go back to the page, which says why where that could not be done."""
    try:
        with transaction.atomic():
            change()
    except MemberError as error:
        return _refuse(request, dataset, error)
    messages.success(request, done)
    # A member who has just removed themselves has no page of this dataset to go back to.
    return redirect("people", dataset.pk) if role_in(request.user, dataset) == Role.ADJUDICATOR else redirect("home")


def _refuse(request: HttpRequest, dataset: Dataset, error: ValueError, **fields: object) -> HttpResponse:
    """The page again, with the error and the text of the form."""
    messages.error(request, f"Not done: {error}.")
    return _page(request, dataset, status=422, **fields)


def _page(request: HttpRequest, dataset: Dataset, status: int = 200, **fields: object) -> HttpResponse:
    versions = list(dataset.guidelines.all())
    current = versions[0] if versions else None
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "people",
        "members": dataset.memberships.select_related("user").order_by("role", "user__username"),
        "roles": Role.choices,
        "current": current,
        "versions": versions,
        "text": current.text if current else "",
        "since": current.version if current else 0,
        **fields,
    }
    return render(request, "administration/people.html", context, status=status)
