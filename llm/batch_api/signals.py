"""The signals of batches to the rooms above."""

from django.dispatch import Signal

# A batch has ended and its answers are known: `batch`, and `correction`, what it took less what was held for it. Sent
# in the transaction that settles it. One that failed is told by jobs.signals.item_failed.
batch_ended = Signal()
