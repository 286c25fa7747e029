"""Time worked is what was worked, whatever the rhythm of saves, the tabs, lost answers and times without a network."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from annotate.labels.active import MOST_INTERVALS, Worked, length, milliseconds, union, with_worked, worked_seconds
from annotate.models import Assignment

OPENED = datetime(2026, 5, 4, 9, tzinfo=UTC)
HOUR = 3_600_000


def opened() -> Assignment:
    return Assignment(opened_at=OPENED)


def at(after: int) -> datetime:
    return OPENED + timedelta(milliseconds=after)


def report(work: Assignment, worked: Worked, now: datetime) -> None:
    for name, value in with_worked(work, worked, now).items():
        setattr(work, name, value)


def intervals_of(*pairs: tuple[int, int], ahead: int = 0) -> list[tuple[int, int]]:
    start = milliseconds(OPENED) + ahead
    return [(start + one, start + other) for one, other in pairs]


class Computer:
    """Its pages know together how far its clock is ahead."""

    def __init__(self, ahead: int) -> None:
        self.ahead = ahead


class Page:
    """As the page's script: what no answer has confirmed is sent again; the answer corrects a wrong clock."""

    def __init__(self, computer: Computer) -> None:
        self.computer = computer
        self.unconfirmed: list[tuple[int, int]] = []

    def works(self, start: int, end: int) -> None:
        if start < end:
            self.unconfirmed.append((start, end))

    def saves(self, work: Assignment, now: int, latency: int, is_answered: bool) -> None:
        clock = milliseconds(at(now)) + self.computer.ahead
        worked = Worked(intervals_of(*self.unconfirmed, ahead=self.computer.ahead), clock)
        report(work, worked, at(now + latency))
        if is_answered:
            self.unconfirmed = []
            self.computer.ahead += worked.shift(at(now + latency))


@pytest.mark.parametrize("seed", range(100))
def test_an_hour_is_an_hour_in_any_rhythm(seed):
    """Saves every 0.2 to 90 s; some answers are lost; a second page takes turns; the computer's clock may be wrong;
    in some hours the network is away for ten minutes, or the computer sleeps."""
    draw = random.Random(seed)
    computer = Computer(ahead=draw.choice([0, 0, 500, -7_200_000, 90_000]))
    pages = [Page(computer), Page(computer)]
    work, longest = opened(), draw.choice([700, 5_000, 90_000])
    sleeps = draw.choice([0, 300_000])
    away = draw.choice([None, 1_000_000])
    now = worked = 0
    while now < HOUR:
        page = pages[draw.random() < 0.1]
        until = min(HOUR, now + draw.randint(200, longest))
        page.works(now, until)
        worked += until - now
        now = until
        if sleeps and now > HOUR / 2:
            now, sleeps = now + sleeps, 0
        if away is None or not away < now < away + 600_000:
            page.saves(work, now, draw.randint(1, 400), draw.random() < 0.9)
    for page in pages:
        page.saves(work, now + 1000, 5, is_answered=True)
    # A clock that is put right differs by the time that the request took.
    assert abs(work.active_seconds - worked / 1000) <= 1
    assert len(work.worked) <= MOST_INTERVALS


def test_what_is_reported_twice_or_by_two_pages_counts_once():
    work = opened()
    report(work, Worked(intervals_of((0, 10_000))), at(20_000))
    report(work, Worked(intervals_of((0, 10_000), (5_000, 12_500))), at(20_000))
    assert work.active_seconds == 12
    report(work, Worked(intervals_of((12_500, 13_000))), at(20_000))
    assert work.active_seconds == 13
    assert work.worked == intervals_of((0, 13_000))


def test_no_time_before_the_task_was_opened_or_after_now_counts():
    """Beyond the two seconds by which a page's clock may differ."""
    work = opened()
    report(work, Worked(intervals_of((-50_000, 5_000), (8_000, 90_000))), at(10_000))
    assert work.active_seconds == (2 + 5) + (2 + 2)
    never = Assignment()
    report(never, Worked(intervals_of((0, 5_000))), at(10_000))
    assert never.active_seconds == 0


def test_seconds_of_before_stay_and_new_ones_are_added():
    work = opened()
    work.active_seconds = 13
    report(work, Worked(intervals_of((0, 1_900))), at(10_000))
    report(work, Worked(intervals_of((2_000, 2_200))), at(10_000))
    assert work.active_seconds == 15


def test_a_program_reports_whole_seconds_until_now():
    work = opened()
    report(work, worked_seconds(5, at(7_000)), at(7_000))
    report(work, worked_seconds(4, at(9_000)), at(9_000))
    report(work, worked_seconds(0, at(9_000)), at(9_000))
    assert work.active_seconds == 7


def test_many_intervals_are_joined_and_none_of_their_time_is_lost():
    work = opened()
    pieces = intervals_of(*((second * 1000, second * 1000 + 250) for second in range(3 * MOST_INTERVALS)))
    for piece in pieces:
        report(work, Worked([piece]), at(3 * MOST_INTERVALS * 1000))
    assert work.active_seconds == length(union(pieces)) // 1000 == 3 * MOST_INTERVALS // 4
    assert len(work.worked) == MOST_INTERVALS
    assert work.worked[-1] == pieces[-1]
