"""Taking in predictions that an evaluator made elsewhere."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from annotate.prompts.uploaded import saved
from core.downloads import download
from core.errors import DataError
from core.form_fields import UploadField
from core.uploads import takes_uploads
from evaluators.predictions.import_file import import_predictions
from evaluators.predictions.origin import OriginForm
from evaluators.predictions.template import template_as_csv, template_as_json_lines
from evaluators.runs.build import RunError
from evaluators.runs.cases import judgeable
from evaluators.runs.covered import count_units

TEMPLATES = {
    "csv": (template_as_csv, "text/csv; charset=utf-8"),
    "jsonl": (template_as_json_lines, "application/jsonl; charset=utf-8"),
}


class PredictionsForm(OriginForm):
    """A file of predictions, whose they are and where they come from."""

    evaluator = forms.CharField(
        max_length=200,
        label="Name of the evaluator",
        help_text="A new name, or an earlier one to add to.",
    )
    file = UploadField(
        help_text="JSON lines, CSV or Parquet: index, segment, fact, value, score, rationale.",
        command="import_predictions",
    )
    field_order = ["evaluator", "file"]


@takes_uploads
def upload_predictions(request: MemberRequest, pk: int) -> HttpResponse:
    """Import a file of predictions. Its faults stand at the form, and nothing of it is kept."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    form = PredictionsForm(request.POST, request.FILES) if request.method == "POST" else PredictionsForm()
    if form.is_valid():
        try:
            with saved(form.cleaned_data["file"]) as path:
                imported = import_predictions(dataset, path, form.cleaned_data["evaluator"], origin=form.origin())
        except (DataError, RunError) as error:
            form.add_error("file" if isinstance(error, DataError) else "evaluator", str(error))
        else:
            messages.success(request, imported.in_words())
            return redirect("run", imported.run.pk)
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "runs",
        "form": form,
        "units": count_units(dataset),
        "responses": judgeable(dataset).count(),
    }
    return render(request, "runs/import.html", page)


@require_safe
def predictions_template(request: MemberRequest, pk: int, form: str) -> StreamingHttpResponse:
    """All units of the dataset, to be filled in. form: "csv" or "jsonl"."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    if form not in TEMPLATES:
        raise Http404("There is no such form of the template.")
    lines, kind = TEMPLATES[form]
    return download(lines(dataset), f"units-{dataset.pk}.{form}", kind)
