"""The annotator's page of the qualification, and the adjudicator's word that lets somebody pass."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.models import Dataset, Membership, OutsidePerson, Role, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.qualification.feedback import Lessons, lessons_of
from annotate.qualification.grant import GrantError, allow_retake, grant
from annotate.qualification.status import qualification_for, qualification_status_of


@never_cache
@require_GET
def qualification(request: MemberRequest, pk: int) -> HttpResponse:
    """The annotator's progress and, once all of it is submitted, gold with its reasons."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    standing = qualification_status_of(dataset, request.user)
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "label",
        "standing": standing,
        "is_outside": OutsidePerson.objects.filter(person=request.user, link__dataset=dataset).exists(),
        "lessons": _disclose(request, dataset) if standing is not None and standing.finished else [],
    }
    return render(request, "qualification/qualification.html", context)


def _disclose(request: MemberRequest, dataset: Dataset) -> list[Lessons]:
    for task in qualification_for(dataset, request.user).values_list("pk", flat=True):
        note_receipt(task, request.user, ViewReceipt.What.OUTCOME)
    return lessons_of(dataset, request.user)


@require_POST
def qualification_grant(request: MemberRequest, pk: int) -> HttpResponse:
    """Admit an annotator to real work by an adjudicator's word."""
    members = Membership.objects.select_related("user", "dataset")
    member = fetch_in_dataset(request.user, members, pk, "dataset", Role.ADJUDICATOR)
    try:
        grant(member, request.user, request.POST.get("why", ""))
    except GrantError as error:
        messages.error(request, f"Not done: {error}.")
    else:
        messages.success(request, f"{member.user.get_username()} can do real work now.")
    return redirect("quality", member.dataset_id)


@require_POST
def qualification_retake(request: MemberRequest, pk: int) -> HttpResponse:
    """Let an annotator take the qualification again."""
    members = Membership.objects.select_related("user", "dataset")
    member = fetch_in_dataset(request.user, members, pk, "dataset", Role.ADJUDICATOR)
    try:
        allow_retake(member, request.user)
    except GrantError as error:
        messages.error(request, f"Not done: {error}.")
    else:
        messages.success(request, f"{member.user.get_username()} takes the qualification again, with other responses.")
    return redirect("quality", member.dataset_id)
