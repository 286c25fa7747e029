"""Scorings worked on over real HTTP: what is stored, what is done once, what stops one and goes on."""

from datetime import timedelta

import pytest
from django.utils import timezone

from factor.language_models.folder import load_folder
from factor.models import Scoring, ScoringItem
from factor.results.names import names_of
from factor.scoring.progress import progress_of
from factor.scoring.scoring_job import ScoringJob
from factor.scoring.start import ScoringRequest, begun_so, start
from jobs.enqueue import sweep
from jobs.errors import StartError
from jobs.leases import lease_items
from jobs.limits import Limits
from jobs.work import work_on
from llm.retries import RetryPolicy
from tests.factor.perplexity.work import make_model
from tests.factor.scoring.work import EXAMPLES, LIKELY, make_benchmark, served
from tests.factories import make_dataset

pytestmark = pytest.mark.django_db

AT_ONCE = RetryPolicy(attempts=2, first_wait=0.01)


@pytest.fixture
def scoring(model):
    model.control(logprobs_of=LIKELY)
    dataset = make_dataset()
    return start(make_benchmark(dataset), served(dataset), ScoringRequest(context_length=64))


def work(scoring):
    work_on(ScoringJob(AT_ONCE), scoring.pk)
    scoring.refresh_from_db()


def test_every_completion_has_its_tokens_and_their_sum(scoring, model):
    work(scoring)

    assert (scoring.state, scoring.error, model.stats()["total"]) == ("finished", "", 6)
    true, fly, sing, now, swim, _ = scoring.scores.order_by("completion__example", "completion__place")
    assert (true.tokens, true.total, true.count, true.prefix_tokens) == ([[0, 4, -0.25], [4, 11, -0.5]], -0.75, 2, 4)
    assert [score.total for score in (fly, sing, now, swim)] == pytest.approx([-2.25, -3.25, -1.25, -0.35])
    assert scoring.scored_tokens == 13
    assert scoring.seconds > 0


def test_one_example_goes_to_a_model_of_this_machine_at_a_time(scoring, model):
    model.control(latency=0.02)

    work(scoring)

    assert model.stats()["max_in_flight"] == 1


def test_without_the_prefix_it_is_not_sent(model):
    dataset = make_dataset()
    scoring = start(make_benchmark(dataset), served(dataset), ScoringRequest(with_prefix=False), limit=1)

    work(scoring)

    # The words of the fake server take the new line with them, so that nothing stands before the first.
    assert [score.error[:35] for score in scoring.scores.all()] == ["The model gives no log-probability "] * 3
    assert (scoring.state, progress_of(scoring).without_score) == ("finished", 3)


def test_a_doubled_task_leaves_alone_what_the_other_holds(scoring, model):
    (held,) = lease_items(ScoringJob().waiting(scoring.pk), "another", 1, 3)

    work(scoring)

    assert set(scoring.scores.values_list("completion__example__position", flat=True)) == {1}
    assert (held.item.example.position, scoring.state) == (0, "scoring")


def test_what_a_killed_worker_held_is_scored_by_the_next(scoring, model, settings, monkeypatch):
    lease_items(ScoringJob().waiting(scoring.pk), "killed", 1, 3)
    ScoringItem.objects.leased().update(lease_until=timezone.now() - timedelta(seconds=1))
    enqueued = []
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda message, **_: enqueued.append(message))

    assert sweep(ScoringJob()) == [scoring.pk]
    assert enqueued == [("scoring", scoring.pk)]
    work(scoring)

    assert (scoring.state, scoring.scores.count()) == ("finished", 6)


def test_an_endpoint_that_is_down_stops_it_and_it_goes_on(scoring, model):
    model.control(fail_every=1)
    work(scoring)
    assert scoring.state == "stopped"
    assert "told to fail" in scoring.error

    model.control(fail_every=0)
    scoring.resume()
    work(scoring)

    assert (scoring.state, scoring.error, scoring.scores.count()) == ("finished", "", 6)


def test_a_stopped_scoring_takes_up_nothing(scoring, model):
    scoring.stop()

    work(scoring)

    assert (scoring.state, model.stats()["total"]) == ("stopped", 0)


def test_a_budget_stops_it_before_it_is_exceeded(scoring, model):
    Scoring.objects.update(max_tokens=30)

    work(scoring)

    assert scoring.state == "stopped"
    assert scoring.spent_tokens <= 30
    with pytest.raises(StartError, match="raise its limit"):
        scoring.resume(Limits(tokens=1))


def test_a_completion_without_a_score_says_why_and_spoils_no_other(model):
    model.control(logprobs_of={**LIKELY, "sing.": None})
    dataset = make_dataset()
    scoring = start(make_benchmark(dataset), served(dataset), ScoringRequest(context_length=64))

    work(scoring)

    missing = scoring.scores.filter(total=None)
    assert [score.completion.text for score in missing] == ["They sing."] * 2
    assert all("not a number" in score.error for score in missing)
    assert (scoring.state, scoring.scores.exclude(total=None).count()) == ("finished", 4)


def test_what_a_model_cannot_is_said_before_anything_is_stored(model):
    dataset = make_dataset()
    benchmark = make_benchmark(dataset)

    with pytest.raises(StartError, match="cannot be scored with: it gives no log-probabilities of a text"):
        start(benchmark, served(dataset, chat=True), ScoringRequest())
    with pytest.raises(StartError, match="Retrieval needs the prefix"):
        start(benchmark, dataset.scored_models.get(), ScoringRequest(with_prefix=False, source=object()))
    assert Scoring.objects.count() == 0


def test_an_empty_benchmark_cannot_be_scored(model):
    dataset = make_dataset()

    with pytest.raises(StartError, match="insects has no examples yet"):
        start(make_benchmark(dataset, examples=()), served(dataset), ScoringRequest())
    assert Scoring.objects.count() == 0


class FullDevice:
    """Weights on a device whose memory is too small for a text of the token."""

    def __init__(self, weights, token):
        self._weights, self._token = weights, token

    def __getattr__(self, name):
        return getattr(self._weights, name)

    def begin(self, ids, kept):
        if self._token in ids:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        return self._weights.begin(ids, kept)


def test_an_example_that_does_not_fit_the_device_fails_after_three_attempts_and_spoils_no_other(weights, monkeypatch):
    def load(name, longest):
        loaded = load_folder(name, longest)
        (token,) = set(loaded.tokenize("Q")[0])
        return FullDevice(loaded, token)

    monkeypatch.setattr("factor.language_models.open.load_folder", load)
    dataset = make_dataset()
    examples = (EXAMPLES[0], ("Q bees live in hives. ", ("They dance.", "They fly.")), EXAMPLES[1])
    scoring = start(make_benchmark(dataset, examples), make_model(dataset), ScoringRequest(context_length=64))

    work(scoring)

    failed = scoring.items.get(state="failed")
    assert (failed.example.position, failed.attempts) == (1, 3)
    assert failed.error == "Something went wrong on the server, and its log says what (RuntimeError)."
    assert (scoring.state, scoring.error) == ("finished", "")
    assert set(scoring.scores.exclude(total=None).values_list("completion__example__position", flat=True)) == {0, 2}
    assert [item.attempts for item in scoring.items.done()] == [1, 1]


def test_leading_spaces_of_a_completion_are_not_sent_and_belong_to_its_first_token(model):
    model.control(logprobs_of=LIKELY)
    dataset = make_dataset()
    benchmark = make_benchmark(dataset, [("Ants march. ", ("  They dance.", "They dance.", "They fly. "))])

    work(scoring := start(benchmark, served(dataset), ScoringRequest(context_length=64)))

    spaced, plain, _ = scoring.scores.order_by("completion__place")
    assert spaced.total == plain.total
    assert [token[2] for token in spaced.tokens] == [token[2] for token in plain.tokens]
    assert [token[:2] for token in plain.tokens] == [[0, 4], [4, 11]]
    assert [token[:2] for token in spaced.tokens] == [[0, 6], [6, 13]]


def test_a_start_token_is_another_way_of_scoring(model):
    dataset = make_dataset()
    benchmark, served_model = make_benchmark(dataset), served(dataset)
    plain = start(benchmark, served_model, ScoringRequest())
    started = start(benchmark, served_model, ScoringRequest(start_token=True))
    assert names_of([plain, started]) == {plain.pk: "mimi", started.pk: "mimi, start token"}
    assert begun_so(benchmark, served_model, ScoringRequest(start_token=True)) == started
