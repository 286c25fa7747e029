"""The adjudicator's page of the qualification: responses chosen for it, and what lacks an answer."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, fetch_dataset
from annotate.models import Role
from annotate.qualification.choose import KindError
from annotate.tasks.qualify import choosable, choose, qualification_tasks_of
from core.numbers import read_number

PER_PAGE = 25


@require_http_methods(["GET", "HEAD", "POST"])
def qualification_tasks(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    if request.method == "POST":
        sent = map(read_number, request.POST.getlist("response"))
        try:
            changed = choose(dataset, {number for number in sent if number is not None})
        except KindError as error:
            messages.error(request, f"Not changed: {error}.")
        else:
            messages.success(request, f"{changed} task{'' if changed == 1 else 's'} added to the qualification.")
        return redirect("qualification-tasks", dataset.pk)
    text = request.GET.get("q", "").strip()
    chosen = qualification_tasks_of(dataset)
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "assign",
        "chosen": chosen,
        "unanswered": sum(each.unanswered for each in chosen),
        "first": next((each.case for each in chosen if each.case is not None), None),
        "text": text,
        "page": Paginator(choosable(dataset, text), PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "qualification/choose.html", context)
