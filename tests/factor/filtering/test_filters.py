"""Both filters over an item's candidates: by judges over real HTTP, and by a language model followed by hand."""

import asyncio
import math

import pytest

from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.templates import read_template
from factor.filtering.decide import FilterFigures
from factor.filtering.judge import CONTRADICTION, FLUENCY
from factor.filtering.measure import Filters, by_language_model
from factor.filtering.open import open_filters
from factor.filtering.ready import check_ready
from factor.filtering.settings import ContradictionFilter, FilterSettings, FluencyFilter
from factor.models import ScoredModel
from jobs.database_thread import run_beside_database
from llm.errors import EndpointUnavailableError
from llm.models import Call, Endpoint
from llm.retries import RetryPolicy
from llm.weights import NotReadyError
from tests.factor.word_model import WordModel
from tests.factories import make_dataset
from tests.fake_openai import fake_openai

PREFIX, ORIGINAL = "A bell rang. The harbour was cold. ", "The ferry left at seven."
CANDIDATES = [("entity", "The tram left at seven."), ("coreference", "She left at seven.")]
JUDGED = FilterSettings(ContradictionFilter(by="judge", endpoint="fake", model="m"))
BOTH_JUDGED = FilterSettings(JUDGED.contradiction, FluencyFilter(by="judge", endpoint="fake", model="m"), near_words=3)
# The answer's own word against " False" with -3.0 (tests/fake_answers.py): P(True) is 0.4.
TWO_IN_FIVE = -3.0 + math.log(0.4 / 0.6)


TEMPLATES = {name: read_template(PROJECT_SET, name) for name in (CONTRADICTION, FLUENCY)}


@pytest.fixture(scope="module")
def server():
    with fake_openai() as running:
        yield running


@pytest.fixture
def dataset(transactional_db, server):
    server.reset()
    Endpoint.objects.create(shared=True, name="fake", base_url=server.base_url)
    return make_dataset()


def filtered(settings, dataset, candidates=CANDIDATES):
    async def work(database_thread):
        async with open_filters(settings, dataset, database_thread, TEMPLATES, retries=RetryPolicy(1)) as filters:
            return await filters.filter(PREFIX, ORIGINAL, candidates)

    return run_beside_database(work)


def asked():
    return [call.request["messages"][-1]["content"] for call in Call.objects.order_by("pk")]


def test_a_judges_probability_is_held_against_the_threshold_of_the_type(server, dataset):
    server.control(answer="True", logprob=TWO_IN_FIVE)
    (entity, dropped), (coreference, kept) = filtered(JUDGED, dataset)
    assert entity.contradiction == coreference.contradiction == pytest.approx(0.4)
    assert (dropped.reason, kept.reason) == ("not contradictory", "")
    assert "0.400, is not above the threshold 0.6" in dropped.explanation


def test_premise_and_hypothesis_have_the_near_context_before_them(server, dataset):
    server.control(answer="True")
    filtered(FilterSettings(JUDGED.contradiction, near_words=3), dataset, CANDIDATES[:1])
    (words,) = asked()
    assert "Version A: harbour was cold. The ferry left at seven." in words
    assert "Version B: harbour was cold. The tram left at seven." in words


def test_without_log_probabilities_the_answers_word_is_1_or_0(server, dataset):
    server.control(answer="False. Both can be so.", logprobs=False)
    ((figures, decision), _) = filtered(JUDGED, dataset)
    assert (figures.contradiction, decision.reason) == (0.0, "not contradictory")


def test_an_answer_that_cannot_be_read_is_no_score_and_says_so(server, dataset):
    server.control(answer="Versions, versions.", logprobs=False)
    ((figures, decision), _) = filtered(JUDGED, dataset)
    assert figures.contradiction is None
    assert (decision.reason, decision.explanation) == ("not measured", "The judge's answer could not be read.")


def test_a_refused_text_is_the_candidates_trouble_and_a_silent_endpoint_the_models(server, dataset):
    server.control(fail_first=10_000, fail_status=400, fail_text="too rude")
    ((figures, decision), _) = filtered(JUDGED, dataset)
    assert figures.contradiction is None
    assert decision.reason == "not measured"
    assert "too rude" in decision.explanation
    server.control(fail_first=10_000, fail_status=503)
    with pytest.raises(EndpointUnavailableError):
        filtered(JUDGED, dataset, [("entity", "Nothing left at seven.")])


def test_a_judge_of_fluency_is_asked_about_the_original_too(server, dataset):
    server.control(answer="True", logprobs=False)
    ((figures, decision), *_) = filtered(BOTH_JUDGED, dataset)
    assert figures == FilterFigures(1.0, 0.0)
    assert decision.kept
    judged = [words for words in asked() if "fluent and grammatical" in words]
    assert len(judged) == 3
    # The original's among them; they are asked at once.
    assert any("Before it: harbour was cold.\n\nSentence: The ferry left at seven." in words for words in judged)


def test_filters_that_are_none_ask_nobody(server, dataset):
    measured = filtered(FilterSettings(), dataset)
    assert [(figures, decision.kept) for figures, decision in measured] == [(FilterFigures(), True)] * 2
    assert server.stats()["total"] == 0


def measured(settings, model, candidates):
    filters = Filters(settings, None, by_language_model(model, settings.fluency.context_length))
    return asyncio.run(filters.measure(PREFIX, ORIGINAL, candidates))


def test_fluency_is_the_mean_log_probability_less_the_originals():
    settings = FilterSettings(fluency=FluencyFilter(by="model", model="small"))
    model = WordModel()
    same, better, other = measured(
        settings, model, ["The tram left at eight.", "The harbour was cold.", "A ferry left at seven and sank."]
    )
    # 7 words before: a new word has 1/1007, 1/1008 ...; "The" and the others that were there 2 in as many.
    base = [math.log(n / (1007 + place)) for place, n in enumerate((2, 1, 1, 1, 1))]
    harbour = [math.log(2 / (1007 + place)) for place in range(4)]
    assert same.fluency == pytest.approx(0.0)
    assert better.fluency == pytest.approx(sum(harbour) / 4 - sum(base) / 5)
    assert other.fluency == pytest.approx(
        sum(math.log(n / (1007 + place)) for place, n in enumerate((2, 1, 1, 1, 1, 1, 1))) / 7 - sum(base) / 5
    )
    assert [prefix for prefix, _ in model.asked] == [PREFIX]  # one call an item


def test_a_candidate_without_a_score_says_why_and_the_others_have_theirs():
    settings = FilterSettings(fluency=FluencyFilter(by="model", model="small", context_length=5))
    short, long = measured(settings, WordModel(), ["The tram left at eight.", "The tram left at half past eight."])
    assert short.fluency is not None
    assert (long.fluency, long.trouble) == (None, "It has 7 tokens, more than the context of 5.")


def test_where_the_original_has_no_score_no_candidate_has():
    settings = FilterSettings(fluency=FluencyFilter(by="model", model="small", context_length=4))
    (figures,) = measured(settings, WordModel(), ["The tram left."])
    assert figures.fluency is None
    assert figures.trouble.startswith("Of the original: It has 5 tokens")


def test_what_is_not_there_is_said_before_anything_begins(dataset):
    by_model = FilterSettings(fluency=FluencyFilter(by="model", model="small"))
    with pytest.raises(NotReadyError, match="no language model of that name"):
        check_ready(by_model, dataset)
    ScoredModel.objects.create(dataset=dataset, name="small", reached_by="llama-cpp", reached_as="absent.gguf")
    with pytest.raises(NotReadyError):
        check_ready(by_model, dataset)
    with pytest.raises(NotReadyError, match=r"contradiction.endpoint: There is no endpoint named 'moon'"):
        check_ready(FilterSettings(ContradictionFilter(by="judge", endpoint="moon", model="m")), dataset)
    check_ready(BOTH_JUDGED, dataset)
