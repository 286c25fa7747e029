"""The signals of fetching to the rooms above."""

from django.dispatch import Signal

# Sent by a worker once a page is frozen: who waits for its text can look into it.
page_frozen = Signal()
