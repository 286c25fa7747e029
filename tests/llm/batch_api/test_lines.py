"""The lines of results, as servers write them."""

import json

import pytest

from llm.batch_api.lines import changes_in, line_of, outcome_of, read_lines
from llm.models import BatchedRequest
from llm.requests import Request

REQUEST = Request("https://models.example/v1", "m", [{"role": "user", "content": "Is 3 odd?"}], {"max_tokens": 9})
ANSWER = {"choices": [{"message": {"content": "Yes"}, "finish_reason": "stop"}]}


@pytest.fixture
def read_all(tmp_path):
    """Reads lines as those of a file of results."""

    def read(*lines):
        file = tmp_path / "results.jsonl"
        file.write_text("\n".join(lines))
        return list(read_lines(file))

    return read


@pytest.fixture
def outcome(read_all):
    """What becomes of the request whose line has this response and error."""

    def read(response, error=None):
        [line] = read_all(json.dumps({"custom_id": REQUEST.hash, "response": response, "error": error}))
        return outcome_of(line, BatchedRequest(request=REQUEST.content), {})

    return read


def test_a_request_is_a_line():
    changes = changes_in([{"parameter": "max_tokens", "way": "renamed", "value": "max_completion_tokens"}])
    assert json.loads(line_of(REQUEST, changes)) == {
        "custom_id": REQUEST.hash,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "m", "messages": [{"role": "user", "content": "Is 3 odd?"}], "max_completion_tokens": 9},
    }


def test_what_is_no_line_of_results_is_passed_over(read_all):
    good = json.dumps({"custom_id": "a", "response": {"status_code": 200, "body": ANSWER}})
    lines = read_all("", "{", "[1]", "null", '{"response": null}', good)
    assert [line.key for line in lines] == ["a"]


@pytest.mark.parametrize(
    "response", [{"status_code": 200, "body": ANSWER}, {"status_code": "200", "body": ANSWER}, {"body": ANSWER}]
)
def test_an_answer_is_read(outcome, response):
    assert outcome(response).completion.text == "Yes"


@pytest.mark.parametrize("code", ["batch_expired", "batch_cancelled"])
def test_what_was_not_worked_on_is_asked_again(outcome, code):
    found = outcome(None, {"code": code, "message": "Not before the window ended."})
    assert (found.completion, found.again, found.error) == (None, True, "")


@pytest.mark.parametrize(
    ("response", "error"),
    [
        ({"status_code": 429, "body": {"error": {"message": "Slow down"}}}, None),
        ({"status_code": 200, "body": {"error": {"message": "overloaded", "code": 503}}}, None),
        (None, {"code": "server_error", "message": "It broke."}),
        ({"status_code": 500, "body": None}, None),
    ],
)
def test_a_fault_that_may_pass_is_asked_again(outcome, response, error):
    found = outcome(response, error)
    assert (found.completion, found.again) == (None, True)
    assert found.error


@pytest.mark.parametrize(
    ("response", "concerns_all"),
    [
        ({"status_code": 400, "body": {"error": {"message": "No."}}}, False),
        ({"status_code": 401, "body": {"error": {"message": "Incorrect API key provided"}}}, True),
        ({"status_code": 200, "body": {"hello": "world"}}, False),
    ],
)
def test_a_final_fault_fails(outcome, response, concerns_all):
    found = outcome(response)
    assert (found.completion, found.again, found.concerns_all) == (None, False, concerns_all)
    assert found.error
