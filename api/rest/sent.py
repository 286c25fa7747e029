"""What a request sends, in its body or its address: checked by a serializer, as plain values."""

from typing import Any

from rest_framework.request import Request
from rest_framework.serializers import Serializer

Shape = type[Serializer[Any]]


def read_body(shape: Shape, request: Request) -> dict[str, Any]:
    """Raises ValidationError with the places at fault."""
    return _checked(shape, request.data)


def read_query(shape: Shape, request: Request) -> dict[str, Any]:
    """The parameters of the address. Raises ValidationError with those at fault."""
    return _checked(shape, request.query_params)


def _checked(shape: Shape, data: Any) -> dict[str, Any]:
    sent = shape(data=data)
    sent.is_valid(raise_exception=True)
    return dict(sent.validated_data)
