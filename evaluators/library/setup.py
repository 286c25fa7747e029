"""Settings for a process that has none: those of the project, with nothing of a site."""

import atexit
import os
import secrets
import shutil
import tempfile

SETTINGS = "config.settings"
# Whoever calls the library chooses the endpoint, so every address may be asked.
EVERYWHERE = "0.0.0.0/0,::/0"


def set_up() -> None:
    """Where Django is configured already, that stays as it is."""
    import django
    from django.apps import apps
    from django.conf import settings

    if apps.ready:
        return
    if settings.configured:
        django.setup()
        return
    _configure()


def _configure() -> None:
    """The variables of a site are not looked at, but for the folders of weights and of prompt sets."""
    import django

    folder = tempfile.mkdtemp(prefix="touchstone-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    before = dict(os.environ)
    kept = {name: before[name] for name in ("PATH", "HOME", "WEIGHTS_DIR", "PROMPTS_DIR") if name in before}
    own = {"DATA_DIR": folder, "SECRET_KEY": secrets.token_urlsafe(60), "LLM_ALLOW": EVERYWHERE}
    try:
        os.environ.clear()
        os.environ.update(kept | own | {"DJANGO_SETTINGS_MODULE": SETTINGS})
        django.setup()
    finally:
        os.environ.clear()
        os.environ.update(before)
