"""Texts scored over real HTTP by a server that knows words: a token is a word with the white space before it."""

import json

import pytest

from factor.language_models.base import NotScorableError
from factor.language_models.open import open_language_model
from factor.models import ScoredModel
from jobs.database_thread import run_beside_database
from llm.errors import EndpointUnavailableError
from llm.models import Call
from llm.retries import RetryPolicy
from llm.weights import NotReadyError
from tests.factor.scoring.work import LIKELY, endpoint_that

pytestmark = pytest.mark.django_db

AT_ONCE = RetryPolicy(attempts=2, first_wait=0.01)
PREFIX = "Ants march in lines. "
COMPLETIONS = ["They dance.", "They fly."]


def score(prefix, completions, context_length=64, **can):
    model = ScoredModel(
        reached_by="endpoint", endpoint=endpoint_that(**(can or {"echo": True})), reached_as="m", name="m"
    )

    async def work(database_thread):
        async with open_language_model(model, database_thread, retries=AT_ONCE) as opened:
            return await opened.score(prefix, completions, context_length)

    return run_beside_database(work)


def test_the_mean_is_over_the_completions_tokens_alone(model):
    model.control(logprobs_of=LIKELY)

    dance, fly = score(PREFIX, COMPLETIONS)

    assert (dance.mean, fly.mean) == (pytest.approx((-0.25 - 0.5) / 2), pytest.approx((-0.25 - 2) / 2))
    assert [(token.start, token.end) for token in dance.tokens] == [(0, 4), (4, 11)]
    assert (dance.moved, dance.prefix_tokens) == (1, 4)
    assert model.stats()["total"] == 2  # one call a completion


@pytest.mark.parametrize(("prefix", "moved"), [("Ants march.\n", 1), ("Ants march. ", 1), ("Ants marc", 5)])
def test_a_token_that_reaches_over_the_border_is_counted_whole(model, prefix, moved):
    (found,) = score(prefix, ["They dance."])

    assert (found.moved, len(found.tokens)) == (moved, 2)


def test_a_server_without_offsets(model):
    model.control(offsets=False, logprobs_of=LIKELY)

    assert score(PREFIX, COMPLETIONS)[1].mean == pytest.approx(-1.125)


def test_log_probabilities_beside_the_answer(model):
    model.control(echoes=False, prompt_logprobs=True, logprobs_of=LIKELY)

    assert score(PREFIX, COMPLETIONS, prompt_logprobs=True)[1].mean == pytest.approx(-1.125)


def test_a_prefix_that_is_too_long_is_cut_on_the_left_by_the_longest_completion(model):
    found = score("word " * 40, ["They dance.", "They dance and fly."], 10)

    assert [each.prefix_tokens for each in found] == [6, 6]
    sent = sorted({call.request["messages"][0]["content"] for call in Call.objects.all()}, key=len)
    assert sent[0].split() == ["word"] * 6 + ["They", "dance."]


def test_a_server_that_refuses_a_long_text_is_sent_less_of_it(model):
    model.control(most_words=20)

    (found,) = score("word " * 100, ["They dance."], 12)

    assert found.prefix_tokens == 10


def test_answers_are_paid_for_once(model):
    score(PREFIX, COMPLETIONS)
    Call.objects.update(seconds=2)
    again = ScoredModel(reached_by="endpoint", endpoint=Call.objects.first().endpoint, reached_as="m", name="m")

    async def work(database_thread):
        async with open_language_model(again, database_thread, retries=AT_ONCE) as opened:
            return await opened.score(PREFIX, COMPLETIONS, 64)

    assert [found.mean for found in run_beside_database(work)] == [-0.25, -0.25]
    assert model.stats()["total"] == 2


def test_what_is_not_a_number_is_no_score(model):
    model.control(logprobs_of={**LIKELY, "fly.": None})

    dance, fly = score(PREFIX, COMPLETIONS)

    assert dance.mean < 0
    assert isinstance(fly, NotScorableError)
    assert "not a number" in str(fly)


def test_without_a_prefix_a_new_line_stands_before_the_completion(model):
    logprobs = {"tokens": ["\n", "They", " dance."], "token_logprobs": [None, -1.0, -2.0]}
    model.control(raw_body=json.dumps({"choices": [{"text": "\nThey dance.", "logprobs": logprobs}]}))

    (found,) = score("", ["They dance."])

    assert (found.prefix_tokens, found.mean) == (0, -1.5)
    assert Call.objects.get().request["messages"][0]["content"] == "\nThey dance."


def test_a_completion_longer_than_the_context_has_no_score(model):
    long, short = score(PREFIX, ["They dance" + " and dance" * 9, "They dance."], 8)

    assert "20 tokens, too many for a context of 8" in str(long)
    assert short.prefix_tokens == 4


def test_an_endpoint_that_gives_no_log_probabilities_of_a_text_is_told_before_anything_is_asked(model):
    with pytest.raises(NotReadyError, match="no log-probabilities of a text, neither by echo nor as"):
        score(PREFIX, COMPLETIONS, chat=True)
    assert model.stats()["total"] == 0


def test_a_server_that_fails_is_a_failure_of_the_model(model):
    model.control(fail_first=10)

    with pytest.raises(EndpointUnavailableError):
        score(PREFIX, COMPLETIONS)
