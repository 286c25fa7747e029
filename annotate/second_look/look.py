"""Looking: the next unit of a person, and the writing of their judgement."""

import random

from django import forms

from annotate.judgements.judgement import REASON_LIMIT, CitedReference, JudgementError, UnitJudgement, check_judgement
from annotate.models import Dataset, Irrelevance, SecondLookItem, SecondLookRating, User, Value
from annotate.models.second_look import SecondLookItemQuerySet
from core.errors import not_saved
from ratings.errors import RatingError
from ratings.forms import RatingForm
from ratings.rate import rate


class LookForm(RatingForm):
    """The judgement of a look; its reason is the look's note."""

    value = forms.ChoiceField(choices=Value.choices, error_messages={"required": "Choose a value."})
    error_type = forms.CharField(max_length=50, required=False)
    irrelevance = forms.ChoiceField(choices=Irrelevance.choices, required=False)
    reason = forms.CharField(max_length=REASON_LIMIT, required=False)
    links = forms.CharField(max_length=REASON_LIMIT, required=False)

    def judgement(self) -> UnitJudgement:
        """Raises RatingError."""
        answers = self.checked()
        links = tuple(CitedReference(line.strip()) for line in answers["links"].splitlines() if line.strip())
        # A type chosen before the value was changed is still in the form; it belongs to errors only.
        error_type = "" if answers["value"] == Value.SUPPORTED else answers["error_type"]
        return UnitJudgement(answers["value"], error_type, answers["reason"].strip(), links, answers["irrelevance"])

    @classmethod
    def stored(cls, look: SecondLookRating) -> dict[str, str]:
        value = Value.NOT_SUPPORTED if look.error_type else look.value
        kept = {"value": str(value), "error_type": look.error_type, "irrelevance": look.irrelevance}
        return {**kept, "reason": look.note, "links": "\n".join(look.links)}


def open_items(dataset: Dataset, person: User) -> SecondLookItemQuerySet:
    """The units that the person may look at and that lack a look."""
    return open_looks(person).of(dataset)


def open_looks(person: User) -> SecondLookItemQuerySet:
    """The same in every dataset."""
    return SecondLookItem.objects.visible().unjudged_by(person).left_for(person)


def next_item(dataset: Dataset, person: User) -> SecondLookItem | None:
    """The next unit in an order of the person's own: two people seldom meet at one. None: no unit is left."""
    keys = sorted(open_items(dataset, person).values_list("pk", flat=True))
    if not keys:
        return None
    first = min(keys, key=lambda key: random.Random(f"{person.pk} {key}").random())  # noqa: S311 - no secret
    return SecondLookItem.objects.for_page().get(pk=first)


def last_look(dataset: Dataset, person: User) -> SecondLookRating | None:
    """The person's last look, to be changed; None where there is none, or it is settled."""
    own = SecondLookRating.objects.filter(item__sample__dataset=dataset, rater=person).select_related("item")
    last = own.order_by("-pk").first()
    return None if last is None or last.item.is_closed() else last


def look_at(item: SecondLookItem, person: User, judgement: UnitJudgement) -> SecondLookRating:
    """Write the person's judgement, or change it while nobody has settled the unit. Raises RatingError, FullError."""
    try:
        checked = check_judgement(judgement, item.sample.dataset, whole_sentence=False)
    except JudgementError as error:
        raise RatingError(not_saved(error)) from error
    if not checked.value:
        raise RatingError("Choose a value.")
    look = SecondLookRating(
        value=checked.value,
        error_type=checked.error_type,
        irrelevance=checked.irrelevance,
        note=checked.reason,
        links=[reference.url for reference in checked.references],
    )
    return rate(item, person, look)
