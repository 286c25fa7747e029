"""A recruitment link is made, found and closed."""

from secrets import token_urlsafe

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from annotate.models import Dataset, RecruitmentLink, User
from annotate.recruitment.forms import LinkForm
from audit.models import Action
from audit.record import record
from core.secret_keys import hash_of_key


@transaction.atomic
def make_link(request: HttpRequest, dataset: Dataset, made_by: User, form: LinkForm) -> tuple[RecruitmentLink, str]:
    """The link, and its address with the secret key, which nothing can show again. PermissionDenied for a sandbox."""
    if dataset.sandbox:
        raise PermissionDenied("This is a sandbox, and nobody else joins it.")
    key = token_urlsafe(32)
    link = form.save(commit=False)
    link.dataset, link.created_by, link.token_hash = dataset, made_by, hash_of_key(key)
    link.save()
    record(request, Action.INVITED, link, detail=f"{dataset}: people of {link.get_platform_display()}")
    return link, request.build_absolute_uri(reverse("outside")) + "?" + urlencode({"key": key}) + _placeholders(link)


@transaction.atomic
def set_closed(request: HttpRequest, link: RecruitmentLink, closed: bool) -> None:
    """Nobody begins by a closed link; who has begun goes on."""
    at = timezone.now() if closed else None
    if RecruitmentLink.objects.filter(pk=link.pk, closed_at__isnull=closed).update(closed_at=at):
        link.closed_at = at
        action = Action.INVITATION_REVOKED if closed else Action.INVITED
        record(request, action, link, detail=str(link.dataset))


def find_link(key: str) -> RecruitmentLink | None:
    return RecruitmentLink.objects.select_related("dataset").filter(token_hash=hash_of_key(key)).first()


def _placeholders(link: RecruitmentLink) -> str:
    """What Prolific replaces by its ids; other platforms add theirs themselves."""
    if link.platform != RecruitmentLink.Platform.PROLIFIC:
        return ""
    return "".join(f"&{name}={{{{%{name}%}}}}" for name in link.parameters)
