"""The page of the setting of suggestions."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.access import MemberRequest, admit_superuser, fetch_dataset
from annotate.models import Role
from annotate.suggestions.setting import SuggestionsForm
from annotate.suggestions.source import source


@require_http_methods(["GET", "HEAD", "POST"])
def suggestions(request: MemberRequest, pk: int) -> HttpResponse:
    """Adjudicators read it; who administers the site changes it, as it can bias every later label."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = SuggestionsForm(instance=dataset)
    if request.method == "POST":
        admit_superuser(request.user)
        form = SuggestionsForm(request.POST, instance=dataset)
        if form.is_valid():
            form.store(request)
            messages.success(request, "Saved. Tasks that were opened before do not change.")
            return redirect("suggestions", dataset.pk)
    run = form.initial["suggestion_run"]
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "settings",
        "form": form,
        "run_name": source().names({run}).get(run, f"run {run}") if run else "",
        "may_change": request.user.is_superuser,
    }
    return render(request, "suggestions/setting.html", context, status=422 if form.is_bound else 200)
