"""Taking in predictions that an evaluator made elsewhere."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from annotate.prompts.uploaded import saved
from core.errors import DataError
from core.form_fields import UploadField
from core.uploads import takes_uploads
from evaluators.predictions.import_file import import_predictions
from evaluators.runs.build import RunError


class PredictionsForm(forms.Form):
    """A file of predictions and whose they are."""

    evaluator = forms.CharField(
        max_length=200,
        label="Name of the evaluator",
        help_text="A new name, or an earlier one to add to.",
    )
    file = UploadField(
        help_text="JSON lines, CSV or Parquet: index, segment, fact, value, score, rationale.",
        command="import_predictions",
    )


@takes_uploads
def upload_predictions(request: MemberRequest, pk: int) -> HttpResponse:
    """Import a file of predictions. Its faults stand at the form, and nothing of it is kept."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    form = PredictionsForm(request.POST, request.FILES) if request.method == "POST" else PredictionsForm()
    if form.is_valid():
        try:
            with saved(form.cleaned_data["file"]) as path:
                imported = import_predictions(dataset, path, form.cleaned_data["evaluator"])
        except (DataError, RunError) as error:
            form.add_error("file" if isinstance(error, DataError) else "evaluator", str(error))
        else:
            messages.success(
                request, f"{imported.created:,} predictions imported, {imported.unchanged:,} were there already."
            )
            return redirect("run", imported.run.pk)
    page = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "runs", "form": form}
    return render(request, "runs/import.html", page)
