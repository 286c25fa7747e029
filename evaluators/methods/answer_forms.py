"""Answers by a JSON schema, for methods whose answers are lists or JSON: a run asks for them by `json_schema`.

A server that refuses the schema is asked without it (llm/dialects.py); the answers are read alike.
"""

from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import Parameter
from llm.interfaces import CHAT

JSON_SCHEMA = Parameter(
    "json_schema",
    False,
    "Whether answers that are lists or JSON are asked for by a JSON schema (response_format).",
    label="Answers by a JSON schema",
    optional=True,
)
TEXT: Mapping[str, Any] = {"type": "string"}
TEXT_OR_NONE: Mapping[str, Any] = {"type": ["string", "null"]}
TRUTH: Mapping[str, Any] = {"type": "boolean"}
TEXTS: Mapping[str, Any] = {"type": "array", "items": TEXT}


def in_form(parameters: Mapping[str, Any], name: str, **fields: Mapping[str, Any]) -> dict[str, Any]:
    """What a request is sent with (Tools.ask) so that its answer is an object with these fields, each by its schema; {}
    where the run does not ask for it, or its model is a base model."""
    if not parameters.get(JSON_SCHEMA.name) or parameters.get("interface", CHAT) != CHAT:
        return {}
    schema = {
        "type": "object",
        "properties": {field: dict(of_field) for field, of_field in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }
    return {"response_format": {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}}
