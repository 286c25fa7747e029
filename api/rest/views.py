"""What all views of the API share: scopes, repeated requests, pages of a list, fields that are asked for, versions."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from django.db.models import Model, QuerySet
from rest_framework import exceptions, serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.models import Scope
from api.rest.access import SAFE_METHODS, ApiRequest
from api.rest.pages import Pages
from api.rest.problems import Unprocessable

FIELDS = "fields"


class ApiView(APIView):
    """`write_scope`: of every method but GET. `of_whole_account`: what it writes belongs to no dataset."""

    write_scope: str = Scope.MANAGE
    of_whole_account = False
    request: ApiRequest

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]


class OneKind(BaseContentNegotiation):
    """The first renderer, whatever the header Accept asks for."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)


class FileView(ApiView):
    """A file of one kind; the renderer is for errors."""

    content_negotiation_class = OneKind


class PreconditionFailed(exceptions.APIException):
    status_code = 412
    default_detail = "Somebody changed it meanwhile: read it again, and send its new ETag."


class PreconditionRequired(exceptions.APIException):
    status_code = 428
    default_detail = "Send the ETag that you read as If-Match: others may write too."


def etag_of(data: Any) -> str:
    """Of what a GET answers."""
    return f'"{sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()[:32]}"'


def check_match(request: Request, data: Any) -> None:
    """The request names what is there now (`data`, as a GET answers it) in If-Match."""
    wanted = request.headers.get("If-Match")
    if wanted is None:
        raise PreconditionRequired
    if wanted != "*" and etag_of(data) not in {each.strip() for each in wanted.split(",")}:
        raise PreconditionFailed


class Fields(serializers.Serializer[Any]):
    """A serializer of which `?fields=id,name` takes some fields only."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        request = self.context.get("request")
        wanted = request.query_params.get(FIELDS) if isinstance(request, Request) else None
        if wanted is not None and request.method in SAFE_METHODS:  # type: ignore[union-attr]
            self._keep(wanted.split(","))

    def _keep(self, names: Iterable[str]) -> None:
        wanted = set(names)
        if unknown := wanted - set(self.fields):
            raise Unprocessable(f"There is no field {', '.join(sorted(unknown))}; there are {', '.join(self.fields)}.")
        for name in set(self.fields) - wanted:
            self.fields.pop(name)


class ListView(ApiView):
    """A list in pages. `serializer_class`: of one row."""

    serializer_class: type[Fields]
    pagination_class: type[Pages] = Pages

    def rows(self) -> QuerySet[Model]:
        raise NotImplementedError

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        pages = self.pagination_class()
        page = pages.paginate_queryset(self.rows(), request, view=self) or []
        return pages.get_paginated_response(self.data_of(page))

    def data_of(self, page: list[Any]) -> Any:
        """The rows of a page as JSON values."""
        return self.serializer_class(page, many=True, context={"request": self.request, "view": self}).data
