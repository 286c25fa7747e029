"""The signals of jobs to the rooms above, each sent in the transaction of what it tells."""

from django.dispatch import Signal

# A job has ended, whatever the reason: `job`, whose `error` is "" where it finished or a person stopped it.
job_ended = Signal()
# An item without a job has failed for good: `item`.
item_failed = Signal()
