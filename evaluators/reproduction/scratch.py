"""A database in memory, for work that leaves no trace in the real one."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.db import connections
from django.db.backends.sqlite3.base import DatabaseWrapper

DEFAULT = "default"


@contextmanager
def scratch_database() -> Iterator[None]:
    """Within it this thread's database is an empty one in memory, with all tables; afterwards it is the real one again.

    The real one is neither read nor written.
    """
    real = connections[DEFAULT]
    settings = {**real.settings_dict, "ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {}}
    scratch = DatabaseWrapper(settings, DEFAULT)
    connections[DEFAULT] = scratch
    try:
        _make_tables(scratch)
        yield
    finally:
        scratch.close()
        connections[DEFAULT] = real
        # Keys of content types are remembered per name of a database, and the real one has others.
        ContentType.objects.clear_cache()


def _make_tables(database: DatabaseWrapper) -> None:
    """All tables as the models say: going through the migrations would come to the same and take many times as long."""
    with database.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.managed and not model._meta.proxy:
                editor.create_model(model)
