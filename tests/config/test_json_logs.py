"""Log lines as JSON, and the number of a request in them."""

import json
import logging
import sys

import pytest
from django.test import Client

from config.json_logs import JsonFormatter
from config.request_ids import numbered, request_id

NUMBER = "abc-123"


def record(message: str, error: bool = False) -> logging.LogRecord:
    made = logging.LogRecord("touchstone.jobs", logging.WARNING, "here.py", 1, message, (7,), None)
    made.created = 1_777_890_667.112  # 2026-05-04 10:31:07.112 in UTC
    if error:
        try:
            raise ValueError("four\nlines")
        except ValueError:
            made.exc_info = sys.exc_info()
    return made


def test_a_line_is_an_object_of_time_level_logger_message_and_number() -> None:
    with numbered(NUMBER):
        line = JsonFormatter().format(record("%s is\nnot wr\u00f6ng"))
    assert "\n" not in line
    assert json.loads(line) == {
        "time": "2026-05-04T10:31:07.112+00:00",
        "level": "WARNING",
        "logger": "touchstone.jobs",
        "message": "7 is\nnot wr\u00f6ng",
        "request_id": NUMBER,
    }


def test_outside_of_a_request_the_number_is_null_and_an_error_has_its_traceback() -> None:
    line = json.loads(JsonFormatter().format(record("%s", error=True)))
    assert line["request_id"] is None
    assert line["error"].startswith("Traceback")
    assert line["error"].endswith("ValueError: four\nlines")


@pytest.mark.django_db
def test_each_answer_says_a_new_number_and_none_is_left_behind(client: Client) -> None:
    numbers = {client.get("/login/", headers={"X-Request-ID": NUMBER}).headers["X-Request-ID"] for _ in range(2)}
    assert len(numbers) == 2
    assert NUMBER not in numbers
    assert request_id.get() is None


@pytest.mark.django_db
@pytest.mark.parametrize(("sent", "taken"), [(NUMBER, True), ("a b", False), ("x" * 65, False), ("", False)])
def test_a_trusted_proxy_gives_the_number_if_it_is_well_formed(
    client: Client, settings, sent: str, taken: bool
) -> None:
    settings.TRUSTED_PROXIES = 1
    answer = client.get("/login/", headers={"X-Request-ID": sent})
    assert (answer.headers["X-Request-ID"] == sent) is taken
