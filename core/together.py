"""Several operations of a migration in one step.

Django renders the classes of a model and of all its neighbours anew after each operation, which is nearly all the time
that a new database takes. Operations that stand together are rendered for once.
"""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class Together(Operation):
    """Each operation sees the models as they are before and after all of them.

    New tables, columns and indexes can stand here, and constraints after the columns; an `AlterField` cannot, for
    SQLite would copy the table without the new columns. There is no way back, for SQLite's copies lose indexes.
    """

    reversible = False

    serialization_expand_args = ["operations"]

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # A cached property, which is computed from the models when it is read again.
        if "apps" in state.__dict__:
            del state.apps
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return "; ".join(operation.describe() for operation in self.operations)
