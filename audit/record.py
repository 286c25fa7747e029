"""One entry in the audit log."""

from django.db.models import Model
from django.http import HttpRequest

from audit.models import Action, AuditEntry
from core.requests import client_address

NAME_LENGTH = 200
DETAIL_LENGTH = 300


def record(request: HttpRequest | None, action: Action, about: Model | str | None = None, detail: str = "") -> None:
    """Write down what was done. In a transaction it is written if the rest is.

    request: None for a command, which has no person. about: the object, or its name. Neither it nor the detail may hold
    a secret or a text of the data.
    """
    user = getattr(request, "user", None)
    AuditEntry.objects.create(
        person=user if user is not None and user.is_authenticated else None,
        by_command=request is None,
        by_token=None if (token := getattr(request, "token", None)) is None else str(token),
        address=None if request is None else client_address(request),
        action=action,
        object_kind=str(about._meta.verbose_name) if isinstance(about, Model) else "",
        object_key=about.pk if isinstance(about, Model) else "",
        object_name=str(about or "")[:NAME_LENGTH],
        detail=detail[:DETAIL_LENGTH],
    )
