"""The operation that adds several columns to a table at once.

Django renders the classes of a model and of its neighbours anew after each operation, so that eight columns of a model
with many neighbours cost eight times as much as one.
"""

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Field


class AddFields(Operation):
    """Columns that may be empty or have a `db_default` of plain values."""

    serialization_expand_args = ["fields"]

    def __init__(self, model_name: str, fields: Sequence[tuple[str, "Field[Any, Any]"]]) -> None:
        self.model_name = model_name
        self.fields = fields

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        model = state.models[app_label, self.model_name]
        model.fields |= dict(self.fields)
        state.reload_model(app_label, self.model_name, delay=True)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        before = from_state.apps.get_model(app_label, self.model_name)
        after = to_state.apps.get_model(app_label, self.model_name)
        for name, _ in self.fields:
            # SQLite's own way copies the table for some of them, as it was before.
            BaseDatabaseSchemaEditor.add_field(schema_editor, before, after._meta.get_field(name))

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        before = from_state.apps.get_model(app_label, self.model_name)
        for name, _ in self.fields:
            schema_editor.remove_field(before, before._meta.get_field(name))

    def describe(self) -> str:
        return f"Add {', '.join(name for name, _ in self.fields)} to {self.model_name}"
