"""What fetching tells the rooms above it, which it does not know."""

from django.dispatch import Signal

# Sent by a worker once a page is frozen: who waits for its text can look into it.
page_frozen = Signal()
