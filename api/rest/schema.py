"""How the schema describes what all addresses share: tokens, problems, keys of requests that may be repeated."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from api.rest.idempotency import HEADER, LONGEST
from api.rest.problems import CONTENT_TYPE, ProblemSerializer
from api.rest.views import FIELDS, ListView


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "api.rest.access.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token of your account page."}


class ApiSchema(AutoSchema):
    """Adds to each operation its errors, and to each POST the header against doing it twice."""

    def get_override_parameters(self) -> list[Any]:
        if isinstance(self.view, ListView) and self.method == "GET":
            about = "Names of the fields to answer with, separated by commas; all without it."
            return [OpenApiParameter(FIELDS, str, OpenApiParameter.QUERY, description=about)]
        if self.method != "POST":
            return []
        about = "The same request with the same key within 24 hours is done once."
        return [
            OpenApiParameter(
                HEADER, {"type": "string", "maxLength": LONGEST}, OpenApiParameter.HEADER, description=about
            )
        ]

    def get_operation(self, *arguments: Any) -> dict[str, Any] | None:
        operation = super().get_operation(*arguments)
        if operation is not None:
            problem = self.resolve_serializer(ProblemSerializer, "response")
            operation["responses"]["default"] = {
                "description": "Problem details (RFC 9457).",
                "content": {CONTENT_TYPE: {"schema": problem.ref}},
            }
        return operation


def write_schema() -> dict[str, Any]:
    """The whole API as OpenAPI 3.1."""
    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-any-return,no-untyped-call]
