"""What a worker's heart tells the rooms above, which its own room does not know."""

from django.dispatch import Signal

# Sent with every beat, and when a worker starts: whoever keeps work in rows finds what was lost.
heart_beat = Signal()
