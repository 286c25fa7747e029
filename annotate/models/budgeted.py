"""Work that costs: what it may spend, what it has spent, and what calls under way may still take."""

from django.db import models


class Budgeted(models.Model):
    """`max_tokens` and `max_cost_usd` are the budget, None without a limit; `spent_*` is what its own calls took
    (answers from the cache are free), and `held` by owner what calls under way may take at most
    (annotate/leased/budget.py)."""

    max_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    max_cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    spent_tokens = models.PositiveBigIntegerField(default=0)
    spent_usd = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    held = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True
