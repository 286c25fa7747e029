"""The page on which public links are made, listed and revoked."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from core.errors import DataError
from evaluators.comparison.page_state import ComparisonRequest, has_gold, read_request
from evaluators.models import SharedComparison
from evaluators.sharing.share import holds_gold_out, link_of, may_share_texts, revoke_link, share_comparison


class ShareForm(forms.Form):
    title = forms.CharField(max_length=200, help_text="Whoever has the link reads it.")
    texts = forms.BooleanField(
        required=False,
        label="Share texts too",
        help_text="Prompts, responses, gold and each evaluator's answers. Annotators who have the link see gold.",
    )

    def __init__(self, *arguments: Any, may_share_texts: bool, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if not may_share_texts:
            del self.fields["texts"]


@require_http_methods(["GET", "HEAD", "POST"])
def shares(request: MemberRequest, pk: int) -> HttpResponse:
    """The query is that of the comparison page: what is shared. Only adjudicators share texts."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    role = role_in(request.user, dataset)
    page: dict[str, Any] = {"dataset": dataset, "role": role, "tab": "compare", "links": _links(request, dataset)}
    form = None
    if has_gold(dataset):
        comparison = read_request(request, dataset)
        texts = may_share_texts(request.user, dataset) and not holds_gold_out(dataset)
        form = ShareForm(request.POST if request.method == "POST" else None, may_share_texts=texts)
        if form.is_bound and form.is_valid() and _shared(request, comparison, form):
            return redirect("shares", pk)
        page |= {"form": form, "comparison": comparison, "state": comparison.state, "gone": comparison.gone}
    return render(request, "sharing/shares.html", page, status=422 if request.method == "POST" else 200)


def _shared(request: MemberRequest, comparison: ComparisonRequest, form: ShareForm) -> bool:
    """False, with the reason in the form, where it cannot be shared."""
    fields = form.cleaned_data
    try:
        share_comparison(request, comparison, request.user, fields["title"], texts=fields.get("texts", False))
    except DataError as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, "The link is made. Everybody who has it can open the page.")
    return True


def _links(request: HttpRequest, dataset: Dataset) -> list[tuple[SharedComparison, str]]:
    """Each with its address, "" once it is revoked."""
    return [(each, link_of(request, each)) for each in dataset.shared_comparisons.listed()]


@require_POST
def share_revoke(request: MemberRequest, pk: int, share: int) -> HttpResponse:
    """In an archived dataset too: what is public must be possible to take back."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR, even_archived=True)
    if revoke_link(request, get_object_or_404(dataset.shared_comparisons.select_related("dataset"), pk=share)):
        messages.success(request, "The link is revoked. Whoever opens it finds nothing.")
    return redirect("shares", pk)
