"""A process of its own for test_settling: a task is settled, signed, challenged in two ways at the same instant.

    python -m tests.services.settling_race RACE ROUNDS

Prints each way in which a round ended, once, one a line.
"""

import sys
from collections.abc import Callable

import django

django.setup()


from annotate.adjudication.decide import DecisionError, decide  # noqa: E402
from annotate.adjudication.sign import sign  # noqa: E402
from annotate.adjudication.unanimous import accept_unanimous  # noqa: E402
from annotate.cases.addresses import last_decision  # noqa: E402
from annotate.feedback.challenge import ChallengeError, challenge, decline, uphold  # noqa: E402
from annotate.models import Challenge, GoldLabel, Response, ReviewPolicy, Segment, User  # noqa: E402
from tests.annotate.adjudication.work import judge, make_task  # noqa: E402
from tests.factories import make_dataset, make_person, make_response  # noqa: E402
from tests.services.race import race  # noqa: E402


class Round:
    """A task on which Ada and Ben agree about the first segment and not about the second. Dora and Emil adjudicate."""

    def __init__(self, review: str) -> None:
        self.dataset = make_dataset("settling")
        self.dataset.review = review
        self.dataset.save()
        self.dora, self.emil = make_person("dora"), make_person("emil")
        self.ended: set[str] = set()
        self.now: list[str] = []

    def prepare(self) -> None:
        self.look()
        self.response: Response = make_response(self.dataset)
        task = make_task(self.response)
        self.one, self.two = self.response.segments.all()
        self.ada = judge(task, "ada", {self.one: "supported", self.two: "supported"})
        judge(task, "ben", {self.one: "supported", self.two: "not_supported"})
        self.now = ["", ""]

    def prepare_settled(self) -> None:
        """The second segment is settled, against Ada."""
        self.prepare()
        self.decide(self.dora, self.two, "not_supported")

    def prepare_closed(self) -> None:
        self.prepare_settled()
        accept_unanimous(self.dataset, self.dora, "Read it.")

    def prepare_challenged(self) -> None:
        """Ada's challenge waits, and Dora has decided anew in her favour."""
        self.prepare_closed()
        self.challenge(0)
        self.decide(self.dora, self.two, "supported")
        self.now = ["", ""]

    def decide(self, who: User, segment: Segment, value: str) -> None:
        last = last_decision((segment.pk, None))
        decide((segment.pk, None), who, value, why="I looked it up.", seen=last.pk if last else None)

    def overrule(self, place: int) -> None:
        self.decide(self.emil, self.two, "supported")
        self.now[place] = "overruled"

    def settle(self, place: int) -> None:
        """Each of the two adjudicators has one of the two segments."""
        self.decide((self.dora, self.emil)[place], (self.one, self.two)[place], "supported")
        self.now[place] = "settled"

    def sign(self, place: int) -> None:
        try:
            sign(self.response.pk, "reviewer", (self.dora, self.emil)[place], "Read it.")
            self.now[place] = "signed"
        except DecisionError as error:
            self.now[place] = str(error)

    def challenge(self, place: int) -> None:
        try:
            challenge(self.ada, self.two.pk, None, "Two can be odd.")
            self.now[place] = "challenged"
        except ChallengeError:
            self.now[place] = "nothing to challenge"

    def answer(self, place: int) -> None:
        answer, word = ((uphold, "upheld"), (decline, "declined"))[place]
        try:
            answer(Challenge.objects.get(segment=self.two), (self.dora, self.emil)[place], word)
            self.now[place] = word
        except ChallengeError:
            self.now[place] = "answered already"

    def look(self) -> None:
        """What came of the last round."""
        if self.now:
            self.ended.add("; ".join([*self.now, *self._task(), *self._challenge()]))

    def _task(self) -> list[str]:
        closed = self.dataset.tasks.filter(pk=self.ada.task_id, closed_at__isnull=False).exists()
        gold = GoldLabel.objects.current().filter(segment__response=self.response).count()
        signatures = self.response.signatures.order_by("pk").values_list("withdrawn_at", flat=True)
        return [
            "closed" if closed else "open",
            f"{gold} gold",
            *("in force" if withdrawn is None else "withdrawn" for withdrawn in signatures),
        ]

    def _challenge(self) -> list[str]:
        said = Challenge.objects.filter(segment=self.two).first()
        decision = last_decision((self.two.pk, None))
        if said is None or decision is None:
            return []
        return [said.state, "decided since" if decision.created_at > said.created_at else "decided before"]


Move = Callable[[int], None]


def races(name: str) -> tuple[Round, Callable[[], None], Move, Move]:
    """What comes first, and the two moves."""
    policy = ReviewPolicy.REVIEWER if name.startswith("sign") else ReviewPolicy.BULK
    round = Round(policy)
    return {
        "settle-settle": (round, round.prepare, round.settle, round.settle),
        "sign-sign": (round, round.prepare_settled, round.sign, round.sign),
        "sign-overrule": (round, round.prepare_settled, round.sign, round.overrule),
        "challenge-challenge": (round, round.prepare_closed, round.challenge, round.challenge),
        "challenge-overrule": (round, round.prepare_closed, round.challenge, round.overrule),
        "answer-answer": (round, round.prepare_challenged, round.answer, round.answer),
    }[name]


if __name__ == "__main__":
    round, prepare, first, second = races(sys.argv[1])
    race(int(sys.argv[2]), prepare, lambda: first(0), lambda: second(1))
    round.look()
    print("\n".join(sorted(round.ended)))
