"""The table of the audit log, which only grows."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q


class Action(models.TextChoices):
    """What is recorded."""

    LOGIN = "login", "Log-in"
    LOGIN_FAILED = "login-failed", "Log-in failed"
    LOGIN_REFUSED = "login-refused", "Log-ins refused"
    LOGOUT = "logout", "Log-out"
    SESSIONS_ENDED = "sessions-ended", "Sessions ended"
    PASSWORD_CHANGED = "password-changed", "Password changed"
    CODES_ON = "codes-on", "Authenticator added"
    CODES_OFF = "codes-off", "Authenticator removed"
    CODES_RENEWED = "codes-renewed", "Recovery codes renewed"
    PASSKEY_RENAMED = "passkey-renamed", "Passkey renamed"
    CODE_WRONG = "code-wrong", "Wrong code of an authenticator"
    PROVIDER_CONNECTED = "provider-connected", "Identity provider connected"
    PROVIDER_REMOVED = "provider-removed", "Identity provider disconnected"
    MEMBER_ADDED = "member-added", "Member added"
    ROLE_CHANGED = "role-changed", "Role changed"
    MEMBER_REMOVED = "member-removed", "Member removed"
    INVITED = "invited", "Invitation made"
    INVITATION_REVOKED = "invitation-revoked", "Invitation revoked"
    INVITATION_ACCEPTED = "invitation-used", "Invitation accepted"
    RESET_LINK = "reset-link", "Password reset link made"
    PASSWORD_RESET = "password-reset", "Password reset"
    EMAIL_CHANGED = "email-changed", "E-mail address changed"
    DEACTIVATED = "deactivated", "Account deactivated"
    REACTIVATED = "reactivated", "Account reactivated"
    RIGHT_CHANGED = "right-changed", "Right to create datasets"
    DATASET_CREATED = "dataset-created", "Dataset created"
    DATASET_RENAMED = "dataset-renamed", "Dataset renamed"
    DATASET_ARCHIVED = "dataset-archived", "Dataset archived"
    DATASET_RESTORED = "dataset-restored", "Dataset brought back"
    SUGGESTIONS_CHANGED = "suggestions-changed", "Suggestions changed"
    IMPORT_TAKEN_BACK = "import-taken-back", "Import taken back"
    RESPONSES_REMOVED = "responses-removed", "Responses removed"
    RESPONSES_BACK = "responses-restored", "Responses brought back"
    DOWNLOADED = "downloaded", "Download"
    EXPORTED = "exported", "Export"
    GOLD_FROZEN = "gold-frozen", "Gold version frozen"
    RELEASED = "released", "Release"
    SHARED = "shared", "Public link made"
    SHARE_REVOKED = "share-revoked", "Public link revoked"
    BOARD_OPENED = "board-opened", "Held-out board opened"
    BOARD_SHOWN = "board-shown", "Hidden ranks shown"
    TEAM_ADDED = "team-added", "Team of a board added"
    TEAM_REMOVED = "team-removed", "Key of a team revoked"
    SUBMITTED = "submitted", "Submission to a board"
    ENDPOINT_ADDED = "endpoint-added", "Endpoint added"
    ENDPOINT_CHANGED = "endpoint-changed", "Endpoint changed"
    LIMIT_SET = "limit-set", "Limit of spending"
    ENDPOINT_PROBED = "endpoint-probed", "Endpoint probed"
    TOKEN_CREATED = "token-created", "API token created"
    TOKEN_REVOKED = "token-revoked", "API token revoked"
    WEBHOOK_ADDED = "webhook-added", "Webhook added"
    WEBHOOK_CHANGED = "webhook-changed", "Webhook changed"
    DELETED = "deleted", "Deletion"
    RESTORED = "restored", "Backup restored"
    FORGOTTEN = "forgotten", "Person forgotten"
    PRUNED = "pruned", "Old texts deleted"
    ADMIN_ADDED = "admin-added", "Added on the admin pages"
    ADMIN_CHANGED = "admin-changed", "Changed on the admin pages"


class AppendOnlyError(TypeError):
    """Entries of the audit log are neither changed nor deleted."""


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    def update(self, **fields: Any) -> int:
        raise AppendOnlyError("The audit log is append-only.")

    def bulk_update(self, *arguments: Any, **named: Any) -> int:
        raise AppendOnlyError("The audit log is append-only.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError("The audit log is append-only.")

    def search(self, text: str) -> "AuditQuerySet":
        """Those whose person, object, detail or address has the text in it."""
        return self.filter(
            Q(person__username__icontains=text)
            | Q(object_name__icontains=text)
            | Q(detail__icontains=text)
            | Q(address__icontains=text)
        )


class AuditEntry(models.Model):
    """One thing that somebody did. Triggers of the database refuse to change or delete it.

    person: None for somebody who is not logged in, and for commands. by_token: the name of the
    API token by which they did it; None: not by one. address: of the client; None for commands.
    The object is kept in words, so that the entry outlives it: its kind, its key and its name, "" where there is none.

    A migration that makes this table anew, as SQLite's do, has to make the triggers anew (audit/triggers.py).
    """

    at = models.DateTimeField(auto_now_add=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="audit_entries"
    )
    by_command = models.BooleanField(default=False)
    by_token = models.CharField(max_length=100, null=True)  # noqa: DJ001 - without a token it has no name
    address = models.GenericIPAddressField(null=True)
    action = models.CharField(max_length=20, choices=Action.choices)
    object_kind = models.CharField(max_length=40, blank=True)
    object_key = models.CharField(max_length=40, blank=True)
    object_name = models.CharField(max_length=200, blank=True)
    detail = models.CharField(max_length=300, blank=True)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["at"], name="audit_at"),
            models.Index(fields=["action", "at"], name="audit_action_at"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(by_command=False) | Q(person__isnull=True, address__isnull=True), name="audit_command_alone"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} {self.object_name}".strip()

    def save(self, *arguments: Any, **named: Any) -> None:
        if self.pk is not None:
            raise AppendOnlyError("The audit log is append-only.")
        super().save(*arguments, **named)

    def delete(self, *arguments: Any, **named: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnlyError("The audit log is append-only.")
