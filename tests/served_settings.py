"""Touchstone's settings as its processes have them, but for one: a slow hash of passwords would slow each test down
that makes people anew."""

from config.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
