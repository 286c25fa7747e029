"""A held-out board from its opening to its ranks."""

import csv
import io
import json
from datetime import timedelta

import pyarrow
import pyarrow.parquet
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset
from audit.models import AuditEntry
from core.caching import memory
from evaluators.models import BoardSubmission, HeldOutBoard, Run
from tests.evaluators.held_out.work import (
    PROMPTS,
    add_team,
    adjudicator_of,
    make_lab,
    open_board,
    predictions,
    prompts_of,
    send,
)
from tests.factories import add_facts, add_gold, make_dataset, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    memory.clear()


@pytest.fixture
def dataset() -> Dataset:
    return make_lab()


@pytest.fixture
def dora(dataset) -> Client:
    return adjudicator_of(dataset)


@pytest.fixture
def board(dora, dataset) -> HeldOutBoard:
    return open_board(dora, dataset)


@pytest.fixture
def key(dora, board) -> str:
    return add_team(dora, board)


def test_the_split_parts_prompts_by_a_seed(dora, dataset, board):
    assert sorted([*board.hidden, *board.public]) == prompts_of(dataset)
    assert len(board.hidden) == len(board.public) == PROMPTS / 2

    assert open_board(dora, dataset).hidden == board.hidden
    assert open_board(dora, dataset, seed=8).hidden != board.hidden
    assert len(open_board(dora, dataset, hidden=25).hidden) == PROMPTS / 4


def test_the_split_takes_its_share_of_every_domain(dora):
    dataset = make_lab("mixed")
    dataset.responses.filter(position__lt=10).first()
    for response in dataset.responses.filter(position__lt=10).select_related("prompt"):
        response.prompt.domain = "science"
        response.prompt.save()
    board = open_board(adjudicator_of(dataset), dataset)
    in_science = set(dataset.responses.filter(prompt__domain="science").values_list("prompt", flat=True))
    assert len(in_science & {*board.hidden}) == 5


def test_a_split_with_too_few_errors_is_not_opened(dora, dataset):
    sent = {"title": "Small", "version": "v1", "hidden": 10, "daily": 1}
    answer = dora.post(reverse("boards", args=[dataset.pk]), sent)

    assert answer.status_code == 422
    assert "The hidden split would have 4 prompts with an error. Intervals need 8." in answer.text
    assert not HeldOutBoard.objects.exists()


def test_the_units_are_handed_out_without_gold(dataset, key):
    answer = Client().get(f"{reverse('held-out-units')}?key={key}")
    lines = [json.loads(line) for line in answer.getvalue().splitlines()]

    assert len(lines) == 2 * PROMPTS
    assert lines[0] == {
        "index": "0",
        "segment": 0,
        "fact": None,
        "text": "Wrong 0.",
        "prompt": "Which numbers are odd?",
        "response": "Wrong 0. Right.",
        "domain": "math",
        "topic": "Which numbers are odd?",
        "subject": "",
    }


def test_a_submission_is_scored_on_both_splits_and_answered_by_the_public_one(dataset, board, key):
    """Of the 20 public errors 5 are missed: 2 · 15 / (2 · 15 + 5) = 6/7. Of the hidden ones 10: 2 · 10 / 30 = 2/3."""
    answer = send(key, predictions(dataset, [*board.public[:5], *board.hidden[:10]]))

    assert answer.status_code == 201
    sent = answer.json()
    assert sent["hidden"] is None
    figures = sent["public"]["figures"]
    assert (sent["public"]["n"], figures["f1"]["value"]) == (40, pytest.approx(6 / 7))
    assert (figures["precision"]["value"], figures["recall"]["value"]) == (1, 0.75)
    low, high = figures["f1"]["interval"]
    assert low < 6 / 7 < high
    stored = BoardSubmission.objects.get().results
    assert stored["hidden"]["figures"]["f1"]["value"] == pytest.approx(2 / 3)
    assert set(stored) == {"hidden", "public"}
    assert AuditEntry.objects.filter(action="submitted", detail="Which is wrong?").count() == 1
    # It is no run of the dataset.
    assert not Run.objects.exists()


def test_undecided_units_count_as_wrong(dataset, board, key):
    """One public error without an answer: 2 · 19 / (2 · 19 + 1)."""
    rows = predictions(dataset)
    of_public = dataset.responses.filter(prompt=board.public[0]).get()
    next(row for row in rows if row["index"] == of_public.index)["value"] = None

    assert send(key, rows).json()["public"]["figures"]["f1"]["value"] == pytest.approx(38 / 39)


def test_csv_and_parquet_are_taken_as_everywhere(dataset, board, key, dora):
    rows = predictions(dataset)
    text = io.StringIO()
    writer = csv.DictWriter(text, ["index", "segment", "value"])
    writer.writeheader()
    writer.writerows(rows)
    parquet = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), parquet)

    for name, content in (("sent.csv", text.getvalue().encode()), ("sent.parquet", parquet.getvalue())):
        answer = send(key, content, name=name)
        assert answer.json()["public"]["figures"]["f1"]["value"] == 1, answer.text


def test_the_last_submission_of_each_team_is_ranked_when_the_adjudicator_says_so(dora, dataset, board, key):
    """Heron sends a worse one last: of 20 hidden errors it misses 2, 2 · 18 / 38; Ibis misses 16, 2 · 4 / 24; Jay as
    Heron, so that they share their ranks."""
    others = {name: add_team(dora, board, name) for name in ("Ibis", "Jay", "Kite")}
    send(key, predictions(dataset))
    send(key, predictions(dataset, board.hidden[:2]), "heron-2")
    send(others["Ibis"], predictions(dataset, board.hidden[:16]), "ibis-1")
    send(others["Jay"], predictions(dataset, board.hidden[2:4]), "jay-1")
    send(others["Kite"], predictions(dataset), "kite-1")
    page = Client().get(f"{reverse('held-out')}?key={key}").text
    assert "Ibis" not in page
    assert "Ranks on the hidden split" not in page

    kite = board.teams.get(name="Kite")
    dora.post(reverse("team-remove", args=[board.pk, kite.pk]))
    assert dora.post(reverse("board-show", args=[board.pk])).status_code == 302

    board.refresh_from_db()
    ranked = {row["team"]: (row["system"], row["rank"], row["ranks"]) for row in board.standing}
    assert ranked == {"Heron": ("heron-2", 1, [1, 2]), "Jay": ("jay-1", 1, [1, 2]), "Ibis": ("ibis-1", 3, [3, 3])}
    values = {row["team"]: row["hidden"]["figures"]["f1"]["value"] for row in board.standing}
    assert values == {"Heron": pytest.approx(36 / 38), "Jay": pytest.approx(36 / 38), "Ibis": pytest.approx(8 / 24)}
    page = squeezed(Client().get(f"{reverse('held-out')}?key={key}").text)
    assert "Ranks on the hidden split" in page
    assert "0.947" in page
    own = Client().get(f"{reverse('held-out-submissions')}?key={key}").json()
    assert [each["hidden"]["figures"]["f1"]["value"] for each in own["submissions"]] == [pytest.approx(36 / 38), 1]


def test_after_the_ranks_nothing_is_taken(dora, dataset, board, key):
    dora.post(reverse("board-show", args=[board.pk]))
    answer = send(key, predictions(dataset))

    assert answer.status_code == 422
    assert "takes no submission any more" in answer.text
    assert not BoardSubmission.objects.exists()
    shown_at = HeldOutBoard.objects.get().shown_at
    dora.post(reverse("board-show", args=[board.pk]))
    assert HeldOutBoard.objects.get().shown_at == shown_at


def test_a_team_submits_so_often_within_24_hours(dataset, board, key):
    for _ in range(2):
        assert send(key, predictions(dataset)).status_code == 201
    answer = send(key, predictions(dataset))
    assert answer.status_code == 422
    assert "Within 24 hours 2 submissions are taken." in answer.text
    assert "Submit</button>" not in Client().get(f"{reverse('held-out')}?key={key}").text

    first = BoardSubmission.objects.earliest("pk")
    BoardSubmission.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(hours=24, seconds=1))
    assert send(key, predictions(dataset)).status_code == 201
    assert send(key, predictions(dataset)).status_code == 422


def test_what_is_refused_does_not_count(dataset, board, key):
    for _ in range(5):
        assert send(key, predictions(dataset)[:3]).status_code == 422
    assert send(key, predictions(dataset)).status_code == 201


def test_the_page_takes_a_file_too_and_lists_own_submissions(dataset, board, key):
    page = Client(enforce_csrf_checks=True)
    address = f"{reverse('held-out')}?key={key}"
    page.get(address)
    content = "".join(f"{json.dumps(row)}\n" for row in predictions(dataset)).encode()

    def submit(**fields):
        sent = {"system": "heron-1", "file": SimpleUploadedFile("sent.jsonl", content), **fields}
        return page.post(address, sent)

    assert submit().status_code == 403
    answer = submit(csrfmiddlewaretoken=page.cookies["csrftoken"].value)
    assert (answer.status_code, answer["Location"]) == (302, address)
    text = squeezed(page.get(address).text)
    assert "heron-1" in text
    assert "1.000" in text


def test_units_and_gold_that_come_later_change_nothing(dora, dataset, board, key):
    prompt = dataset.responses.first().prompt
    late = make_response(dataset, ["Late."], prompt=prompt)
    imported = late.imported
    imported.pk, imported.file_name, imported.finished_at = None, "late.jsonl", timezone.now()
    imported.save()
    late.imported = imported
    late.save()
    for segment in dataset.responses.get(prompt=board.public[0]).segments.all():
        label = segment.gold.get()
        label.superseded = dataset.next_gold_revision()
        label.save()
        add_gold(segment, "supported")
    rows = [row for row in predictions(dataset) if row["index"] != late.index]

    answer = send(key, rows)
    assert answer.json()["public"]["figures"]["f1"]["value"] == 1


def test_more_submissions_and_teams_take_no_more_queries(dora, dataset, board, key):
    def queries(client: Client, address: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address).status_code == 200
        return len(asked)

    pages = [(dora, reverse("board", args=[board.pk])), (Client(), f"{reverse('held-out')}?key={key}")]
    send(key, predictions(dataset))
    before = [queries(*page) for page in pages]
    for name in ("Ibis", "Jay"):
        send(add_team(dora, board, name), predictions(dataset))
    send(key, predictions(dataset))
    assert [queries(*page) for page in pages] == before


def test_facts_are_judged_where_the_dataset_has_them():
    """Twenty lives of a wrong and a right fact, and in the first a sentence that is irrelevant as a whole: its facts
    are handed out, so that nobody sees that it is, and count in no figure."""
    lives = make_dataset("lives", "factscore")
    for number in range(20):
        texts = ["A life."] if number else ["A life.", "An aside."]
        response = make_response(lives, texts, prompt=f"Life {number}", subject="model")
        wrong, right, *_ = add_facts(response, [["Wrong.", "Right."], *[["Aside."]] * (len(texts) - 1)])
        add_gold(wrong, "not_supported")
        add_gold(right, "supported")
        if not number:
            add_gold(response.segments.all()[1], "irrelevant")
    lives.refresh_from_db()
    freeze_gold(lives, "v1")
    dora = adjudicator_of(lives)
    key = add_team(dora, open_board(dora, lives))
    answer = Client().get(f"{reverse('held-out-units')}?key={key}")
    units = [json.loads(line) for line in answer.getvalue().splitlines()]
    assert [(unit["segment"], unit["fact"], unit["text"]) for unit in units[:3]] == [
        (0, 0, "Wrong."),
        (0, 1, "Right."),
        (1, 0, "Aside."),
    ]
    assert "irrelevant" not in json.dumps(units)

    rows = [
        {**{name: unit[name] for name in ("index", "segment", "fact")}, "value": value}
        for unit in units
        for value in ["not_supported" if unit["text"] == "Wrong." else "supported"]
    ]
    results = send(key, rows).json()["public"]
    assert (results["n"], results["figures"]["f1"]["value"]) == (20, 1)


def test_names_of_figures_link_to_their_definitions(dora, dataset, board, key):
    send(key, predictions(dataset))
    check_figure_names(dora.get(reverse("board", args=[board.pk])).text, "F1, public", "F1, hidden")
    dora.post(reverse("board-show", args=[board.pk]))
    team = Client().get(f"{reverse('held-out')}?key={key}").text
    check_figure_names(team, "Ranks", "F1, hidden", "Balanced accuracy")
