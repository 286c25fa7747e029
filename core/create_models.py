"""The operations that make all tables of a new database at once.

After each operation Django renders the model classes of a migration anew, and those of all models they are related
to: a hundred tables, one operation each, and then thirty changes of the libraries' tables take half a minute, nearly
all of it for that. So one migration makes every table, for Django then only people exist, to whom the tables of
libraries refer, and a last migration in each room tells of the room's models (tests/upgrades/squash.py).
"""

from collections.abc import Iterator, Sequence
from importlib import import_module

from django.conf import settings
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from core.together import Together


class CreateModels(Together):
    """The tables of several models. They may refer to each other in any order."""

    reversible = True
    serialization_expand_args = ["creations"]

    def __init__(self, creations: Sequence[CreateModel]) -> None:
        super().__init__(creations)
        self.creations = creations

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for creation in reversed(self.creations):
            creation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create the models {', '.join(creation.name for creation in self.creations)}"


class DescribeModels(CreateModels):
    """Tells Django of models whose tables are there: those of a new database. Older migrations told of them as they
    made them."""

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        new = [creation for creation in self.creations if (app_label, creation.name_lower) not in state.models]
        # No class changes, so only the new ones are rendered.
        apps = state.__dict__.pop("apps", None)
        for creation in new:
            creation.state_forwards(app_label, state)
        if apps is not None:
            apps.render_multiple([state.models[app_label, creation.name_lower] for creation in new])
            state.__dict__["apps"] = apps

    def database_forwards(self, *_: object) -> None:
        """The tables are there."""

    def database_backwards(self, *_: object) -> None:
        """They stay: they go with the migration that made them."""

    def describe(self) -> str:
        return f"Describe the models {', '.join(creation.name for creation in self.creations)}"


class CreateTables(Operation):
    """The tables of all models that the migrations describe, given as pairs of room and name."""

    def __init__(self, migrations: Sequence[tuple[str, str]]) -> None:
        self.migrations = migrations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        for room, creation in self._creations():
            if f"{room}.{creation.name}" == settings.AUTH_USER_MODEL:
                creation.state_forwards(room, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        tables = self._with_all(from_state)
        for room, creation in self._creations():
            creation.database_forwards(room, schema_editor, from_state, tables)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        tables = self._with_all(to_state)
        for room, creation in reversed(list(self._creations())):
            creation.database_backwards(room, schema_editor, tables, to_state)

    def describe(self) -> str:
        return "Create the tables of all rooms"

    def _creations(self) -> Iterator[tuple[str, CreateModel]]:
        """Each with its room."""
        for room, name in self.migrations:
            for operation in import_module(f"{room}.migrations.{name}").Migration.operations:
                for creation in operation.creations:
                    yield room, creation

    def _with_all(self, state: ProjectState) -> ProjectState:
        state = ProjectState(state.models.copy())
        for room, creation in self._creations():
            creation.state_forwards(room, state)
        return state
