"""Errors of the API as problem details (RFC 9457): one sentence, and the place where there is one."""

from http import HTTPStatus
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm
from django.http import HttpResponse, JsonResponse
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

from core.errors import DataError, FaultsError, RowError
from jobs.errors import StartError
from llm.errors import ModelError

CONTENT_TYPE = "application/problem+json"
# What people sent is at fault, each with a sentence of its own.
OF_DATA = (DataError, RowError, StartError, ModelError)


class Unprocessable(exceptions.APIException):
    """What was asked for is understood and cannot be done."""

    status_code = 422
    default_code = "unprocessable"


class Conflict(exceptions.APIException):
    status_code = 409
    default_code = "conflict"


class PlaceSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField(help_text="JSON pointer to the value in the body, or the name of a parameter.")
    detail = serializers.CharField()

    line = serializers.IntegerField(required=False, help_text="Line or row of the file that was sent, from 1.")


class ProblemSerializer(serializers.Serializer[Any]):
    """Problem details (RFC 9457)."""

    type = serializers.CharField(default="about:blank")
    title = serializers.CharField(help_text="The name of the status.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="One sentence.")
    errors = PlaceSerializer(many=True, required=False, help_text="The places at fault.")  # type: ignore[assignment]


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's handler, with the answer made a problem; an error's `members`, if any, stand beside."""
    places: list[dict[str, Any]] = []
    if isinstance(error, FaultsError):
        places = [{"pointer": "/file", "detail": cause, "line": number} for number, cause in error.found]
    if isinstance(error, OF_DATA):
        error = Unprocessable(str(error))
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        response.status_code = 422
        places = list(_places(error.detail, ""))
        detail = places[0]["detail"] if len(places) == 1 else f"{len(places)} values are wrong."
        problem = _problem(422, detail) | {"errors": places}
    else:
        problem = _problem(response.status_code, str(getattr(error, "detail", error)))
        if places:
            problem["errors"] = places
        problem |= getattr(error, "members", {})
    response.data = problem
    response.content_type = CONTENT_TYPE
    return response


def sentence_of(error: Exception) -> str:
    """The clause of an error as a sentence."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def check_form(form: BaseForm) -> None:
    """Raises ValidationError, with the fields at fault, for a form that is not valid."""
    if not form.is_valid():
        errors = {name: [str(each) for each in found] for name, found in form.errors.items()}
        if NON_FIELD_ERRORS in errors:
            errors["non_field_errors"] = errors.pop(NON_FIELD_ERRORS)
        raise exceptions.ValidationError(errors)


def problem_response(page: HttpResponse) -> HttpResponse:
    """The problem in place of a page of an error; `page.detail`, where it is set, is its sentence."""
    detail = getattr(page, "detail", "") or HTTPStatus(page.status_code).description or page.reason_phrase
    answer = JsonResponse(_problem(page.status_code, detail), status=page.status_code, content_type=CONTENT_TYPE)
    for name in ("Retry-After", "Allow"):
        if name in page.headers:
            answer.headers[name] = page.headers[name]
    return answer


def _problem(status: int, detail: str) -> dict[str, Any]:
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}


def _places(detail: Any, pointer: str) -> Any:
    """The errors of a serializer, each with the pointer to its value."""
    if isinstance(detail, dict):
        for name, within in detail.items():
            yield from _places(within, pointer if name == "non_field_errors" else f"{pointer}/{name}")
    elif isinstance(detail, list) and any(isinstance(each, dict | list) for each in detail):
        for index, within in enumerate(detail):
            yield from _places(within, f"{pointer}/{index}")
    elif isinstance(detail, list):
        for each in detail:
            yield {"pointer": pointer, "detail": str(each)}
    else:
        yield {"pointer": pointer, "detail": str(detail)}
