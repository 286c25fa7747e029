"""Settings, the Celery application, and the root of the URL configuration."""

import gc

from config.celery import app as celery_app

__all__ = ["celery_app"]

# A start makes hundreds of thousands of objects that stay. With Python's own 700 the collector looks through them
# again and again: more than a quarter of the processor time of a page's tests.
gc.set_threshold(50_000)
