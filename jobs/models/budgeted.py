"""Work that costs: what it may spend, what it has spent, and what calls under way may still take."""

from django.db import models

from jobs.errors import StartError
from jobs.limits import Limits


class Budgeted(models.Model):
    """`max_tokens` and `max_cost_usd` are the budget, None without a limit; `spent_*` is what its own calls took
    (answers from the cache are free), and `held` by owner what calls under way may take at most (jobs/budget.py)."""

    max_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    max_cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    spent_tokens = models.PositiveBigIntegerField(default=0)
    spent_usd = models.DecimalField(max_digits=14, decimal_places=6, default=0)
    held = models.JSONField(default=dict, blank=True)

    class Meta:
        abstract = True

    def check_limits(self, limits: Limits, title: str) -> None:
        """Raises StartError where what was spent leaves no room under the limits. `title` names the work."""
        if limits.tokens is not None and self.spent_tokens >= limits.tokens:
            raise StartError(
                f"The {title} has spent {self.spent_tokens:,} tokens: raise its limit of {limits.tokens:,} first."
            )
        if limits.cost_usd is not None and self.spent_usd >= limits.cost_usd:
            raise StartError(
                f"The {title} has spent ${self.spent_usd:f}: raise its limit of ${limits.cost_usd:f} first."
            )

    def raised(self, limits: Limits) -> Limits:
        """The limits given, its own in place of those that are None."""
        return Limits(limits.tokens or self.max_tokens, limits.cost_usd or self.max_cost_usd)
