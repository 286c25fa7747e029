"""A benchmark scored with retrieval by a real model of random weights, and its page."""

import pytest
from django.urls import reverse

from annotate.models import Role
from factor.models import Benchmark, Retrieved, Scoring
from factor.scoring.scoring_job import ScoringJob
from factor.scoring.start import ScoringRequest, start
from jobs.work import work_on
from knowledge.models import Document, Passage
from knowledge.search import passage_texts
from tests.factor.perplexity.tiny_gpt import logprobs_of
from tests.factor.perplexity.work import make_insects, make_model
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db

PREFIX = "Far ants march on.\n"
TRUE, FALSE = "Wasps dance on lines and bees fly far.", "Wasps march on combs and bees dance."


@pytest.fixture
def scoring(weights):
    dataset, insects = make_dataset(), make_insects()
    benchmark = Benchmark.objects.create(dataset=dataset, name="Insects")
    example = benchmark.examples.create(position=0, prefix=PREFIX, document=Document.objects.get(title="Ant"))
    for place, text in enumerate((TRUE, FALSE)):
        example.completions.create(place=place, text=text)
    wish = ScoringRequest(context_length=64, source=insects, stride=4, query_tokens=6)
    scoring = start(benchmark, make_model(dataset), wish)
    work_on(ScoringJob(), scoring.pk)
    scoring.refresh_from_db()
    return scoring


def test_each_stride_has_the_log_probabilities_after_its_passage(scoring, weights):
    assert scoring.state == Scoring.State.FINISHED
    kept = Retrieved.objects.select_related("score__completion").order_by("score__completion__place")
    for each in kept:
        tokens, text = each.score.tokens, each.score.completion.text
        for (first, key), (end, _) in zip(each.strides, [*each.strides[1:], (len(tokens), None)], strict=True):
            before = shown(key) + PREFIX + text[: tokens[first][0]]
            expected = logprobs_of(weights / "tiny", before + text[tokens[first][0] :], len(before))
            assert [logprob for _, _, logprob in tokens[first:end]] == pytest.approx(expected[: end - first], abs=1e-4)
    assert len(kept) == 2
    assert any(len(each.strides) > 1 for each in kept)


def shown(key):
    if key is None:
        return ""
    passage = Passage.objects.select_related("document").get(pk=key)
    return f"{passage.document.title}\n{passage_texts(Passage.objects.filter(pk=key))[key]}\n"


def test_no_passage_is_of_the_evaluated_document(scoring):
    keys = {key for each in Retrieved.objects.all() for _, key in each.strides}
    titles = set(Passage.objects.filter(pk__in=keys - {None}).values_list("document__title", flat=True))

    assert titles
    assert "Ant" not in titles


def test_the_page_shows_passages_and_what_was_left_out(scoring, client):
    client.force_login(make_person("rhea", scoring.benchmark.dataset, Role.RESEARCHER))

    shown = client.get(reverse("scoring-retrieved", args=[scoring.pk])).content.decode()

    assert "an example was made from it" in shown
    assert "<strong>Wasp</strong>" in shown or "<strong>Bee</strong>" in shown


def test_a_scoring_without_retrieval_has_no_such_page(client):
    dataset = make_dataset()
    benchmark = Benchmark.objects.create(dataset=dataset, name="Insects")
    plain = Scoring.objects.create(benchmark=benchmark, model=make_model(dataset))
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))

    assert client.get(reverse("scoring-retrieved", args=[plain.pk])).status_code == 404
