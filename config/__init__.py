"""Settings, the Celery application, and the map of addresses."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
