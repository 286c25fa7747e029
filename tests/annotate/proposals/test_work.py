"""Proposals by a model behind real HTTP: what is stored, what is refused, what a lost worker leaves."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.models import FactSet, Proposal, Segmentation
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.templates import read_template
from annotate.proposals.progress import failures_of, progress_of
from annotate.proposals.proposal_job import ProposalJob
from annotate.proposals.start import last_model, proposable, start, unproposed
from jobs.enqueue import sweep
from jobs.errors import StartError
from jobs.leases import lease_items
from jobs.work import sweep_expired, work_on
from llm.models import Call, Endpoint
from llm.retries import RetryPolicy
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.fake_dialects import SERVERS

pytestmark = pytest.mark.django_db

AT_ONCE = RetryPolicy(attempts=2, first_wait=0.01)


@pytest.fixture
def lives():
    dataset = make_dataset("lives", scheme="factscore")
    make_response(dataset, ["Maria painted and sang.", "She died."], prompt="Maria", subject="amber")
    return dataset


@pytest.fixture
def sums():
    """A solution of two lines, of which the import made three sentences."""
    dataset = make_dataset("sums")
    response = make_response(dataset, ["Halve it.\nx = 2.", "Done.", "Enjoy."], domain="math")
    response.text = "Halve it.\nx = 2. Done. Enjoy."
    response.save()
    return dataset


def ask(dataset, kind, **options):
    """Ask the model about all that has nothing yet; the proposals."""
    start(dataset, unproposed(dataset, kind), kind, options.pop("model", "tiny"), **options)
    work_on(ProposalJob(AT_ONCE), dataset.pk)
    return list(Proposal.objects.filter(response__dataset=dataset, kind=kind))


@pytest.mark.parametrize("server", SERVERS)
def test_lines_of_a_thought_are_no_facts(lives, model, server):
    model.control(dialects=SERVERS[server])

    (proposal,) = ask(lives, "facts")

    assert (proposal.state, proposal.error) == ("done", "")
    facts = FactSet.objects.get().facts.order_by("segment__position", "position")
    assert [fact.text for fact in facts] == ["Maria painted.", "sang.", "She died."]


def test_a_models_facts_are_kept_sentence_by_sentence(lives, model):
    (proposal,) = ask(lives, "facts")

    assert (proposal.state, proposal.error) == ("done", "")
    fact_set = FactSet.objects.get()
    assert (fact_set.origin, fact_set.model, fact_set.prompt_hash, fact_set.draft) == (
        "model",
        "tiny",
        read_template(PROJECT_SET, "propose_facts").hash,
        False,
    )
    assert list(fact_set.facts.values_list("segment__position", "position", "text")) == [
        (0, 0, "Maria painted."),
        (0, 1, "sang."),
        (1, 0, "She died."),
    ]
    assert model.stats()["total"] == 2  # one sentence a call


def test_an_answer_that_cannot_be_read_goes_back_with_what_is_wrong_with_it(lives, model):
    model.control(garble_first=2)

    (proposal,) = ask(lives, "facts")

    assert proposal.state == "done"
    assert model.stats()["total"] == 4
    messages = [call.request["messages"][-1]["content"] for call in Call.objects.all()]
    assert sum('no line of it begins with "- "' in words for words in messages) == 2


def test_after_three_answers_the_reason_is_kept_and_nothing_is_stored(lives, model):
    model.control(answer="Maria painted.")

    (proposal,) = ask(lives, "facts")

    assert proposal.state == "failed"
    assert 'answers could not be used, the last because no line of it begins with "- "' in proposal.error
    assert proposal.error.startswith("Sentence ")
    assert not FactSet.objects.exists()
    assert model.stats()["total"] <= 6


def test_asking_again_is_another_request(lives, model):
    model.control(answer="Maria painted.")
    ask(lives, "facts")
    model.control(answer="- Maria painted.")

    assert [proposal.state for proposal in ask(lives, "facts")] == ["failed", "done"]


def test_an_answer_that_was_cut_off_is_not_used(lives, model):
    model.control(finish_reason="length")

    (proposal,) = ask(lives, "facts")

    assert "it was cut off before its end" in proposal.error


def test_a_models_segments_add_up_to_the_response(sums, model):
    (proposal,) = ask(sums, "segments")

    assert proposal.state == "done"
    response = sums.responses.get()
    segments = list(response.segments.values_list("text", "start", "end"))
    assert segments == [("Halve it.", 0, 9), ("x = 2. Done. Enjoy.", 10, 29)]
    assert [row.origin for row in response.segmentations.all()] == ["import", "model"]
    assert response.segmentations.last().model == "tiny"


def test_segments_that_do_not_add_up_are_refused_and_the_old_ones_stay(sums, model):
    model.control(answer="Halve it.\n*****\nx = 3. Done. Enjoy.")

    (proposal,) = ask(sums, "segments")

    assert proposal.state == "failed"
    assert "segment 2 does not go on where the response does, at “x = 2." in proposal.error
    assert (model.stats()["total"], sums.responses.get().segments.count()) == (3, 3)
    assert not Segmentation.objects.exists()


def test_segments_that_add_up_at_the_second_attempt_are_taken(sums, model):
    model.control(garble_first=1)

    (proposal,) = ask(sums, "segments")

    assert (proposal.state, sums.responses.get().segments.count()) == ("done", 2)


def test_what_fails_for_a_while_is_tried_again(lives, model):
    model.control(fail_first=1)

    assert [proposal.state for proposal in ask(lives, "facts")] == ["done"]


def test_a_wrong_key_fails_all_that_wait_with_one_reason(lives, model):
    for topic in ("Otto", "Ines"):
        make_response(lives, [f"{topic} sang."], prompt=topic, subject="amber")
    model.control(fail_every=1, fail_status=401, fail_text="wrong key")

    proposals = ask(lives, "facts")

    assert {proposal.state for proposal in proposals} == {"failed"}
    assert all("wrong key" in proposal.error for proposal in proposals)
    assert failures_of(lives, "facts").count() == 3


def test_an_endpoint_that_is_down_ends_the_work(lives, model):
    model.control(fail_every=1, fail_status=503)

    (proposal,) = ask(lives, "facts")

    assert (proposal.state, "503" in proposal.error) == ("failed", True)


def test_a_response_that_was_labelled_meanwhile_keeps_its_facts(lives, model):
    response = lives.responses.get()
    start(lives, unproposed(lives, "facts"), "facts", "tiny")
    judge(make_task(response), "ada", {response.segments.first(): "irrelevant"})

    work_on(ProposalJob(AT_ONCE), lives.pk)

    proposal = Proposal.objects.get()
    assert (proposal.state, proposal.error) == (
        "failed",
        "The facts stay as they are: somebody has begun to label the response.",
    )
    assert not FactSet.objects.exists()


def test_whose_lease_was_lost_stores_nothing(lives, model):
    start(lives, unproposed(lives, "facts"), "facts", "tiny")
    [lost] = lease_items(ProposalJob().waiting(lives.pk), "killed worker", 1, 3)
    assert lease_items(ProposalJob().waiting(lives.pk), "other", 1, 3) == []

    Proposal.objects.filter(pk=lost.item.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep_expired(Proposal.objects.all())
    assert not lost.finish()
    assert Proposal.objects.get().state == "waiting"

    work_on(ProposalJob(AT_ONCE), lives.pk)
    assert Proposal.objects.get().state == "done"


def test_the_sweep_enqueues_what_no_worker_has_picked_up(lives, monkeypatch):
    start(lives, unproposed(lives, "facts"), "facts", "tiny")
    enqueued = []
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda args, **_: enqueued.append(args))

    assert sweep(ProposalJob()) == [lives.pk]
    assert sweep(ProposalJob()) == []

    long_ago = timezone.now() - timedelta(hours=1)
    Proposal.objects.update(state="leased", lease_owner="killed worker", lease_until=long_ago, enqueued_at=long_ago)
    assert sweep(ProposalJob()) == [lives.pk]
    assert enqueued == [("proposal", lives.pk)] * 2


def test_the_page_is_told_that_nobody_takes_it_up(lives, monkeypatch):
    monkeypatch.setattr("annotate.proposals.progress.PATIENCE", timedelta(minutes=10))
    start(lives, unproposed(lives, "facts"), "facts", "tiny")
    fresh = progress_of(lives, "facts")
    assert (fresh.waiting, fresh.active, fresh.not_picked_up) == (1, True, False)

    Proposal.objects.update(created_at=timezone.now() - timedelta(minutes=11))

    assert progress_of(lives, "facts").not_picked_up


def test_only_responses_without_facts_are_asked_about_unless_they_are_named(lives):
    maria = lives.responses.get()
    add_facts(maria, [["Maria painted."], []], "model")
    otto = make_response(lives, ["Otto sang."], prompt="Otto", subject="amber")

    assert list(unproposed(lives, "facts")) == [otto]
    assert list(proposable(lives, "facts")) == [maria, otto]

    add_facts(maria, [["Maria painted."], []], "human")
    assert list(proposable(lives, "facts")) == [otto]


def test_only_mathematics_and_recommendations_are_cut_unless_others_are_named(sums):
    rome = make_response(sums, ["In 753 BC."], domain="wk")

    assert [response.prompt.domain for response in unproposed(sums, "segments")] == ["math"]
    assert rome in proposable(sums, "segments")


def test_nothing_is_asked_twice_at_once(lives):
    start(lives, unproposed(lives, "facts"), "facts", "tiny")

    assert (
        start(lives, lives.responses.all(), "facts", "tiny") == 1
    )  # asked for at the same moment: one of two rows stays
    assert Proposal.objects.count() == 1
    assert not proposable(lives, "facts").exists()


def test_a_model_must_be_named(lives):
    with pytest.raises(StartError, match="Enter a model"):
        start(lives, lives.responses.all(), "facts", " ")

    start(lives, lives.responses.all(), "facts", "tiny", make_person("dora"))
    assert last_model(lives) == "tiny"


def test_a_model_is_asked_at_the_endpoint_that_was_chosen(lives, model, monkeypatch):
    endpoint = Endpoint.objects.create(name="lab", base_url=model.base_url, shared=True)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")

    (proposal,) = ask(lives, "facts", endpoint=endpoint)

    assert proposal.state == "done"


def test_an_endpoint_that_is_withdrawn_is_not_asked(lives, model):
    endpoint = Endpoint.objects.create(name="lab", base_url=model.base_url)

    (proposal,) = ask(lives, "facts", endpoint=endpoint)

    assert (proposal.state, model.stats()["total"]) == ("failed", 0)
    assert "The endpoint lab is not granted to lives" in proposal.error
