"""Editors, their runs, edits, report and samples by the API."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Dataset, Role
from evaluators.editing.after import edited_responses
from evaluators.editing.export import export_pairs
from evaluators.methods import EDITORS
from evaluators.models import EditRating, EditSample, Run
from evaluators.runs.run_job import RunJob
from jobs.work import work_to_the_end
from ratings.rate import rate
from tests.api.conftest import ApiClient, client_of
from tests.evaluators.editing.work import RIDING, TWICE, make_lives, worked
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def lives() -> Dataset:
    return make_lives()


@pytest.fixture
def rhea(lives: Dataset) -> ApiClient:
    return client_of(make_person("rhea", lives, Role.RESEARCHER))


def test_editors_are_listed_with_their_parameters(rhea: ApiClient) -> None:
    editors = {each["name"]: each for each in rhea.get("editors/").json()}
    assert set(editors) == set(EDITORS)
    assert editors["edit-noise"]["parameters"]["share"]["default"] == 0.25


def test_an_editing_run_is_queued_followed_and_read(lives: Dataset, rhea: ApiClient) -> None:
    address = f"datasets/{lives.pk}/editing-runs/"
    made = rhea.post(address, {"method": "edit-copy", "parameters": {"sentences": "corrected"}})
    run = Run.objects.get()
    assert (made.status_code, made["Location"], run.edits) == (201, f"/api/v1/runs/{run.pk}/", True)
    assert rhea.post(address, {"method": "edit-copy", "parameters": {"sentences": "corrected"}}).status_code == 200
    work_to_the_end(RunJob(), run.pk)
    found = rhea.get(made["Location"]).json()
    assert (found["state"], found["progress"]["predicted"]) == ("finished", 2)
    first, second = rhea.get(found["edits"]).json()["results"]
    assert first == {
        "id": run.sentence_edits.get(segment__text=RIDING).pk,
        "index": "m/Ada",
        "subject": "m",
        "sentence": 0,
        "editor": "edit-copy",
        "state": "unchanged",
        "before": RIDING,
        "after": RIDING,
        "correction": "Ada bred right horses in Rome.",
        "facts": [
            {"text": "Ada bred wrong horses.", "supported": False},
            {"text": "Ada bred horses.", "supported": True},
        ],
        "accepted": None,
    }
    assert (second["before"], second["correction"]) == (TWICE, "")
    (listed,) = rhea.get(address).json()["results"]
    assert (listed["id"], listed["evaluator"], listed["done"]) == (run.pk, "edit-copy", 1)
    assert rhea.get(f"datasets/{lives.pk}/runs/").json()["results"] == []


def test_a_run_of_an_evaluator_has_no_edits(lives: Dataset, rhea: ApiClient) -> None:
    run = worked(lives, "always-supported")
    assert rhea.get(f"runs/{run.pk}/").json()["edits"] is None
    assert rhea.get(f"runs/{run.pk}/edits/").json()["results"] == []


@pytest.mark.parametrize(
    ("address", "method", "cause"),
    [
        ("editing-runs", "always-supported", "There is no editor 'always-supported'; there are edit-copy"),
        ("editing-runs", "edit-no-context", "edit-no-context needs a model."),
        ("runs", "edit-copy", "edit-copy is an editor: send it to editing-runs/."),
    ],
)
def test_a_run_that_cannot_be_says_why(lives: Dataset, rhea: ApiClient, address: str, method: str, cause: str) -> None:
    answer = rhea.post(f"datasets/{lives.pk}/{address}/", {"method": method})
    assert answer.status_code == 422
    assert cause in answer.json()["detail"]
    assert not Run.objects.exists()


def test_edits_are_narrowed_as_on_the_page(lives: Dataset, rhea: ApiClient, model: Any) -> None:
    run = worked(lives, "edit-no-context", "m")
    address = f"runs/{run.pk}/edits/"
    texts = [each["after"] for each in rhea.get(address).json()["results"]]
    assert texts == ["Ada bred right horses in Bath.", "She was right twice.", "Ben sang right songs."]
    corrected = rhea.get(address + "?show=corrected&fields=before,state").json()["results"]
    assert corrected == [{"before": RIDING, "state": "changed"}, {"before": TWICE, "state": "changed"}]
    assert rhea.get(address + "?show=unparsed").json()["results"] == []
    assert rhea.get(address + "?show=wrong").json()["errors"][0]["pointer"] == "/show"


def test_pages_of_edits_come_in_reading_order(lives: Dataset, rhea: ApiClient) -> None:
    run = worked(lives, "edit-copy", sentences="all")
    page, found = rhea.get(f"runs/{run.pk}/edits/?page_size=3").json(), []
    while page["next"]:
        found += page["results"]
        page = rhea.get(page["next"].removeprefix("http://testserver")).json()
    found += page["results"]
    assert [each["before"] for each in found] == [RIDING, TWICE, "She rode.", "Ben sang wrong songs."]


def test_whole_edits_are_the_lines_of_the_file(lives: Dataset, rhea: ApiClient, model: Any) -> None:
    run = worked(lives, "edit-no-context", "m", facts="gold")
    rows = [json.loads(line) for line in rhea.get(f"runs/{run.pk}/edits/?format=jsonl").getvalue().splitlines()]
    without_id = [{name: value for name, value in row.items() if name != "id"} for row in rows]
    assert without_id == [json.loads(line) for line in export_pairs(run)]


def test_edited_responses_are_the_file_for_a_second_dataset(lives: Dataset, rhea: ApiClient, model: Any) -> None:
    run = worked(lives, "edit-no-context", "m")
    lines = rhea.get(f"runs/{run.pk}/edited-responses/").getvalue().decode().splitlines()
    assert lines == list(edited_responses(run))
    assert json.loads(lines[1])["response"] == "Ben sang right songs."


def test_the_queries_of_edits_do_not_grow(lives: Dataset, rhea: ApiClient) -> None:
    run = worked(lives, "edit-copy", sentences="all")
    rhea.get("methods/")  # notes the use of the token, once a minute
    counts = []
    for size in (1, 4):
        with CaptureQueriesContext(connection) as queries:
            assert len(rhea.get(f"runs/{run.pk}/edits/?page_size={size}").json()["results"]) == size
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_report_is_the_document_of_the_command(lives: Dataset, rhea: ApiClient) -> None:
    address = f"datasets/{lives.pk}/editing-report/"
    assert rhea.get(address).json()["editors"] == []
    worked(lives, "edit-copy")
    worked(lives, "edit-noise")
    for query, options in (("", ()), ("?editor=edit-copy", ("--editor", "edit-copy"))):
        output = StringIO()
        call_command("report_edits", "lives", "--json", *options, stdout=output)
        assert rhea.get(address + query).json() == json.loads(output.getvalue())
    unknown = rhea.get(address + "?editor=nobody")
    assert (unknown.status_code, "no finished run of an editor 'nobody'" in unknown.json()["detail"]) == (422, True)


def test_support_before_and_after_wants_a_right_to_both_datasets(lives: Dataset, rhea: ApiClient) -> None:
    worked(lives, "edit-copy")
    address = f"datasets/{lives.pk}/editing-report/"
    [people] = rhea.get(f"{address}?after={lives.pk}").json()["support"]
    # Ada has 2 of 4 facts supported, Ben 0 of 1.
    assert (people["labels"], people["before"]["mean"], people["after"]["mean"]) == ("gold", 0.25, 0.25)
    assert rhea.get(f"{address}?after={make_dataset('other', scheme='factscore').pk}").status_code == 404


def test_a_sample_is_drawn_and_its_ratings_stay_hidden_until_all_are_in(
    lives: Dataset, rhea: ApiClient, model: Any
) -> None:
    run = worked(lives, "edit-no-context", "m")
    people = [make_person(name, lives, Role.RESEARCHER) for name in ("rob", "rita")]
    made = rhea.post(f"runs/{run.pk}/edit-samples/", {"size": 2, "seed": 7})
    sample = EditSample.objects.get()
    assert (made.status_code, made["Location"]) == (201, f"/api/v1/edit-samples/{sample.pk}/")
    assert (sample.size, sample.raters, sample.seed, sample.created_by.username) == (2, 2, 7, "rhea")
    first, second = sample.items.order_by("position")
    for person in people:
        rate(first, person, EditRating(accepted=True, new_error=False))
    (listed,) = rhea.get(f"runs/{run.pk}/edit-samples/").json()["results"]
    assert (listed["population"], listed["ratings"]) == (3, 2)
    found = rhea.get(made["Location"]).json()
    assert (found["ratings"], found["wanted"], found["results"]) == (2, 4, None)
    for person, accepted in zip(people, (True, False), strict=True):
        rate(second, person, EditRating(accepted=accepted, new_error=False))
    results = rhea.get(made["Location"]).json()["results"]
    # One edit is accepted by both, the other divides them: half of the two agree.
    assert (results["accepted"]["hits"], results["accepted"]["n"], results["unsettled"]) == (1, 1, 1)
    assert results["questions"][0]["agreement"]["percent"]["value"] == 0.5
    rows = rhea.get(f"runs/{run.pk}/edits/").json()["results"]
    assert {row["id"]: row["accepted"] for row in rows} == {
        key: True if key == first.edit_id else None for key in run.sentence_edits.values_list("pk", flat=True)
    }


def test_a_sample_of_more_than_there_is_is_not_drawn(lives: Dataset, rhea: ApiClient) -> None:
    run = worked(lives, "edit-copy")
    answer = rhea.post(f"runs/{run.pk}/edit-samples/", {"size": 1})
    assert answer.status_code == 422
    assert "edit-copy changed no sentence" in answer.json()["detail"]
    assert not EditSample.objects.exists()
