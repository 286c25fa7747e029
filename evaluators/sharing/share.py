"""Public links are made, revoked and found."""

from secrets import token_urlsafe

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from annotate.access import role_in
from annotate.datasets.create import refuse_sandbox
from annotate.models import Dataset, Role, User
from audit.models import Action
from audit.record import record
from core.errors import DataError
from evaluators.comparison.page_state import ComparisonRequest
from evaluators.comparison.ready import ComparisonProgress, comparison_of
from evaluators.models import SharedComparison
from evaluators.sharing.freeze import freeze_figures, freeze_units

NOT_READY = "The figures are being computed. Open the comparison, wait for them, and share it then."
ADJUDICATORS_ALONE = "Only adjudicators share texts."
HELD_OUT = "A held-out board of this dataset has not shown its hidden ranks: texts with gold cannot be shared."


def share_comparison(
    request: HttpRequest, comparison: ComparisonRequest, made_by: User, title: str, *, texts: bool
) -> SharedComparison:
    """Freeze the comparison behind a new link. DataError where its figures are not there yet, or gold is held out, and
    for a sandbox. PermissionDenied: texts of somebody who may not share them."""
    dataset = comparison.dataset
    refuse_sandbox(dataset)
    if texts and not may_share_texts(made_by, dataset):
        raise PermissionDenied(ADJUDICATORS_ALONE)
    if texts and holds_gold_out(dataset):
        raise DataError(HELD_OUT)
    document = comparison_of(dataset, comparison.version, comparison.state.question, comparison.since)
    if isinstance(document, ComparisonProgress):
        raise DataError(NOT_READY)
    figures = freeze_figures(comparison, document)
    units = freeze_units(comparison) if texts else None
    with transaction.atomic():
        shared: SharedComparison = dataset.shared_comparisons.create(
            title=title, key=token_urlsafe(32), figures=figures, units=units, created_by=made_by
        )
        record(request, Action.SHARED, shared, detail=f"{dataset}: {'with texts' if texts else 'figures alone'}")
    return shared


def may_share_texts(user: User, dataset: Dataset) -> bool:
    return role_in(user, dataset) == Role.ADJUDICATOR


def holds_gold_out(dataset: Dataset) -> bool:
    """Whether a board keeps some of the gold from its teams."""
    return dataset.held_out_boards.filter(shown_at__isnull=True).exists()


@transaction.atomic
def revoke_link(request: HttpRequest, shared: SharedComparison) -> bool:
    """False if it was revoked before."""
    revoked = SharedComparison.objects.live().filter(pk=shared.pk).update(revoked_at=timezone.now())
    if revoked:
        record(request, Action.SHARE_REVOKED, shared, detail=str(shared.dataset))
    return bool(revoked)


def link_of(request: HttpRequest, shared: SharedComparison) -> str:
    """The whole address, "" once it is revoked. The key is in the query, which the access log leaves out."""
    if shared.revoked_at is not None:
        return ""
    return request.build_absolute_uri(f"{reverse('shared')}?{urlencode({'key': shared.key})}")
