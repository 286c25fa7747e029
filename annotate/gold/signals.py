"""The signals of gold to the rooms above."""

from django.dispatch import Signal

# Gold is frozen: `version`. In that transaction.
gold_frozen = Signal()
