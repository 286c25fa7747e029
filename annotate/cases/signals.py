"""The signals of cases to the rooms above."""

from django.dispatch import Signal

# Tasks are closed: `dataset`, and `tasks`, their primary keys. In that transaction.
tasks_settled = Signal()
