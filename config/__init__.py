"""Settings, the Celery application, and the root of the URL configuration."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
