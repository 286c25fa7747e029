"""Results as a file: runs, predictions and figures, exported and taken in."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from core.errors import DataError
from core.form_fields import UploadField
from core.uploads import takes_uploads
from evaluators.bundle.open_file import open_bundle, open_units_table
from evaluators.bundle.take_in import TakenIn, import_results
from evaluators.predictions.read import latest_runs
from evaluators.runs.build import RunError

LONGEST_SUFFIX = 50
LONGEST_FILE_NAME = 80
# The number of bundles that came by the API that are shown, the last ones.
SHOWN = 5


class BundleForm(forms.Form):
    """A results bundle from elsewhere."""

    file = UploadField(help_text="A zip file that was exported by Touchstone.", command="import_results")
    suffix = forms.CharField(
        max_length=LONGEST_SUFFIX,
        required=False,
        strip=False,
        label="Suffix of evaluators' names",
        help_text="For example “ (lab B)”, if evaluators with the same name have runs here.",
    )
    other_gold = forms.BooleanField(required=False, label="Import the runs even if gold differs")


@require_http_methods(["GET", "HEAD", "POST"])
@takes_uploads
def bundle(request: MemberRequest, pk: int) -> HttpResponse:
    """Choose runs to export, or import a bundle. Faults of a bundle stand at the form, and nothing is kept."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    form = BundleForm(request.POST, request.FILES) if request.method == "POST" else BundleForm()
    if request.method == "POST" and form.is_valid():
        try:
            taken = _import(dataset, form)
        except (DataError, RunError) as error:
            form.add_error("file", str(error))
        else:
            _say(request, taken)
            return redirect("runs", pk)
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "bundle",
        "form": form,
        "runs": latest_runs(dataset),
        "versions": dataset.gold_versions.all(),
        "uploads": dataset.results_uploads.select_related("uploaded_by")[:SHOWN],
    }
    return render(request, "bundle/bundle.html", page, status=422 if form.errors else 200)


@require_POST
def bundle_file(request: MemberRequest, pk: int) -> HttpResponseBase:
    """The chosen evaluators' results (none named: all) as a bundle or a table, against the gold that is named. A post,
    and no link to follow: all predictions of the runs are read for it."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    names, gold, is_table = request.POST.getlist("evaluator"), request.POST.get("gold", ""), "table" in request.POST
    try:
        if is_table:
            file = open_units_table(dataset, names, gold)
        else:
            file = open_bundle(dataset, names, gold, "answers" in request.POST, "searches" in request.POST)
    except DataError as error:
        messages.error(request, str(error))
        return redirect("bundle", pk)
    name = f"results-{slugify(dataset.name) or dataset.pk}.{'parquet' if is_table else 'zip'}"
    return FileResponse(file, as_attachment=True, filename=name)


def _import(dataset: Dataset, form: BundleForm) -> TakenIn:
    """The importer reads a path, and its errors name the file as the person knows it."""
    file: UploadedFile[bytes] = form.cleaned_data["file"]
    with TemporaryDirectory() as folder:
        path = Path(folder, Path(file.name or "results.zip").name[-LONGEST_FILE_NAME:])
        with path.open("wb") as copy:
            for chunk in file.chunks():
                copy.write(chunk)
        return import_results(dataset, path, form.cleaned_data["suffix"], form.cleaned_data["other_gold"])


def _say(request: MemberRequest, taken: TakenIn) -> None:
    messages.success(request, taken.in_words())
    if taken.other_gold:
        messages.warning(request, "Gold differs from the bundle, so the figures are not compared.")
    elif taken.differences:
        messages.warning(request, f"Different figures: {'; '.join(taken.differences)}.")
    else:
        messages.success(request, "All figures are the same as in the bundle.")
