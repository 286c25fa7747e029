"""The form that takes in predictions made elsewhere."""

from django import forms

from core.form_fields import UploadField


class PredictionsForm(forms.Form):
    """A file of predictions and whose they are."""

    evaluator = forms.CharField(
        max_length=200, label="Name of the evaluator", help_text="New, or one imported before: the file is added to it."
    )
    file = UploadField(
        help_text="JSON lines: index, segment, fact, value, score, rationale.", command="import_predictions"
    )
