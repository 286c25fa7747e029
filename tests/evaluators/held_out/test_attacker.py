"""What a team could learn of hidden gold, asked in every way that it has."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, GoldLabel
from core.caching import memory
from evaluators.models import BoardSubmission, HeldOutBoard, SharedComparison
from tests.annotate.blindness.walk import WAYS, paths
from tests.evaluators.held_out.work import add_team, adjudicator_of, make_lab, open_board, predictions, send

pytestmark = pytest.mark.django_db
PAGES = ("held-out", "held-out-units", "held-out-submissions")


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
    return open_board(dora, dataset, daily=20)


@pytest.fixture
def key(dora, board) -> str:
    return add_team(dora, board)


def seen(key: str) -> list[str]:
    """Everything that the team is shown, but for times and tokens."""
    answers = [Client().get(f"{reverse(name)}?key={key}") for name in PAGES]
    return [plain(b"".join(answer).decode()) for answer in answers]


def plain(text: str) -> str:
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|<time.*?</time>', "", text, flags=re.DOTALL)
    return re.sub(r'"(at|next_at)": "[^"]+"', "", text)


def turn_hidden_gold(board: HeldOutBoard) -> None:
    """Every hidden error becomes correct, and the other way round."""
    for label in GoldLabel.objects.filter(segment__response__prompt__in=board.hidden):
        right = label.value == "supported"
        label.value, label.error_type = ("not_supported", "knowledge_error") if right else ("supported", "")
        label.save()
    memory.clear()


def attempts(dataset: Dataset) -> list[list[dict] | bytes]:
    """Files that try to learn a label: good ones, single units, guesses by text, gaps, doubled rows, nonsense."""
    rows = predictions(dataset)
    return [
        rows,
        [{**row, "value": "irrelevant"} for row in rows],
        rows[:1],
        [{**row, "value": row["value"] if place == 0 else None} for place, row in enumerate(rows)],
        rows[:-1],
        [*rows, rows[0]],
        [*rows, {"index": "0", "segment": 7, "value": "supported"}],
        [{"text": "Wrong 0.", "value": "supported"}],
        [{**rows[0], "text": "Right."}, *rows[1:]],
        b"nonsense",
        b"",
    ]


def test_nothing_that_a_team_is_told_depends_on_hidden_gold(dataset, board, key):
    def learnt() -> list[str]:
        answers = [plain(send(key, each).text) for each in attempts(dataset)]
        everything = [*answers, *seen(key)]
        BoardSubmission.objects.all().delete()
        return everything

    before = learnt()
    hidden = [each.results["hidden"] for each in BoardSubmission.objects.all()]
    turn_hidden_gold(board)
    assert learnt() == before
    assert hidden == []


def test_the_walk_above_sees_public_gold(dataset, board, key):
    """The control of the test before: turned public gold moves what is told."""
    before = plain(send(key, predictions(dataset)).text)
    board.hidden, board.public = board.public, board.hidden
    turn_hidden_gold(board)
    assert plain(send(key, predictions(dataset)).text) != before


def test_another_answer_on_a_hidden_unit_moves_nothing_that_is_told(dataset, board, key):
    first, second = (send(key, predictions(dataset, missed)).json() for missed in ((), board.hidden))

    assert first["public"] == second["public"]
    assert first["hidden"] is second["hidden"] is None


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (slice(0, 1), "has a prediction for 1 of 80 units, and all are needed"),
        (slice(0, 79), "has a prediction for 79 of 80 units, and all are needed"),
    ],
)
def test_a_label_cannot_be_probed_by_a_part_of_the_units(dataset, key, rows, why):
    answer = send(key, predictions(dataset)[rows])

    assert answer.status_code == 422
    assert why in answer.text
    assert not BoardSubmission.objects.exists()


def test_nor_by_leaving_the_others_undecided(dataset, key):
    rows = [{**row, "value": None} for row in predictions(dataset)]
    rows[0]["value"] = "not_supported"
    answer = send(key, rows)

    assert answer.status_code == 422
    assert "decides 1 of 80 units; a value for 95 % is needed" in answer.text


def test_neither_counts_nor_figures_of_all_units_are_told(dataset, board, key):
    """With the public figures those of all units would tell the hidden ones."""
    answer = send(key, predictions(dataset)).json()

    assert set(answer) == {"system", "file_hash", "at", "public", "hidden"}
    assert set(answer["public"]) == {"n", "coverage", "unranked", "figures"}
    assert all(set(each) == {"value", "interval", "why", "withheld"} for each in answer["public"]["figures"].values())
    assert not {"tp", "fn", "seed"} & set(re.findall(r"\w+", " ".join(seen(key))))


def test_a_key_opens_its_own_board_and_nothing_else(dora, dataset, board, key):
    """Every address of the site with the key, in every way: the log-in, or nothing there."""
    other = make_lab("other")
    adjudicator = adjudicator_of(other)
    other_key = add_team(adjudicator, open_board(adjudicator, other))
    client = Client()
    for address, path in paths():
        if address.name in PAGES or not address.route.startswith(
            ("datasets", "boards", "runs", "shared", "leaderboards")
        ):
            continue
        for method, sent in WAYS.values():
            answer = getattr(client, method)(f"{path}?key={key}", **sent)
            assert answer.status_code in (302, 404, 405, 403), path
            if answer.status_code == 302:
                assert "/login/" in answer["Location"]
    mine = seen(key)
    assert "other" not in " ".join(mine)
    send(other_key, predictions(other), "other-system")
    assert seen(key) == mine


def test_an_unknown_and_a_revoked_key_are_answered_alike(dora, dataset, board, key):
    dora.post(reverse("team-remove", args=[board.pk, board.teams.get().pk]))
    for name in PAGES:
        for method in ("get", "post"):
            answers = [getattr(Client(), method)(f"{reverse(name)}?key={each}") for each in (key, "x" * 43, "")]
            assert {answer.status_code for answer in answers} <= {404, 405}
            assert len({re.sub(r'"X-CSRFToken": "\w*"', "", answer.text) for answer in answers}) == 1
    assert send(key, predictions(dataset)).status_code == 404


def test_without_a_key_no_large_body_is_read(dataset, key):
    large = b"x" * 100_000

    def status(query: str) -> int:
        sent = {"system": "s", "file": SimpleUploadedFile("sent.jsonl", large)}
        return Client().post(f"{reverse('held-out-submissions')}?key={query}", sent).status_code

    assert status(key) == 422
    assert status("unknown") == 413


def test_an_archived_dataset_takes_nothing(dataset, key):
    Dataset.objects.update(archived_at="2026-01-01T00:00Z")
    assert send(key, predictions(dataset)).status_code == 404


def test_the_pages_are_in_no_index(key):
    for name in PAGES:
        answer = Client().get(f"{reverse(name)}?key={key}")
        assert answer.headers["X-Robots-Tag"].startswith("noindex")
        assert answer.headers["Referrer-Policy"] == "same-origin"


def test_the_key_is_stored_nowhere(board, key):
    team = board.teams.get()
    assert key not in {str(value) for value in vars(team).values()}


def test_texts_with_gold_are_not_public_while_a_board_holds_gold_out(dora, dataset, board):
    dora.post(reverse("shares", args=[dataset.pk]), {"title": "All", "texts": "on"})
    assert SharedComparison.objects.get().units is None

    dora.post(reverse("board-show", args=[board.pk]))
    dora.post(reverse("shares", args=[dataset.pk]), {"title": "All", "texts": "on"})
    assert SharedComparison.objects.latest("pk").units is not None
    sent = {"title": "Second", "version": "v1", "hidden": 50, "daily": 1}
    answer = dora.post(reverse("boards", args=[dataset.pk]), sent)
    assert answer.status_code == 422
    assert "A public link of this dataset shows texts with gold." in answer.text
