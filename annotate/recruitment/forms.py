"""The form of a recruitment link."""

from typing import Any

from django import forms

from annotate.models import RecruitmentLink


class LinkForm(forms.ModelForm):  # type: ignore[type-arg]
    return_address = forms.URLField(
        required=False,
        max_length=500,
        assume_scheme="https",
        label="Return address",
        help_text="Only for another platform, optional: where people go when they have finished.",
    )

    class Meta:
        model = RecruitmentLink
        fields = (
            *("name", "platform", "id_parameter", "tasks_each", "most_people", "closes_on"),
            *("completion_code", "screened_code", "return_address", "consent"),
        )
        labels = {
            "id_parameter": "Parameter of the id",
            "tasks_each": "Tasks for each person",
            "most_people": "People at most",
            "closes_on": "Last day",
            "completion_code": "Completion code",
            "screened_code": "Screen-out code",
            "consent": "Information and consent",
        }
        help_texts = {
            "name": "For your list of links.",
            "id_parameter": "Only for another platform: the name in its address that holds the person's id.",
            "tasks_each": "Real tasks. Qualification and controls are added to them.",
            "most_people": "Without those who are screened out.",
            "closes_on": "Optional. Nobody begins after this day (UTC).",
            "completion_code": "From Prolific, or your own. For MTurk leave it empty: each worker gets a code.",
            "screened_code": "Optional. For people who do not pass the qualification.",
            "consent": "Optional. People read it before they begin.",
        }
        widgets = {"closes_on": forms.DateInput(attrs={"type": "date"}), "consent": forms.Textarea(attrs={"rows": 6})}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("platform") == RecruitmentLink.Platform.MTURK:
            cleaned["completion_code"] = ""
        elif not cleaned.get("completion_code"):
            self.add_error("completion_code", "Enter the code that says that a person has finished.")
        if cleaned.get("platform") == RecruitmentLink.Platform.OTHER and not cleaned.get("id_parameter"):
            self.add_error("id_parameter", "Enter the name of the parameter that holds the person's id.")
        for name in ("tasks_each", "most_people"):
            if cleaned.get(name) == 0:
                self.add_error(name, "Enter at least 1.")
        return cleaned
