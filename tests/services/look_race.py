"""A process of its own for test_looks: people look, and settle, at once. Prints what came of it."""

import sys
from contextlib import suppress

import django

django.setup()


from annotate.judgements.judgement import UnitJudgement  # noqa: E402
from annotate.models import Adjudication, GoldLabel, SecondLook, SecondLookItem, SecondLookRating, User  # noqa: E402
from annotate.second_look.cases import cases_of  # noqa: E402
from annotate.second_look.look import look_at  # noqa: E402
from annotate.second_look.send import send  # noqa: E402
from annotate.second_look.settle import state_of, take, uphold  # noqa: E402
from ratings.errors import FullError, SettleError  # noqa: E402
from tests.factories import add_gold, make_dataset, make_person, make_response  # noqa: E402
from tests.services.race import race  # noqa: E402


def lookers(rounds: int) -> None:
    """Ada and Ben give the last look at a unit at once; then Dora takes it while Emil lets gold stand."""
    dataset = make_dataset("lookers")
    ada, ben, dora, emil = (make_person(name, dataset) for name in ("ada", "ben", "dora", "emil"))
    at_stake: list[SecondLookItem] = []

    def prepare() -> None:
        segment = make_response(dataset, ["One is odd."]).segments.get()
        add_gold(segment, "supported")
        dataset.refresh_from_db()
        at_stake[:] = send(dataset, [(segment.pk, None)], 1, 7, dataset.gold_revision, dora)

    def look(person: User) -> None:
        with suppress(FullError):
            look_at(at_stake[0], person, UnitJudgement("not_supported"))

    def settle(person: User) -> None:
        (case,) = cases_of(SecondLookItem.objects.filter(pk=at_stake[0].pk))
        with suppress(SettleError):
            if person == dora:
                take(case.item, case.looks[0].pk, "I looked it up.", dora, state_of(case))
            else:
                uphold(case.item, "Gold is right.", emil, state_of(case))

    race(rounds, prepare, lambda: look(ada), lambda: look(ben))

    def prepare_looked() -> None:
        prepare()
        look(ada)

    race(rounds, prepare_looked, lambda: settle(dora), lambda: settle(emil))


if __name__ == "__main__":
    lookers(int(sys.argv[1]))
    settled = SecondLookItem.objects.filter(settlement__isnull=False)
    changed = settled.filter(settlement__adjudication__isnull=False).count()
    in_force = GoldLabel.objects.current().filter(value="not_supported").count()
    print(SecondLook.objects.count(), SecondLookRating.objects.count(), settled.count())
    print("agree" if changed == in_force == Adjudication.objects.count() else (changed, in_force))
