"""A dataset whose gold three evaluators contradict at some units, and audits of it."""

from annotate.models import Dataset, SecondLookItem, Segment, User
from evaluators.audit.find import evaluators_of, units_of
from evaluators.audit.send import AuditDesign, send_audit
from evaluators.comparison.study import study_of
from evaluators.models import GoldAudit
from tests.annotate.second_look.work import look_at, make_units
from tests.evaluators.comparison.rows import add_run

LETTERS = {"supported": "S", "not_supported": "N"}
OTHER = {"S": "N", "N": "S"}


def make_audited(right: int = 20, wrong: int = 4) -> tuple[Dataset, list[Segment]]:
    """Of `right` units three evaluators say what gold says, of `wrong` more two or all three say the opposite; every
    second unit is an error in gold. The units come in this order."""
    values = ["not_supported" if place % 2 else "supported" for place in range(right + wrong)]
    dataset, units = make_units(values)
    gold = [LETTERS[value] for value in values]
    for number in range(3):
        said = [
            OTHER[letter] if place >= right and not (number == 2 and place % 2) else letter
            for place, letter in enumerate(gold)
        ]
        add_run(dataset, dict(zip(units, said, strict=True)), name=f"judge {number}")
    return dataset, units


def send_all(dataset: Dataset, least: int = 2, most: int = 100, controls: int = 4, wants: int = 1) -> GoldAudit:
    """Whatever the evaluators are worth, all of them are believed."""
    dataset.refresh_from_db()
    study = study_of(dataset, None)
    believed = evaluators_of(study)
    units = units_of(study, [each.judge for each in believed], wants)
    design = AuditDesign(least, most, controls, wants, seed=7)
    return send_audit(study, believed, units, design, User.objects.get(username="dora"))


def answer(audit: GoldAudit, otherwise: int, control: bool) -> list[SecondLookItem]:
    """Ada looks at all candidates, or at all controls, and contradicts gold at the first so many; these."""
    kind = [each for each in audit.items.order_by("item__position") if each.is_control == control]
    for place, each in enumerate(kind):
        value = OTHER[LETTERS[each.gold]] if place < otherwise else LETTERS[each.gold]
        look_at(each.item, "ada", {letter: word for word, letter in LETTERS.items()}[value])
    return [each.item for each in kind[:otherwise]]
