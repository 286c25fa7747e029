"""The settings of a version one of whose migrations fails."""

from config.settings import *  # noqa: F403

MIGRATION_MODULES = {"knowledge": "tests.upgrades.failing"}
