"""The demo: a lab in the middle of its work (fixtures/README.md). What is there already is left alone."""

from django.conf import settings

FIXTURES = settings.BASE_DIR / "fixtures"
SUBJECTS = ("model-amber", "model-basalt")
