"""A process of its own for test_decisions: two adjudicators settle the same segment at once. Prints what came of it."""

import sys
from contextlib import suppress

import django

django.setup()


from annotate.adjudication.decide import DecidedMeanwhileError, decide  # noqa: E402
from annotate.models import Adjudication, GoldLabel, Segment  # noqa: E402
from tests.factories import add_gold, make_dataset, make_person, make_response  # noqa: E402
from tests.services.race import race  # noqa: E402


def deciders(rounds: int) -> None:
    """Dora and Emil overrule imported gold, neither knowing of the other."""
    dataset = make_dataset("deciders")
    people = make_person("dora"), make_person("emil")
    at_stake: list[Segment] = []

    def prepare() -> None:
        segment = make_response(dataset, ["One is odd."]).segments.get()
        add_gold(segment, "supported")
        at_stake[:] = [segment]

    def settle(person: int) -> None:
        with suppress(DecidedMeanwhileError):
            decide((at_stake[0].pk, None), people[person], value="not_supported", why="I looked it up.")

    race(rounds, prepare, lambda: settle(0), lambda: settle(1))


if __name__ == "__main__":
    deciders(int(sys.argv[1]))
    segments = Segment.objects.count()
    in_force = GoldLabel.objects.current().filter(source="adjudicated").count()
    print(segments, Adjudication.objects.count(), GoldLabel.objects.count(), in_force)
