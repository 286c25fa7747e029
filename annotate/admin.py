"""The admin pages, for searching. Labels and gold are read-only there."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from annotate import models
from audit.admin import RecordedAdmin
from core.admin import ReadOnlyAdmin


@admin.register(models.User)
class PersonAdmin(RecordedAdmin, UserAdmin):  # type: ignore[type-arg]
    """Accounts. Whoever left a trace anywhere is deactivated, not deleted.

    Nobody sets the password of somebody else: accounts come by invitation, and passwords change by a reset link.
    """

    fieldsets = [
        (None, {"fields": ["username", "first_name", "email"]}),
        ("Permissions", {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        raise PermissionDenied

    def has_delete_permission(self, request: HttpRequest, obj: models.User | None = None) -> bool:
        return obj is not None and not _has_left_traces(obj) and super().has_delete_permission(request, obj)


def _has_left_traces(person: models.User) -> bool:
    return any(
        relation.related_model._base_manager.filter(**{relation.field.name: person}).exists()
        for relation in person._meta.related_objects
        if not relation.related_model._meta.auto_created
    )


for model in (EmailAddress, Authenticator, UserSession, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(Authenticator)
class AuthenticatorAdmin(RecordedAdmin, ReadOnlyAdmin):
    """Deleted here for somebody who has lost their telephone and their recovery codes."""

    fields = ["user", "type", "created_at", "last_used_at"]
    list_display = ["user", "type", "created_at", "last_used_at"]
    search_fields = ["user__username"]
    list_select_related = ["user"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(request.user.is_superuser)


@admin.register(models.Dataset)
class DatasetAdmin(RecordedAdmin):
    list_display = ["name", "scheme", "overlap", "gold_revision", "ready", "created_at"]
    list_filter = ["scheme", "ready"]
    search_fields = ["name", "description"]
    readonly_fields = ["gold_revision", "ready"]


@admin.register(models.Membership)
class MembershipAdmin(ReadOnlyAdmin):
    """Roles change on the pages of members, by their rules."""

    list_display = ["user", "dataset", "role"]
    list_filter = ["role", "dataset"]
    search_fields = ["user__username", "dataset__name"]
    list_select_related = ["user", "dataset"]


@admin.register(models.Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    fields = [
        "dataset",
        "name",
        "email",
        "role",
        "invited_by",
        "expires_at",
        "revoked_at",
        "accepted_at",
        "accepted_by",
    ]
    list_display = ["name", "dataset", "role", "invited_by", "created_at", "expires_at", "revoked_at", "accepted_by"]
    list_filter = ["role", "dataset"]
    search_fields = ["name", "email"]
    list_select_related = ["dataset", "invited_by", "accepted_by"]


@admin.register(models.DatasetDeletion)
class DatasetDeletionAdmin(ReadOnlyAdmin):
    list_display = ["name", "state", "requested_by", "created_at", "settled_at", "error"]
    list_filter = ["state"]
    search_fields = ["name"]
    list_select_related = ["requested_by"]


@admin.register(models.Guideline)
class GuidelineAdmin(ReadOnlyAdmin):
    list_display = ["dataset", "version", "created_at"]
    list_filter = ["dataset"]
    search_fields = ["text"]
    list_select_related = ["dataset"]


@admin.register(models.Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = ["file_name", "dataset", "format", "subject", "created", "unchanged", "started_at", "finished_at"]
    list_filter = ["format", "abandoned", "dataset"]
    search_fields = ["file_name", "file_hash"]
    date_hierarchy = "started_at"
    list_select_related = ["dataset"]


@admin.register(models.SkippedRow)
class SkippedRowAdmin(ReadOnlyAdmin):
    list_display = ["imported", "number", "kind"]
    list_select_related = ["imported__dataset"]


@admin.register(models.Upload)
class UploadAdmin(ReadOnlyAdmin):
    list_display = ["file_name", "dataset_name", "format", "state", "uploaded_by", "created_at"]
    list_filter = ["state", "format"]
    search_fields = ["file_name", "dataset_name", "uploaded_by__username"]
    list_select_related = ["uploaded_by"]


@admin.register(models.Prompt)
class PromptAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "dataset", "domain", "topic", "frequency", "nationality"]
    list_filter = ["dataset", "domain", "frequency"]
    search_fields = ["text", "topic"]
    list_select_related = ["dataset"]


@admin.register(models.Response)
class ResponseAdmin(ReadOnlyAdmin):
    list_display = ["index", "dataset", "position", "subject", "abstained", "task"]
    list_filter = ["dataset", "abstained"]
    search_fields = ["=index", "text", "prompt__text"]
    list_select_related = ["dataset", "task__dataset"]


@admin.register(models.Segment)
class SegmentAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "response", "position", "start", "end", "relevant"]
    list_filter = ["response__dataset", "relevant"]
    search_fields = ["text", "=response__index"]
    list_select_related = ["response__dataset"]


@admin.register(models.AtomicFact)
class AtomicFactAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "fact_set", "position"]
    list_filter = ["fact_set__origin", "fact_set__response__dataset"]
    search_fields = ["text", "=fact_set__response__index"]
    list_select_related = ["fact_set__response__dataset"]


@admin.register(models.SubjectSample)
class SubjectSampleAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "response", "position"]
    list_select_related = ["response__dataset"]


@admin.register(models.ReferenceLink)
class ReferenceLinkAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "response", "label", "gold", "position"]
    search_fields = ["url"]
    list_select_related = ["response__dataset", "label__assignment__annotator", "gold"]


@admin.register(models.Task)
class TaskAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "wants", "closed_at"]
    list_filter = ["dataset", "wants", ("closed_at", admin.EmptyFieldListFilter)]
    search_fields = ["=responses__index"]
    list_select_related = ["dataset"]


@admin.register(models.Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    list_display = ["task", "annotator", "place", "state", "lease_until", "submitted_at"]
    list_filter = ["state", "task__dataset"]
    search_fields = ["annotator__username", "=task__responses__index"]
    list_select_related = ["task__dataset", "annotator"]


@admin.register(models.Label)
class LabelAdmin(ReadOnlyAdmin):
    list_display = ["value", "error_type", "annotator", "segment", "fact", "revision", "created_at"]
    list_filter = ["value", "error_type", "assignment__task__dataset"]
    search_fields = ["reason", "segment__text", "fact__text", "=segment__response__index"]
    list_select_related = ["assignment__annotator", "segment", "fact"]

    @admin.display(ordering="assignment__annotator__username")
    def annotator(self, label: models.Label) -> str:
        return label.assignment.annotator.username


@admin.register(models.Adjudication)
class AdjudicationAdmin(ReadOnlyAdmin):
    list_display = ["who", "why", "segment", "fact", "created_at"]
    list_filter = ["who", "segment__response__dataset"]
    search_fields = ["why", "segment__text", "fact__text", "=segment__response__index"]
    list_select_related = ["who", "segment", "fact"]


@admin.register(models.GoldLabel)
class GoldLabelAdmin(ReadOnlyAdmin):
    list_display = ["value", "error_type", "source", "segment", "fact", "revision", "superseded"]
    list_filter = ["value", "source", ("superseded", admin.EmptyFieldListFilter), "segment__response__dataset"]
    search_fields = ["reason", "segment__text", "fact__text", "=segment__response__index"]
    list_select_related = ["segment", "fact"]


@admin.register(models.GoldVersion)
class GoldVersionAdmin(ReadOnlyAdmin):
    list_display = ["name", "dataset", "revision", "labels", "hash", "created_by", "created_at"]
    list_filter = ["dataset"]
    search_fields = ["name", "hash"]
    list_select_related = ["dataset", "created_by"]
