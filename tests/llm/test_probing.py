"""What is found out about a model, over real HTTP."""

import pytest

from llm.models import Capabilities, Endpoint
from llm.probing import probe


def test_a_model_that_can_do_everything(server, endpoint):
    server.control(context_length=4096, prompt_logprobs=True)

    found = probe(endpoint, "m")

    assert found.abilities == (True,) * 7
    assert (found.context_length, found.error) == (4096, "")
    assert found.probed_at is not None


def test_a_base_model_gives_log_probabilities_without_chat(server, endpoint):
    server.control(serves="completions")

    found = probe(endpoint, "m")

    assert (found.chat, found.completions, found.logprobs, found.echo, found.embeddings) == (
        False,
        True,
        True,
        True,
        False,
    )
    assert "answered 404" in found.error


def test_a_chat_model_without_log_probabilities(server, endpoint):
    server.control(serves="chat", logprobs=False)

    found = probe(endpoint, "m")

    assert (found.chat, found.completions, found.logprobs, found.echo) == (True, False, False, False)


def test_what_the_list_of_models_does_not_say_is_not_known(server, endpoint):
    assert probe(endpoint, "m").context_length is None


def test_a_second_probe_takes_the_place_of_the_first(server, endpoint):
    probe(endpoint, "m")
    server.control(logprobs=False)
    probe(endpoint, "m")

    assert Capabilities.objects.get().logprobs is False


@pytest.mark.usefixtures("transactional_db")
def test_of_an_endpoint_that_cannot_be_reached_nothing_is_known():
    nowhere = Endpoint.objects.create(name="nowhere", base_url="http://127.0.0.1:9/v1")

    found = probe(nowhere, "m")

    assert found.nothing_known
    assert "Connection error" in found.error


def test_a_refused_key_is_said_and_not_shown(server, endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    server.control(fail_first=99, fail_status=401, fail_text="Incorrect key: sk-very-secret")

    found = probe(endpoint, "m")

    assert found.nothing_known
    assert "Incorrect key: ***" in found.error


def test_an_echo_that_disagrees_with_what_was_generated_is_none(server, endpoint):
    server.control(answer=" Cow", echo_off=-1.0)

    assert probe(endpoint, "m").echo is False
