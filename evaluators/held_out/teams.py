"""Teams of a board: added with a key, found by it, and shut out."""

from django.db import transaction
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from audit.models import Action
from audit.record import record
from core.errors import DataError
from core.secret_keys import hash_of_key
from evaluators.held_out.scoring import HIDDEN, PUBLIC, SplitResults, standing_of
from evaluators.held_out.split import new_key
from evaluators.models import BoardSubmission, BoardTeam, HeldOutBoard


@transaction.atomic
def add_team(request: HttpRequest, board: HeldOutBoard, name: str) -> tuple[BoardTeam, str]:
    """The team, and the path of its page with the key, which nothing can show again. DataError: the name is taken."""
    if board.teams.filter(name=name).exists():
        raise DataError("The board has a team of this name.")
    key = new_key()
    team: BoardTeam = board.teams.create(name=name, key_hash=hash_of_key(key))
    record(request, Action.TEAM_ADDED, team, detail=str(board))
    return team, f"{reverse('held-out')}?{urlencode({'key': key})}"


@transaction.atomic
def remove_team(request: HttpRequest, team: BoardTeam) -> bool:
    """Its key works no more, and it has no rank; its submissions stay. False if it was removed before."""
    removed = BoardTeam.objects.filter(pk=team.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())
    if removed:
        record(request, Action.TEAM_REMOVED, team, detail=str(team.board))
    return bool(removed)


def find_team(request: HttpRequest) -> BoardTeam | None:
    """The team whose key stands in the address; None alike for no key, an unknown and a revoked one."""
    teams = BoardTeam.objects.admitted().filter(board__dataset__ready=True)
    teams = teams.select_related("board__dataset", "board__version")
    return teams.filter(key_hash=hash_of_key(request.GET.get("key", ""))).first()


def is_team(request: HttpRequest) -> bool:
    return find_team(request) is not None


def fetch_team(request: HttpRequest) -> BoardTeam:
    team = find_team(request)
    if team is None:
        raise Http404("No such page.")
    return team


@transaction.atomic
def show_hidden(request: HttpRequest, board: HeldOutBoard) -> bool:
    """Rank the last submission of each team on the hidden split; no submission is taken from now on. False if they
    were shown before."""
    locked = HeldOutBoard.objects.select_for_update().get(pk=board.pk)
    if locked.shown_at is not None:
        return False
    locked.standing, locked.shown_at = standing_of(board), timezone.now()
    locked.save(update_fields=["standing", "shown_at"])
    record(request, Action.BOARD_SHOWN, board, detail=str(board.dataset))
    return True


def results_for_team(board: HeldOutBoard, submission: BoardSubmission) -> dict[str, SplitResults | None]:
    """What a team may see of its own submission: of the hidden split nothing until it is shown."""
    return {PUBLIC: submission.results[PUBLIC], HIDDEN: submission.results[HIDDEN] if board.shown_at else None}
