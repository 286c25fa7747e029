"""Prompts answered by a model behind real HTTP: what becomes a response, what is paid once, what is left to do."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from annotate.corpus.rows import PromptRow
from annotate.models import Generation, GenerationItem, Import
from annotate.prompts.collect import collect
from annotate.prompts.generation_job import GenerationJob
from annotate.prompts.start import GenerationSettings, start, unanswered
from annotate.prompts.take_in import accept
from jobs.enqueue import sweep
from jobs.errors import StartError
from jobs.leases import lease_items
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Call
from llm.retries import RetryPolicy
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db

AT_ONCE = RetryPolicy(attempts=2, first_wait=0.01)


@pytest.fixture
def lives():
    """Two prompts, for biographies of Maria and of Otto."""
    dataset = make_dataset("lives", scheme="factscore")
    rows = [PromptRow(f"Tell me a bio of {topic}.", topic=topic, frequency="rare") for topic in ("Maria", "Otto")]
    collect(dataset, rows, "file")
    return dataset


def work(generation):
    work_on(GenerationJob(AT_ONCE), generation.pk)


def ask(dataset, **options):
    generation = start(dataset, default_endpoint(), GenerationSettings("tiny", **options))
    work(generation)
    generation.refresh_from_db()
    return generation


def test_answers_become_responses_with_their_sentences_and_samples(lives, model):
    model.control(answer="Maria painted. She sang.")

    generation = ask(lives, samples=2)

    assert (generation.state, generation.error) == ("finished", "")
    maria, otto = lives.responses.visible()
    assert (maria.index, maria.subject, maria.prompt.topic, maria.prompt.frequency) == (
        "tiny/Maria",
        "tiny",
        "Maria",
        "rare",
    )
    assert list(maria.segments.values_list("text", flat=True)) == ["Maria painted.", "She sang."]
    assert [sample.text for sample in otto.other_samples.all()] == ["Maria painted. She sang."] * 2
    assert model.stats()["total"] == 6


def test_samples_are_requests_of_their_own_at_their_temperature(lives, model):
    ask(lives, samples=1)

    requests = [(call.request["sample"], call.request["parameters"]["temperature"]) for call in Call.objects.all()]
    assert sorted(requests) == [(0, 0.0), (0, 0.0), (1, 1.0), (1, 1.0)]
    assert {len(call.request["messages"]) for call in Call.objects.all()} == {1}  # zero-shot


def test_a_model_with_nothing_to_say_abstains(lives, model):
    model.control(answer=" ")

    ask(lives)

    assert list(lives.responses.values_list("text", "abstained")) == [("", True)] * 2


def test_segments_need_a_text(model):
    lab = make_dataset("lab")
    collect(lab, [PromptRow("Which numbers are odd?")], "file")
    model.control(answer="")

    generation = ask(lab)

    item = generation.items.get()
    assert (generation.state, item.state, lab.responses.count()) == ("finished", "failed", 0)
    assert item.error.startswith("The model answered nothing")


def test_responses_of_prompts_without_topic_are_known_by_their_place(model):
    lab = make_dataset("lab")
    collect(lab, [PromptRow("Which numbers are odd?", domain="math")], "file")
    model.control(answer="One is odd.")

    ask(lab, subject="amber")

    response = lab.responses.get()
    assert (response.index, response.subject, response.prompt.domain) == ("amber/1", "amber", "math")


def test_no_prompt_is_answered_twice_by_a_subject(lives, model):
    model.control(answer="Maria painted.")
    make_response(lives, prompt="Maria", subject="tiny")

    assert [prompt.topic for prompt in unanswered(lives, "tiny")] == ["Otto"]
    ask(lives)
    with pytest.raises(StartError, match="tiny has answered all prompts"):
        start(lives, default_endpoint(), GenerationSettings("tiny"))
    assert len(unanswered(lives, "other")) == 2


def test_what_was_paid_for_is_not_asked_again(lives, model):
    model.control(answer="Maria painted.")
    ask(lives)
    lives.responses.all().delete()
    Generation.objects.all().delete()

    ask(lives)

    assert (model.stats()["total"], lives.responses.count()) == (2, 2)


def test_a_stopped_generation_takes_up_nothing_and_goes_on(lives, model):
    model.control(answer="Maria painted.")
    generation = start(lives, default_endpoint(), GenerationSettings("tiny"))
    generation.stop()
    work(generation)
    assert model.stats()["total"] == 0

    generation.resume()
    work(generation)
    assert lives.responses.count() == 2


def test_what_a_stopped_one_has_may_be_taken_in(lives, model):
    generation = start(lives, default_endpoint(), GenerationSettings("tiny"))
    generation.items.filter(prompt__topic="Maria").update(state="done", text="Maria painted.")
    generation.stop()

    assert accept(generation) == 1
    generation.refresh_from_db()
    assert (generation.state, lives.responses.get().text) == ("finished", "Maria painted.")
    assert [prompt.topic for prompt in unanswered(lives, "tiny")] == ["Otto"]


def test_a_wrong_key_stops_it_with_the_reason_and_nothing_is_lost(lives, model):
    model.control(fail_every=1, fail_status=401, fail_text="wrong key")

    generation = ask(lives)

    assert (generation.state, "wrong key" in generation.error) == ("stopped", True)
    assert generation.items.filter(state="waiting").count() == 2


def test_another_import_under_way_keeps_the_answers(lives, model):
    model.control(answer="Maria painted.")
    Import.objects.create(dataset=lives, format="responses", file_name="slow.jsonl", file_hash="0")

    generation = ask(lives)

    assert (generation.state, lives.responses.count()) == ("stopped", 0)
    assert "Another import into lives is under way" in generation.error
    Import.objects.all().delete()
    generation.resume()
    work(generation)
    assert (lives.responses.count(), model.stats()["total"]) == (2, 2)


def test_what_a_killed_worker_held_is_found_by_the_sweep(lives, model, monkeypatch):
    enqueued = []
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda args, **_: enqueued.append(args))
    model.control(answer="Maria painted.")
    generation = start(lives, default_endpoint(), GenerationSettings("tiny"))
    lease_items(GenerationJob().waiting(generation.pk), "killed worker", 1, max_attempts=3)
    assert sweep(GenerationJob()) == []  # it is at work

    GenerationItem.objects.leased().update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweep(GenerationJob()) == [generation.pk]
    assert sweep(GenerationJob()) == []  # it has been told

    work(generation)
    assert (enqueued, lives.responses.count()) == ([("generation", generation.pk)], 2)


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"temperature": -1.0}, "The temperature must be 0 to 2."),
        ({"samples": 51}, "There may be at most 50 samples of each prompt."),
        ({"samples": 2, "sample_temperature": 0.0}, "At temperature 0 all samples are the same"),
    ],
)
def test_what_cannot_be_asked_is_refused(lives, options, cause):
    with pytest.raises(StartError, match=cause):
        start(lives, default_endpoint(), GenerationSettings("tiny", **options))
    assert not Generation.objects.exists()


def generate(capsys, *words):
    call_command("generate_responses", "lives", "tiny", *words, "--json")
    return json.loads(capsys.readouterr().out)


def test_the_command_asks_to_the_end(lives, model, capsys):
    model.control(answer="Maria painted.", finish_reason="length")

    assert generate(capsys, "--limit", "1", "--wait") == {
        "dataset": "lives",
        "subject": "tiny",
        "state": "finished",
        "prompts": 1,
        "answered": 1,
        "failed": 0,
        "waiting": 0,
        "cut_off": 1,
        "spent_tokens": 8,
        "spent_usd": 0.0,
    }


def test_the_command_goes_on_with_what_was_stopped(lives, model, capsys):
    model.control(answer="Maria painted.")
    start(lives, default_endpoint(), GenerationSettings("tiny")).stop()

    assert generate(capsys, "--wait")["answered"] == 2
    assert Generation.objects.count() == 1


def test_an_endpoint_that_nobody_knows_is_an_error(lives):
    with pytest.raises(CommandError, match="There is no endpoint named 'moon'"):
        call_command("generate_responses", "lives", "tiny", "--endpoint", "moon")
