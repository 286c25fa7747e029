"""Units sent to a second look, in the fewest words. Ada, Ben and Cleo annotate, Dora sends and settles."""

from collections.abc import Sequence

from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.models import Dataset, Role, SecondLookItem, SecondLookRating, Segment, User
from annotate.second_look.cases import LookCase, cases_of
from annotate.second_look.look import look_at as take_judgement
from annotate.second_look.send import send
from tests.factories import add_gold, make_dataset, make_person, make_response


def make_units(values: Sequence[str], people: Sequence[str] = ("ada", "ben", "cleo")) -> tuple[Dataset, list[Segment]]:
    """A dataset with a segment in a prompt of its own for each value of gold."""
    dataset = make_dataset()
    for name in people:
        make_person(name, dataset)
    make_person("dora", dataset, Role.ADJUDICATOR)
    units = []
    for place, value in enumerate(values):
        segment = make_response(dataset, [f"{place} is odd."], prompt=f"Is {place} odd?").segments.get()
        add_gold(segment, value)
        units.append(segment)
    dataset.refresh_from_db()
    return dataset, units


def send_all(dataset: Dataset, units: Sequence[Segment], wants: int = 1) -> list[SecondLookItem]:
    dora = User.objects.get(username="dora")
    dataset.refresh_from_db()
    return send(dataset, [(unit.pk, None) for unit in units], wants, 7, dataset.gold_revision, dora)


def look_at(item: SecondLookItem, name: str, value: str, reason: str = "", link: str = "") -> SecondLookRating:
    links = (CitedReference(link),) if link else ()
    return take_judgement(item, User.objects.get(username=name), UnitJudgement(value, reason=reason, references=links))


def case_of(item: SecondLookItem) -> LookCase:
    (case,) = cases_of(SecondLookItem.objects.filter(pk=item.pk))
    return case
