"""People, and what each may do in a dataset."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

# The pseudonym of a person who was forgotten begins with it.
PSEUDONYM = "forgotten-"


class User(AbstractUser):
    """Someone who can log in. People who come with imported labels have no usable password.

    `keys` holds the keys that they remapped on the workbench: {command: key}. `moves_on`: there a judgement by a key
    leads to the next open unit. `language` and `time_zone` are those of their pages; "": what the browser asks for, and
    UTC. `digest`: they want a daily e-mail with
    what needs their attention; `digest_on` is the day of the last one, None before the first.
    """

    # The only dataset that a request made with a token opens (api/middleware.py); None: all of the person's.
    only_dataset: int | None = None

    keys = models.JSONField(default=dict, blank=True)
    moves_on = models.BooleanField(default=True, db_default=True)
    language = models.CharField(max_length=16, blank=True, default="", db_default="")
    time_zone = models.CharField(max_length=64, blank=True, default="", db_default="")
    digest = models.BooleanField(default=False, db_default=False)
    digest_on = models.DateField(null=True, blank=True)

    @property
    def is_forgotten(self) -> bool:
        """Whether a pseudonym is in place of the name (annotate/personal_data/forget.py)."""
        return self.username.startswith(PSEUDONYM) and not self.is_active and not self.has_usable_password()


class Role(models.TextChoices):
    ANNOTATOR = "annotator", "Annotator"
    ADJUDICATOR = "adjudicator", "Adjudicator"
    RESEARCHER = "researcher", "Researcher"


class Membership(models.Model):
    """One person's one role in one dataset: a second role would let an annotator see what must stay hidden."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    dataset = models.ForeignKey("annotate.Dataset", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "dataset"], name="membership_one_role"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.dataset}"


class Qualification(models.Model):
    """An annotator may do real work in the dataset: they judged enough as gold does, or somebody says that they may.

    `right` of `units` were judged as gold does; both null where a pass was granted before the annotator was done. It
    stands whatever becomes of the pass mark and of the tasks.
    """

    dataset = models.ForeignKey("annotate.Dataset", on_delete=models.CASCADE, related_name="qualifications")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="qualifications")
    right = models.PositiveIntegerField(null=True, blank=True)
    units = models.PositiveIntegerField(null=True, blank=True)
    granted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="granted"
    )
    why = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dataset", "annotator"], name="qualification_once"),
            models.CheckConstraint(
                condition=Q(granted_by__isnull=True, right__isnull=False, units__isnull=False)
                | Q(granted_by__isnull=False) & ~Q(why=""),
                name="qualification_earned_or_granted",
            ),
            models.CheckConstraint(
                condition=Q(right__isnull=True, units__isnull=True) | Q(right__lte=F("units")),
                name="qualification_right_of_units",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} may work on {self.dataset}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> "InvitationQuerySet":
        """Those that can be accepted now."""
        return self.filter(accepted_at__isnull=True, revoked_at__isnull=True, expires_at__gt=timezone.now())


class Invitation(models.Model):
    """A link by which one person becomes a member of a dataset, with an account of their own or a new one.

    `token_hash` is SHA-256 of the secret part of the link, which is stored nowhere. `name` and `email` are what the
    inviting adjudicator wrote; where the site sends e-mail, the link went to `email` and is for its owner alone.
    """

    dataset = models.ForeignKey("annotate.Dataset", on_delete=models.CASCADE, related_name="invitations")
    name = models.CharField(max_length=150, blank=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=20, choices=Role.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="invitations")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="accepted_invitations",
    )

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True, accepted_by__isnull=True)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False, revoked_at__isnull=True),
                name="invitation_used_once",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation of {self.name or self.email or 'somebody'} to {self.dataset}"

    @property
    def is_open(self) -> bool:
        return self.accepted_at is None and self.revoked_at is None and self.expires_at > timezone.now()


class QualificationRetake(models.Model):
    """An annotator takes the qualification of the dataset again: what they began before counts no more, and is not
    asked of them again, for they have seen its answers."""

    dataset = models.ForeignKey("annotate.Dataset", on_delete=models.CASCADE, related_name="retakes")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="retakes")
    allowed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.annotator} again on {self.dataset}"
