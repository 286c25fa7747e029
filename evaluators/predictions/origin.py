"""What whoever imports predictions says about where they come from."""

from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction

from core.errors import DataError
from evaluators.models import Evaluator, Run
from evaluators.runs.build import RunError
from evaluators.runs.create import LONGEST_NAME
from evaluators.runs.listing import ORIGIN

LONGEST_LINK, LONGEST_PAPER = 500, 500
MOST_DOLLARS = 10_000_000


@dataclass(frozen=True)
class Origin:
    """model: the language model that judged. cost_usd: the price of all predictions together, None where it is not
    known. made_on: the day on which they were made, in ISO 8601. link: to code or data. paper: a citation, DOI or
    address. "" where nothing is said."""

    model: str = ""
    cost_usd: float | None = None
    made_on: str = ""
    link: str = ""
    paper: str = ""

    @property
    def is_said(self) -> bool:
        return self != Origin()


NOTHING_SAID = Origin()


def check_origin(origin: Origin) -> None:
    """Raises DataError."""
    if len(origin.model) > LONGEST_NAME:
        raise DataError(f"model has at most {LONGEST_NAME} characters.")
    if origin.cost_usd is not None and not 0 <= origin.cost_usd <= MOST_DOLLARS:
        raise DataError(f"cost_usd is {origin.cost_usd}; it must be from 0 to {MOST_DOLLARS:,}.")
    try:
        date.fromisoformat(origin.made_on or "2000-01-01")
    except ValueError:
        raise DataError(f"date is {origin.made_on[:40]!r}; write it as 2026-01-31.") from None
    try:
        URLValidator(schemes=["http", "https"])(origin.link or "https://example.org/")
    except ValidationError:
        raise DataError(f"link is {origin.link[:80]!r}; it must begin with https:// or http://.") from None
    if len(origin.link) > LONGEST_LINK or len(origin.paper) > LONGEST_PAPER:
        raise DataError(f"link has at most {LONGEST_LINK} characters, paper {LONGEST_PAPER}.")


def origin_of(run: Run) -> Origin:
    """What is said of an imported run; nothing of another one."""
    if run.evaluator.method != Evaluator.IMPORTED:
        return NOTHING_SAID
    return replace(Origin(**run.manifest.get(ORIGIN, {})), model=run.evaluator.model)


def add_origin(run: Run, origin: Origin) -> None:
    """Add to what is said of an imported run: what the new one leaves out stays. Raises DataError, and RunError where
    it names another model than the run has."""
    before = origin_of(run)
    if origin.model and before.model and origin.model != before.model:
        raise RunError(
            f"The evaluator {run.evaluator.name!r} exists with another model ({before.model}, not {origin.model}): "
            "give this one a name of its own."
        )
    said = {name: value for name, value in asdict(origin).items() if value not in ("", None)}
    set_origin(run, replace(before, **said))


@transaction.atomic
def set_origin(run: Run, origin: Origin) -> None:
    """Let this be all that is said of an imported run. Raises DataError, and RunError where another model is named and
    the evaluator has runs over other datasets too."""
    check_origin(origin)
    evaluator = run.evaluator
    if origin.model != evaluator.model:
        if evaluator.runs.exclude(dataset=run.dataset_id).exists():
            raise RunError(f"{evaluator.name} has runs over other datasets too: rename it before its model changes.")
        evaluator.model = origin.model
        evaluator.save(update_fields=["model"])
    kept = {name: value for name, value in asdict(origin).items() if name != "model" and value not in ("", None)}
    run.manifest = {**run.manifest, "model": origin.model or None, ORIGIN: kept}
    run.save(update_fields=["manifest"])


class OriginForm(forms.Form):
    """All fields are optional."""

    model = forms.CharField(
        max_length=LONGEST_NAME, required=False, label="Model", help_text="The language model that judged."
    )
    cost_usd = forms.FloatField(
        min_value=0,
        max_value=MOST_DOLLARS,
        required=False,
        label="Price in US dollars",
        help_text="Of all predictions together. Empty: not known.",
    )
    made_on = forms.DateField(
        required=False, label="Date", help_text="The day of the predictions.", widget=forms.DateInput({"type": "date"})
    )
    link = forms.URLField(
        max_length=LONGEST_LINK, required=False, assume_scheme="https", label="Link", help_text="To code or data."
    )
    paper = forms.CharField(
        max_length=LONGEST_PAPER, required=False, label="Paper", help_text="A citation, a DOI or an address."
    )

    def origin(self) -> Origin:
        cleaned: dict[str, Any] = self.cleaned_data
        made_on = cleaned["made_on"].isoformat() if cleaned["made_on"] else ""
        return Origin(cleaned["model"], cleaned["cost_usd"], made_on, cleaned["link"], cleaned["paper"])
