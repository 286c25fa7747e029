"""Boards on which outside teams are scored by gold that they never see."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Dataset, GoldVersion


class HeldOutBoard(models.Model):
    """A frozen version of gold, parted by prompts into a public and a hidden split.

    `hidden` and `public` are the primary keys of the prompts of each split, drawn with `seed` and never changed. Once
    `shown_at` is set the hidden figures and `standing`, the ranks (evaluators/held_out/standing.py), are shown, and no
    submission is taken any more.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="held_out_boards")
    version = models.ForeignKey(GoldVersion, on_delete=models.CASCADE, related_name="held_out_boards")
    title = models.CharField(max_length=200)
    seed = models.BigIntegerField()
    hidden = models.JSONField()
    public = models.JSONField()
    daily = models.PositiveSmallIntegerField(help_text="Submissions of a team within 24 hours.")
    standing = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    shown_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(title=""), name="held_out_board_titled"),
            models.CheckConstraint(condition=Q(daily__gte=1), name="held_out_board_takes_submissions"),
            models.CheckConstraint(
                condition=Q(shown_at__isnull=True, standing__isnull=True)
                | Q(shown_at__isnull=False, standing__isnull=False),
                name="held_out_board_shown_with_standing",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class BoardTeamQuerySet(models.QuerySet["BoardTeam"]):
    def admitted(self) -> "BoardTeamQuerySet":
        """Those whose key works."""
        return self.filter(revoked_at__isnull=True, board__dataset__archived_at__isnull=True)


class BoardTeam(models.Model):
    """An outside team. It has no account: the key of its link, of which only the hash is stored, lets it submit."""

    board = models.ForeignKey(HeldOutBoard, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=100)
    key_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = BoardTeamQuerySet.as_manager()

    class Meta:
        ordering = ["board", "name"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="board_team_named"),
            models.UniqueConstraint(fields=["board", "name"], name="board_team_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class BoardSubmission(models.Model):
    """Predictions that a team sent for all units of its board.

    `predictions`: [segment, fact or null, value or null where it could not be parsed] of each. `results`: figures of
    both splits (evaluators/held_out/scoring.py). A submission never changes; the last one of a team counts.
    """

    team = models.ForeignKey(BoardTeam, on_delete=models.CASCADE, related_name="submissions")
    system = models.CharField(max_length=200, help_text="What made the predictions.")
    file_hash = models.CharField(max_length=64)
    predictions = models.JSONField()
    results = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.CheckConstraint(condition=~Q(system=""), name="board_submission_of_system")]
        indexes = [models.Index(fields=["team", "created_at"], name="board_submission_of_team")]

    def __str__(self) -> str:
        return f"{self.team}: {self.system}"
