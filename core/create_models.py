"""The operation that a room's first migration consists of: all its tables at once."""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """The tables of several models.

    After each operation Django renders the model classes of a migration anew, and those of all models they are
    related to: with one operation a table, a hundred tables take five seconds, nearly all of them for that.
    The tables may refer to each other in any order.
    """

    serialization_expand_args = ["creations"]

    def __init__(self, creations: Sequence[CreateModel]) -> None:
        self.creations = creations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # A cached property, which is computed from the models when it is read again.
        if "apps" in state.__dict__:
            del state.apps
        for creation in self.creations:
            creation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for creation in self.creations:
            creation.database_forwards(app_label, schema_editor, from_state, to_state)

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
