"""Plans of what to label next: prompts drawn in rounds, each with a known probability."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Dataset, Prompt
from evaluators.models.evaluator import Evaluator


class LabelPlan(models.Model):
    """Scores of a dataset's prompts, made for a figure of an evaluator before the first draw and never changed.

    The latest plan of a dataset is the one in force. `floor`: the least score, the mean being 1
    (stats/label_sampling.py).
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="label_plans")
    evaluator = models.ForeignKey(Evaluator, on_delete=models.CASCADE, related_name="label_plans")
    figure = models.CharField(max_length=30)
    seed = models.BigIntegerField()
    floor = models.FloatField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(floor__gt=0, floor__lte=1), name="label_plan_floor_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"label plan {self.pk} of {self.dataset}"


class PlannedPrompt(models.Model):
    """A prompt of a plan. `number`: its permanent random number, above 0.

    Both are null of a prompt whose units all had gold when the plan was made: it counts with probability 1.
    """

    plan = models.ForeignKey(LabelPlan, on_delete=models.CASCADE, related_name="prompts")
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="+")
    score = models.FloatField(null=True)
    number = models.FloatField(null=True)

    class Meta:
        ordering = ["plan", "prompt"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "prompt"], name="planned_prompt_once"),
            models.CheckConstraint(
                condition=Q(score__isnull=True, number__isnull=True)
                | Q(score__gt=0, number__gt=0, number__lte=1, score__isnull=False, number__isnull=False),
                name="planned_prompt_has_score_and_number",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prompt} in {self.plan}"


class LabelRound(models.Model):
    """A draw: prompts whose number is not above min(1, scale · score). `expected`: their number on average so far."""

    plan = models.ForeignKey(LabelPlan, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    scale = models.FloatField()
    expected = models.FloatField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["plan", "number"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "number"], name="label_round_once"),
            models.CheckConstraint(condition=Q(scale__gt=0), name="label_round_draws"),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.plan}"
