"""The signals of labels to the rooms above."""

from django.dispatch import Signal

# Work is submitted: `assignment`. In that transaction, and only where the dataset `tells_submissions`: an annotator
# waits for each query of a submission.
work_submitted = Signal()
