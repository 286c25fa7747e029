"""The page of a dataset from which it is downloaded: its gold, or what each annotator said."""

from typing import Any

from django import forms
from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.corpus.finding import STATES, Search, may_have_details
from annotate.export.dataset import FORMATS, Reader
from annotate.export.download import send_export
from annotate.export.files import KINDS
from annotate.models import Dataset, Role
from annotate.people.names import Names, names_for
from core.errors import DataError

TITLES = {
    "annotations": "Labels of each annotator, a row a label",
    "gold": "Gold, a row a unit",
    "labelstudio": "Label Studio: labels of each annotator and gold, as tasks",
    "felm": "FELM: gold as FELM publishes it",
    "factscore": "FActScore: gold as FActScore publishes it, of one subject model",
    "claims": "Claims with their passages and gold, as they are imported",
    "inspect": "inspect_ai: gold as samples",
}
FILES = [(name, KINDS[name].title) for name in ("csv", "xlsx", "jsonl", "parquet")]


class ExportForm(forms.Form):
    """What is wanted of the dataset, and as what; the filters go by the names that the list of responses gives them."""

    form = forms.ChoiceField(label="Content", widget=forms.RadioSelect)
    file_type = forms.ChoiceField(
        label="File", required=False, help_text="Of the first two; the others have their own kind of file."
    )
    gold = forms.ChoiceField(label="Gold", required=False)
    names = forms.BooleanField(label="Names of annotators instead of pseudonyms", required=False)
    q = forms.CharField(label="Words, or an index", required=False)
    domain = forms.ChoiceField(required=False)
    subject = forms.ChoiceField(label="Subject model", required=False)
    state = forms.ChoiceField(required=False, choices=[("", "Any state"), *STATES.items()])
    details = forms.CharField(label="Text in details", required=False)

    def __init__(
        self, dataset: Dataset, role: str, query: QueryDict | None, initial: dict[str, Any] | None = None
    ) -> None:
        super().__init__(query, initial=initial)
        domains = dataset.prompts.exclude(domain="").order_by("domain").values_list("domain", flat=True)
        subjects = dataset.responses.exclude(subject="").order_by("subject").values_list("subject", flat=True)
        self.choose("form", [(name, title) for name, title in TITLES.items() if fits(name, dataset)])
        self.choose("file_type", FILES)
        self.choose("gold", [("", "as it is now"), *((each.name, each.name) for each in dataset.gold_versions.all())])
        self.choose("domain", [("", "All domains"), *((each, each) for each in domains.distinct())])
        self.choose("subject", [("", "All subject models"), *((each, each) for each in subjects.distinct())])
        self.fields["import"] = forms.IntegerField(required=False, widget=forms.HiddenInput)
        if not may_have_details(dataset):
            del self.fields["details"]
        if role != Role.ADJUDICATOR:
            del self.fields["names"]

    def choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        """Give the field these choices; one that leaves nothing to choose is left out."""
        if len(choices) == 1 and not choices[0][0]:
            del self.fields[name]
        else:
            self.fields[name].choices = choices  # type: ignore[attr-defined]  # all of them are ChoiceFields


def fits(format: str, dataset: Dataset) -> bool:
    return FORMATS[format].scheme in (None, dataset.scheme)


@require_safe
def export(request: MemberRequest, pk: int) -> HttpResponseBase:
    """The page; with `?form=` the file."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    role = role_in(request.user, dataset) or ""
    if "form" not in request.GET:
        return _page(request, dataset, ExportForm(dataset, role, None, _begin(request.GET)))
    form = ExportForm(dataset, role, request.GET)
    if form.is_valid():
        try:
            return _send(request, dataset, role, form.cleaned_data)
        except DataError as error:
            form.add_error(None, str(error))
    return _page(request, dataset, form, 422)


def _begin(query: QueryDict) -> dict[str, Any]:
    """What the form begins with: the filters of the list that one comes from."""
    return {"form": "annotations", "file_type": "csv", **query.dict()}


def _send(request: MemberRequest, dataset: Dataset, role: str, chosen: dict[str, Any]) -> HttpResponseBase:
    is_table = FORMATS[chosen["form"]].table is not None
    names = names_for(role, dataset) if chosen.get("names") else Names(dataset.pk, are_shown=False)
    return send_export(
        dataset,
        chosen["form"],
        chosen["file_type"] if is_table else "",
        Search.read(request.GET),
        chosen.get("gold", ""),
        Reader(role, names),
        request.user,
    )


def _page(request: MemberRequest, dataset: Dataset, form: ExportForm, status: int = 200) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "dataset-export",
        "form": form,
        "responses": Search.read(request.GET).narrow(dataset).count(),
        "all": dataset.responses.visible().count(),
    }
    return render(request, "annotate/export.html", context, status=status)
