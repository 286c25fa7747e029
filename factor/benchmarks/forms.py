"""The forms of benchmarks' pages."""

from typing import Any

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat

from annotate.evidence.source import sources_of
from annotate.models import Dataset
from factor.benchmarks.examples import ORDERS, ExampleFilter
from factor.csv_format.import_file import LONGEST_NAME
from factor.models import FactorErrorType
from knowledge.models import KnowledgeSource

DAY = forms.DateInput(attrs={"type": "date"})


class BenchmarkUploadForm(forms.Form):
    """A benchmark's file and name."""

    name = forms.CharField(label="Name of the benchmark", max_length=LONGEST_NAME)
    file = forms.FileField(label="File", help_text="CSV in UTF-8, in FACTOR's published layout.")
    source = forms.ModelChoiceField(
        queryset=KnowledgeSource.objects.none(),
        to_field_name="name",
        required=False,
        label="Documents",
        empty_label="none",
        help_text="The knowledge source whose documents the column doc_id names, if it is here: examples get their "
        "documents' dates.",
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["source"].queryset = sources_of(dataset)  # type: ignore[attr-defined]

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > settings.UPLOAD_LIMIT_BYTES:
            limit = filesizeformat(settings.UPLOAD_LIMIT_BYTES)
            raise forms.ValidationError(
                f"The file has {filesizeformat(file.size)}; {limit} come by this page. A larger one goes in by the "
                "command import_benchmark."
            )
        return file


class ExamplesForm(forms.Form):
    """The filter of examples. Unreadable values do not filter."""

    q = forms.CharField(required=False, label="Search words", widget=forms.TextInput(attrs={"type": "search"}))
    type = forms.ChoiceField(
        required=False, label="Error type", choices=[("", "Any"), *FactorErrorType.choices, ("none", "Not given")]
    )
    since = forms.DateField(required=False, label="Dated from", widget=DAY)
    until = forms.DateField(required=False, label="Dated to", widget=DAY)
    document = forms.CharField(required=False, label="Document")
    sort = forms.ChoiceField(required=False, label="Order", choices=list(ORDERS.items()))

    def wanted(self) -> ExampleFilter:
        self.is_valid()
        fields = self.cleaned_data
        return ExampleFilter(
            words=fields.get("q", ""),
            error_type=fields.get("type", ""),
            document=fields.get("document", ""),
            since=fields.get("since"),
            until=fields.get("until"),
            order=fields.get("sort", ""),
        )


class DeleteForm(forms.Form):
    """The name, written out by who deletes the benchmark."""

    name = forms.CharField(label="Name", max_length=LONGEST_NAME, widget=forms.TextInput({"autocomplete": "off"}))

    def __init__(self, right: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.right = right

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.right:
            raise forms.ValidationError("Not deleted: the name is wrong.")
        return name
