"""The pages of members and guidelines, and of a dataset's settings, for adjudicators."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.administration import recorded
from annotate.administration.guidelines import GuidelineError, StaleGuidelineError, changes_since, save_guidelines
from annotate.administration.members import MemberError, count_unsubmitted
from annotate.administration.settings import SettingsForm
from annotate.models import Dataset, Membership, Role, Task
from core.numbers import read_number

SHOWN_INVITATIONS = 200


@require_GET
def people(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    return _page(request, dataset)


@require_POST
def member_add(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    name, role = request.POST.get("name", ""), request.POST.get("role", "")
    return _try(request, dataset, lambda: recorded.add(request, dataset, name, role), f"{name} is {role} now.")


@require_POST
def member_change(request: HttpRequest, pk: int) -> HttpResponse:
    member = fetch_in_dataset(request.user, recorded.MEMBERS.all(), pk, "dataset", Role.ADJUDICATOR)
    name, role = member.user.username, request.POST.get("role", "")
    return _try(request, member.dataset, lambda: recorded.change(request, member, role), f"{name} is {role} now.")


@require_http_methods(["GET", "HEAD", "POST"])
def member_remove(request: MemberRequest, pk: int) -> HttpResponse:
    """Remove a member, or leave the dataset: the page says what follows, and asks for a tick from who leaves."""
    member = recorded.fetch_member(request.user, pk)
    dataset, own = member.dataset, member.user == request.user
    trouble = ""
    if request.method == "POST" and own and request.POST.get("sure") != "1":
        trouble = "Select the box to confirm: you will no longer see the dataset."
    elif request.method == "POST":
        try:
            recorded.remove(request, member)
        except MemberError as error:
            trouble = f"Not done: {error}."
        else:
            return _removed(request, member, left=own)
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "people",
        "member": member,
        "own": own,
        "unsubmitted": count_unsubmitted(member),
        "trouble": trouble,
    }
    return render(request, "administration/remove.html", context, status=422 if trouble else 200)


def _removed(request: MemberRequest, member: Membership, left: bool) -> HttpResponse:
    if left:
        messages.success(request, f"You left {member.dataset}. What you labelled stays.")
        return redirect("home")
    messages.success(request, f"{member.user.username} is no longer a member; what they labelled stays.")
    return redirect("people", member.dataset_id)


@require_POST
def guidelines_save(request: HttpRequest, pk: int) -> HttpResponse:
    """Save a new version; with `preview` only show the text as annotators will see it."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    text, since = request.POST.get("text", ""), read_number(request.POST.get("since", "")) or 0
    if "preview" in request.POST:
        return _page(request, dataset, text=text, since=since, preview=text)
    try:
        save_guidelines(dataset, text, since)
    except StaleGuidelineError as error:
        # Having been shown the newer version, the person may save over it.
        return _refuse(request, dataset, error, text=text, stale=True)
    except GuidelineError as error:
        return _refuse(request, dataset, error, text=text, since=since)
    messages.success(request, "New guidelines saved.")
    return redirect("people", dataset.pk)


@require_GET
def guideline_changes(request: HttpRequest, pk: int) -> HttpResponse:
    """The guidelines in force, and what changed in them after version ?since=."""
    dataset = fetch_dataset(request.user, pk)
    since = read_number(request.GET.get("since", "")) or 0
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "people",
        "newest": dataset.guidelines.first(),
        "changes": changes_since(dataset, since),
    }
    return render(request, "administration/guideline_changes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def dataset_settings(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = SettingsForm(request.POST if request.method == "POST" else None, instance=dataset)
    if form.is_bound and form.is_valid():
        form.store()
        messages.success(request, "Saved. Earlier work does not change.")
        return redirect("dataset-settings", dataset.pk)
    tasks = Task.objects.filter(dataset=dataset).kept()
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "settings",
        "form": form,
        "lease_hours": settings.TASK_LEASE_HOURS,
        "qualifications": tasks.filter(kind=Task.Kind.QUALIFICATION).count(),
        "controls": tasks.filter(kind=Task.Kind.CONTROL).count(),
    }
    return render(request, "administration/settings.html", context, status=422 if form.is_bound else 200)


def _try(request: HttpRequest, dataset: Dataset, change: Callable[[], object], done: str) -> HttpResponse:
    """Change the members and go back to the page, which says why where that could not be done."""
    try:
        change()
    except MemberError as error:
        return _refuse(request, dataset, error)
    messages.success(request, done)
    return redirect("people", dataset.pk)


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
        "invitations": dataset.invitations.select_related("accepted_by")[:SHOWN_INVITATIONS],
        "current": current,
        "versions": versions,
        "text": current.text if current else "",
        "since": current.version if current else 0,
        **fields,
    }
    return render(request, "administration/people.html", context, status=status)
