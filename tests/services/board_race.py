"""A process of its own for test_boards: a team sends at the same time, and while the hidden ranks are made.

Prints what came of each race.
"""

import json
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import django

django.setup()

from django.contrib.auth.models import AnonymousUser  # noqa: E402
from django.http import HttpRequest  # noqa: E402
from django.test import RequestFactory  # noqa: E402

from core.errors import DataError  # noqa: E402
from evaluators.held_out.submit import submit  # noqa: E402
from evaluators.held_out.teams import show_hidden  # noqa: E402
from evaluators.models import BoardSubmission, BoardTeam, HeldOutBoard  # noqa: E402
from tests.evaluators.held_out.work import make_lab, predictions, prompts_of  # noqa: E402
from tests.services.race import race  # noqa: E402

AT_ONCE = 3


def asked() -> HttpRequest:
    request = RequestFactory().post("/held-out/")
    request.user = AnonymousUser()
    return request


def main(rounds: int) -> None:
    dataset = make_lab()
    version, prompts = dataset.gold_versions.get(), prompts_of(dataset)
    file = Path(tempfile.mkdtemp(), "sent.jsonl")
    file.write_text("".join(f"{json.dumps(row)}\n" for row in predictions(dataset)))
    newest: list[BoardTeam] = []

    def prepare() -> None:
        board = HeldOutBoard.objects.create(
            dataset=dataset, version=version, title="b", seed=1, hidden=prompts[::2], public=prompts[1::2], daily=1
        )
        newest[:] = [board.teams.create(name="t", key_hash=f"{board.pk:064d}")]

    def send() -> None:
        team = BoardTeam.objects.select_related("board__dataset", "board__version").get(pk=newest[0].pk)
        with suppress(DataError):
            submit(asked(), team, file, "system")

    race(rounds, prepare, *[send] * AT_ONCE)
    print("submitting", BoardSubmission.objects.count())

    race(rounds, prepare, send, lambda: show_hidden(asked(), newest[0].board) and None)
    shown = HeldOutBoard.objects.filter(shown_at__isnull=False)
    unranked = [
        board for board in shown if len(board.standing) != BoardSubmission.objects.filter(team__board=board).count()
    ]
    print("showing", shown.count(), len(unranked))


if __name__ == "__main__":
    main(int(sys.argv[1]))
