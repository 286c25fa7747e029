"""The pages of runs."""

import json
import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from annotate.models import Dataset
from evaluators.methods import METHODS
from evaluators.models import Evaluator, Prediction, Run
from evaluators.runs.create import create_run
from evaluators.runs.forms import PREFIX
from evaluators.runs.listing import list_runs, spent_by
from evaluators.runs.outside import create_outside_run
from evaluators.runs.run_job import RunJob
from jobs.models import Worker
from jobs.work import work_on
from llm.models import Call, Endpoint
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

HOSTILE = "<script>alert('x')</script>"
PAGES_OF_DATASET = ["runs", "run-new", "import-predictions"]
PAGES_OF_RUN = ["run", "run-progress", "run-predictions", "run-manifest"]


def client_of(dataset: Dataset, role: str) -> Client:
    client = Client()
    client.force_login(make_person(f"a {role}", dataset, role))
    return client


@pytest.fixture
def rhea(lab: Dataset) -> Client:
    return client_of(lab, "researcher")


@pytest.fixture
def finished(run: Run) -> Run:
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def read(client: Client, name: str, pk: int, query: str = "") -> str:
    answer = client.get(reverse(name, args=[pk]) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def names(text: str) -> list[str]:
    """The evaluators of the list, from the top."""
    return re.findall(r'<th scope="row"><a [^>]*>([^<]+)</a>', text)


@pytest.mark.parametrize(
    ("role", "of_dataset", "of_run"), [("annotator", 403, 404), ("researcher", 200, 200), ("adjudicator", 200, 200)]
)
def test_who_may_see_them(lab, run, role, of_dataset, of_run):
    """An annotator is not told that there are runs."""
    client = client_of(lab, role)
    client.defaults["HTTP_HX_REQUEST"] = "true"
    assert {client.get(reverse(name, args=[lab.pk])).status_code for name in PAGES_OF_DATASET} == {of_dataset}
    assert {client.get(reverse(name, args=[run.pk])).status_code for name in PAGES_OF_RUN} == {of_run}


@pytest.mark.parametrize("name", ["run-cancel", "run-resume"])
def test_an_annotator_may_not_change_a_run(lab, run, name):
    assert client_of(lab, "annotator").post(reverse(name, args=[run.pk])).status_code == 404
    run.refresh_from_db()
    assert run.state == "queued"


def test_a_run_of_another_dataset_is_not_there(run):
    outsider = client_of(make_dataset("elsewhere"), "researcher")
    assert outsider.get(reverse("run", args=[run.pk])).status_code == 404


# The list


def test_an_empty_list_says_what_to_do(lab, rhea):
    text = read(rhea, "runs", lab.pk)
    assert "No runs yet" in text
    assert reverse("run-new", args=[lab.pk]) in text


def test_the_list_says_when_no_worker_is_alive(lab, rhea, run):
    assert "No worker is running" in read(rhea, "runs", lab.pk)
    Worker.objects.create(
        name="w", queue="long", started_at=timezone.now(), beat_at=timezone.now() + timedelta(hours=1)
    )
    assert "No worker is running" not in read(rhea, "runs", lab.pk)


def test_a_list_where_a_program_elsewhere_judges_needs_no_worker(lab, rhea):
    assert create_outside_run(lab, "box").run.is_active
    assert "No worker is running" not in read(rhea, "runs", lab.pk)


def test_a_list_without_active_runs_needs_no_worker(lab, rhea, finished):
    assert "No worker is running" not in read(rhea, "runs", lab.pk)


def test_the_list_is_filtered_and_sorted_by_the_link(lab, rhea, finished):
    create_run(lab, "random", name="coin")
    assert names(read(rhea, "runs", lab.pk)) == ["coin", "always-supported"]
    assert names(read(rhea, "runs", lab.pk, "?sort=evaluator")) == ["always-supported", "coin"]
    assert names(read(rhea, "runs", lab.pk, "?state=finished")) == ["always-supported"]
    assert names(read(rhea, "runs", lab.pk, "?evaluator=COI")) == ["coin"]
    assert "No matching runs" in read(rhea, "runs", lab.pk, "?evaluator=nobody")


def test_filters_keep_the_order_and_the_order_the_filters(lab, rhea, finished):
    text = read(rhea, "runs", lab.pk, "?state=finished&sort=evaluator")
    assert '<input type="hidden" name="sort" value="evaluator">' in text
    assert "?state=finished&amp;sort=state" in text


def test_the_list_counts_what_is_settled(lab, finished):
    (listed,) = list_runs(lab)
    assert (listed.total, listed.done, listed.failed, listed.share) == (3, 3, 0, 1.0)


def test_an_answer_that_two_predictions_were_read_from_is_paid_once(lab, finished):
    endpoint = Endpoint.objects.create(shared=True, name="here", base_url="http://localhost")
    call = Call.objects.create(
        endpoint=endpoint,
        request_hash="a" * 64,
        model="m",
        request={},
        prompt_tokens=10,
        completion_tokens=5,
        cost_usd="0.002",
        seconds=1,
    )
    for prediction in finished.predictions.all()[:2]:
        prediction.calls.add(call)
    spent = spent_by([finished])[finished.pk]
    assert (spent.tokens, spent.cost_usd) == (15, 0.002)


def test_one_price_that_is_unknown_makes_the_cost_unknown(lab, finished):
    endpoint = Endpoint.objects.create(shared=True, name="here", base_url="http://localhost")
    for number, cost in enumerate(("0.002", None)):
        call = Call.objects.create(
            endpoint=endpoint, request_hash=f"{number:064d}", model="m", request={}, cost_usd=cost, seconds=1
        )
        finished.predictions.first().calls.add(call)
    assert spent_by([finished])[finished.pk].cost_usd is None


# A new run


def test_only_methods_that_judge_the_scheme_are_offered(lab, rhea):
    assert "felm-claim" in read(rhea, "run-new", lab.pk)
    lives = make_dataset("lives", "factscore")
    assert "felm-claim" not in read(client_of(lives, "adjudicator"), "run-new", lives.pk)
    missing = client_of(lives, "annotator")
    assert missing.get(reverse("run-new", args=[lives.pk])).status_code == 403


def test_a_method_that_is_not_there_is_not_found(lab, rhea):
    assert rhea.get(reverse("run-new", args=[lab.pk]) + "?method=nothing").status_code == 404


def test_the_form_has_the_parameters_with_their_defaults_and_bounds(lab, rhea):
    text = read(rhea, "run-new", lab.pk, "?method=felm-segment")
    samples = re.search(r'<input[^>]*name="parameter-samples"[^>]*>', text)[0]
    assert 'value="1"' in samples
    assert 'min="1"' in samples
    assert 'max="99"' in samples
    assert "Sampling temperature." in text
    assert '<option value="released-code">' in text


def test_a_run_is_made_by_the_form(lab, rhea):
    address = reverse("run-new", args=[lab.pk]) + "?method=random"
    fields = {"name": "coin", "limit": "2", "parameter-seed": "5"}
    answer = rhea.post(address, fields)
    made = Run.objects.get()
    assert answer.url == reverse("run", args=[made.pk])
    assert (made.evaluator.name, made.created_by.username, made.items.count()) == ("coin", "a researcher", 2)
    assert made.evaluator.parameters == {"seed": 5}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"model": ""}, "This field is required"),
        ({"parameter-samples": "100"}, "samples is &#x27;100&#x27;; it must be a whole number from 1 to 99"),
        ({"parameter-temperature": "hot"}, "temperature is &#x27;hot&#x27;; it must be a number from 0 to 2"),
        ({"parameter-profile": "mine"}, "must be one of repaired, released-code, paper"),
        ({"limit": "0"}, "greater than or equal to 1"),
        ({"limit": str(2**63)}, "less than or equal to 9223372036854775807"),
    ],
)
def test_a_wrong_field_says_why_and_nothing_is_made(lab, rhea, model, fields, message):
    right = {
        "model": "m",
        "parameter-in_flight": "4",
        "parameter-temperature": "0",
        "parameter-max_tokens": "10",
        "parameter-samples": "1",
        "parameter-profile": "paper",
        "parameter-prompts": "touchstone",
    }
    text = rhea.post(reverse("run-new", args=[lab.pk]) + "?method=felm-segment", right | fields).content.decode()
    assert message in text
    assert not Run.objects.exists()
    assert not Evaluator.objects.exists()


def test_a_name_that_another_evaluator_has_is_refused_on_the_page(lab, rhea):
    create_run(lab, "always-supported", name="mine")
    address = reverse("run-new", args=[lab.pk]) + "?method=random"
    text = rhea.post(address, {"name": "mine", "parameter-seed": "1"}).content.decode()
    assert "exists with another method" in text
    assert Run.objects.count() == 1


def test_the_same_run_again_leads_to_the_one_that_is_there(lab, rhea, finished):
    answer = rhea.post(reverse("run-new", args=[lab.pk]) + "?method=always-supported", {}, follow=True)
    assert "This run already exists" in answer.content.decode()
    assert Run.objects.count() == 1


def form(method, **changed):
    """The fields of a new run's form as they stand at first, but for those named."""
    fields = {PREFIX + parameter.name: str(parameter.default) for parameter in METHODS[method].parameters}
    return fields | {"method": method, "model": "m"} | changed


@pytest.fixture
def lives(db, model):
    lives = make_dataset("lives", "factscore")
    add_facts(make_response(lives, ["Ada wrote."]), [["Ada wrote."]])
    return lives


def parameters_of(client, dataset, query="", **changed):
    """Those of the run that the form starts, sent as it shows itself but for those named."""
    method = "factscore-no-context"
    address = f"{reverse('run-new', args=[dataset.pk])}?method={method}{query}"
    shown = client.get(address).context["form"]
    fields = {name: shown[name].value() for name in shown.fields if name.startswith(PREFIX)}
    sent = fields | {PREFIX + name: value for name, value in changed.items()}
    answer = client.post(address, {**sent, "model": "m", "name": f"judge {Run.objects.count()}"})
    assert answer.status_code == 302
    return Run.objects.latest("pk").evaluator.parameters


def test_defaults_left_as_they_are_follow_the_chosen_profile_as_in_a_command(lives):
    rhea = client_of(lives, "researcher")
    named = create_run(lives, "factscore-no-context", model="m", parameters={"profile": "released-code"}).run
    assert (named.evaluator.parameters["temperature"], named.evaluator.parameters["max_tokens"]) == (0.7, 2048)
    assert parameters_of(rhea, lives, profile="released-code") == named.evaluator.parameters
    # A link may choose the profile: the form then shows its defaults.
    assert parameters_of(rhea, lives, "&parameter-profile=released-code") == named.evaluator.parameters


def test_a_changed_value_stays_under_any_profile(lives):
    rhea = client_of(lives, "researcher")
    found = parameters_of(rhea, lives, profile="released-code", temperature="0.2")
    assert (found["temperature"], found["max_tokens"]) == (0.2, 2048)
    # Under the profile whose defaults the form shows, what is seen is what is sent.
    found = parameters_of(rhea, lives, "&parameter-profile=released-code", temperature="0")
    assert (found["temperature"], found["max_tokens"]) == (0.0, 2048)
    back = parameters_of(rhea, lives, "&parameter-profile=released-code", profile="repaired")
    assert (back["temperature"], back["max_tokens"]) == (0.0, 1024)


def test_the_form_says_what_the_profile_makes_of_a_default(lives):
    text = read(client_of(lives, "researcher"), "run-new", lives.pk, "?method=factscore-no-context")
    assert "Left unchanged, answer parsing as FActScore&#x27;s code makes it 0.7." in text


def test_the_estimate_follows_the_form(lab, rhea, model):
    given = form("felm-segment", limit="2", **{PREFIX + "samples": "9"})
    text = squeezed(read(rhea, "run-estimate", lab.pk, "?" + urlencode(given)))
    # 2 responses, 9 samples each.
    assert "2 responses, about 18 calls" in text
    assert "at a price that is not known" in text
    assert model.stats()["total"] == 0


def test_there_is_no_estimate_of_a_form_that_cannot_be_read(lab, rhea):
    assert "3 responses to evaluate" in read(rhea, "run-estimate", lab.pk, "?method=felm-segment&limit=x")


def test_a_method_without_a_model_is_estimated_to_make_no_call(lab, rhea):
    text = read(rhea, "run-estimate", lab.pk, "?" + urlencode(form("random", limit="2")))
    assert "2 responses to evaluate, no calls" in text


def test_where_there_are_no_facts_the_form_begins_with_generating_some(db, model):
    lives = make_dataset("lives", "factscore")
    make_response(lives, ["Ada lived in London."])
    text = read(client_of(lives, "researcher"), "run-new", lives.pk, "?method=factscore-no-context")
    assert '<option value="generated" selected>' in text
    assert "1 response to evaluate" in text


def test_a_run_is_started_with_a_limit(lab, rhea, model):
    address = reverse("run-new", args=[lab.pk]) + "?method=felm-segment"
    rhea.post(address, form("felm-segment", max_tokens_total="5000"))
    assert Run.objects.get().max_tokens == 5000


def test_a_price_cannot_be_kept_to_where_none_is_known(lab, rhea, model):
    address = reverse("run-new", args=[lab.pk]) + "?method=felm-segment"
    text = rhea.post(address, form("felm-segment", max_cost="2")).content.decode()
    assert "What m costs is not known" in text
    assert not Run.objects.exists()


# One run


def test_a_run_at_work_renews_its_progress(lab, rhea, run):
    text = squeezed(read(rhea, "run", run.pk))
    assert 'hx-trigger="every 1s"' in text
    assert "0 of 3 responses" in text
    assert reverse("run-cancel", args=[run.pk]) in text


def test_a_finished_run_stops_asking_and_tells_the_page(lab, rhea, finished):
    answer = rhea.get(reverse("run-progress", args=[finished.pk]), headers={"HX-Request": "true"})
    assert "every 1s" not in answer.content.decode()
    assert answer.headers["HX-Refresh"] == "true"
    assert "3 of 3 responses" in squeezed(answer.content.decode())


def test_cancel_and_resume(lab, rhea, run):
    assert "What it had is kept" in rhea.post(reverse("run-cancel", args=[run.pk]), follow=True).content.decode()
    run.refresh_from_db()
    assert run.state == "cancelled"
    assert "Queued again" in rhea.post(reverse("run-resume", args=[run.pk]), follow=True).content.decode()
    run.refresh_from_db()
    assert run.state == "queued"


def test_what_has_ended_is_not_cancelled(lab, rhea, finished):
    text = rhea.post(reverse("run-cancel", args=[finished.pk]), follow=True).content.decode()
    assert "had ended before" in text
    text = rhea.post(reverse("run-resume", args=[finished.pk]), follow=True).content.decode()
    assert "Nothing of the run is left" in text


@pytest.mark.parametrize("name", ["run-cancel", "run-resume"])
def test_a_link_changes_nothing(lab, rhea, run, name):
    assert rhea.get(reverse(name, args=[run.pk])).status_code == 405


def test_a_cancelled_run_offers_to_take_up_what_is_left(lab, rhea, run):
    run.stop()
    assert reverse("run-resume", args=[run.pk]) in read(rhea, "run", run.pk)


def test_errors_stand_with_their_response(lab, rhea, run):
    run.items.filter(position=1).update(state="failed", attempts=3, error=f"It answered {HOSTILE}")
    text = read(rhea, "run", run.pk)
    assert "1 response with an error" in text
    assert "It answered &lt;script&gt;" in text
    assert HOSTILE not in text


def test_what_the_method_left_out_is_counted_by_reason(lab, rhea, finished):
    finished.items.update(skipped={"no reference": 2})
    # Three responses, two units each.
    assert "6 units: no reference" in read(rhea, "run", finished.pk)


def test_the_manifest_is_shown_and_downloaded(lab, rhea, finished):
    text = read(rhea, "run", finished.pk)
    assert "dataset content hash" in text
    answer = rhea.get(reverse("run-manifest", args=[finished.pk]))
    assert json.loads(answer.content) == finished.manifest
    assert answer.headers["Content-Disposition"] == f'attachment; filename="run-{finished.pk}.json"'


def test_predictions_are_narrowed_by_the_link(lab, rhea, finished):
    segments = [prediction.segment for prediction in finished.predictions.in_reading_order()]
    add_gold(segments[0], "supported")
    add_gold(segments[1], "irrelevant")
    finished.predictions.filter(segment=segments[2]).update(value="not_supported")
    finished.predictions.filter(segment=segments[3]).update(value=None, unparsed=True)
    counts = {
        show: read(rhea, "run-predictions", finished.pk, f"?show={show}").count("<details><summary>")
        for show in ("", "errors", "unparsed", "disagreeing")
    }
    # Gold for two of six only: the second says supported against irrelevant, an error.
    assert counts == {"": 6, "errors": 1, "unparsed": 1, "disagreeing": 1}


def test_a_filter_that_is_not_known_shows_all(lab, rhea, finished):
    assert "3 responses" in read(rhea, "run-predictions", finished.pk, "?show=__class__&page=x&truth=x&said=y")


def test_a_prediction_stands_with_prompt_gold_rationale_and_a_link_to_its_call(lab, rhea, finished):
    first = finished.predictions.in_reading_order().first()
    add_gold(first.segment, "not_supported")
    Prediction.objects.filter(pk=first.pk).update(rationale=f"Because {HOSTILE}", score=0.75)
    endpoint = Endpoint.objects.create(shared=True, name="here", base_url="http://localhost")
    request = {"messages": [{"role": "user", "content": f"Ask {HOSTILE}"}]}
    call = Call.objects.create(
        endpoint=endpoint, request_hash="b" * 64, model="m", request=request, answer=f"Raw {HOSTILE}", seconds=1
    )
    first.calls.add(call)
    text = read(rhea, "run", finished.pk, "?show=disagreeing")
    assert "Which numbers are odd?" in text
    assert "0.750" in text
    assert "Because &lt;script&gt;" in text
    address = reverse("run-call", args=[finished.pk, call.pk])
    assert address in text
    of_call = rhea.get(address).content.decode()
    assert "Raw &lt;script&gt;" in of_call
    assert "Ask &lt;script&gt;" in of_call
    assert HOSTILE not in text + of_call


@pytest.mark.django_db
def test_the_gold_of_an_irrelevant_sentence_is_that_of_its_facts():
    lives = make_dataset("lives", "factscore")
    response = make_response(lives, ["Ada wrote."], prompt="Ada", subject="amber")
    (fact,) = add_facts(response, [["Ada wrote."]], origin="model")
    add_gold(fact.segment, "irrelevant")
    evaluator = Evaluator.objects.create(name="judge", method="random")
    run = Run.objects.create(evaluator=evaluator, dataset=lives, state="finished")
    Prediction.objects.create(run=run, segment=fact.segment, fact=fact, value="supported")
    assert run.predictions.with_gold().get().gold == "irrelevant"
    assert run.predictions.disagreeing().count() == 1


def test_responses_come_in_pages(lab, rhea):
    for _ in range(9):
        make_response(lab)
    long = create_run(lab, "always-supported").run
    work_on(RunJob(), long.pk)
    # 12 responses of two units, ten a page.
    text = read(rhea, "run", long.pk, "?q=odd")
    assert "Page 1 of 2" in text
    assert f'href="{reverse("run", args=[long.pk])}?q=odd&amp;page=2#said"' in text
    assert read(rhea, "run", long.pk, "?page=2").count("<details><summary>") == 4


def test_an_old_heartbeat_is_no_worker(lab, rhea, run):
    Worker.objects.create(
        name="w", queue="long", started_at=timezone.now(), beat_at=timezone.now() - timedelta(minutes=10)
    )
    assert "No worker is running" in read(rhea, "run", run.pk)


def test_an_answer_stands_with_its_prompt_and_what_was_read_from_it(lab, model):
    rhea, run = client_of(lab, "researcher"), create_run(lab, "felm-segment", model="m").run
    work_on(RunJob(), run.pk)
    call = run.predictions.in_reading_order().last().calls.get()
    text = rhea.get(reverse("run-call", args=[run.pk, call.pk])).content.decode()
    assert "You check answers for factual errors" in text
    assert "ALL_CORRECT" in text
    assert escape(run.predictions.in_reading_order().last().segment.text) in text


def test_an_answer_of_another_run_is_not_shown(lab, rhea, finished, model):
    run = create_run(lab, "felm-segment", model="m").run
    work_on(RunJob(), run.pk)
    call = run.predictions.first().calls.get()
    assert rhea.get(reverse("run-call", args=[finished.pk, call.pk])).status_code == 404
