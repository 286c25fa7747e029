"""The pages of prompt sets: the list, one set with its differences from another, and a new one."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from annotate.access import MemberRequest, admit_superuser, fetch_dataset, role_in
from annotate.judgements.word_diff import DiffPiece, word_diff
from annotate.models import Dataset, Role
from annotate.prompt_sets.sets import TemplateSet, all_sets, find_set
from annotate.prompt_sets.upload import store_set, store_templates
from core.uploads import takes_uploads
from llm.templates import PromptError


class SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or more."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[bytes]"]:
        return [super(FilesField, self).clean(file, initial) for file in data or [None]]


class PromptSetForm(forms.Form):
    name = forms.CharField(
        max_length=60, help_text="Small letters, digits and hyphens. An existing name gets a new version."
    )
    templates = FilesField(
        label="Files", help_text="Text files, one per template, named as in the methods; or a zip of them."
    )


@dataclass(frozen=True)
class TemplateDifference:
    """A template of a set. pieces: how it differs from the other set's, None without another; a template that the other
    lacks is all added."""

    name: str
    text: str
    pieces: list[DiffPiece] | None

    @property
    def differs(self) -> bool:
        return self.pieces is not None and any(piece.kind != "same" for piece in self.pieces)


@takes_uploads
def prompt_sets(request: MemberRequest, pk: int) -> HttpResponse:
    """Every set that runs of the dataset may name, and the form that uploads one. Faults of an upload stand at it."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    form = PromptSetForm(request.POST, request.FILES) if request.method == "POST" else PromptSetForm()
    if form.is_valid():
        try:
            files = [(file.name or "", file.open()) for file in form.cleaned_data["templates"]]
            stored = store_set(dataset, form.cleaned_data["name"], files, request.user)
        except PromptError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Saved as {stored}: use this name in a run's parameter prompts.")
            return redirect(f"{reverse('prompt-set', args=[pk])}?{urlencode({'set': str(stored)})}")
    page = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "prompt-sets"}
    return render(request, "prompt_sets/prompt_sets.html", page | {"sets": all_sets(dataset), "form": form})


@require_safe
def prompt_set(request: MemberRequest, pk: int) -> HttpResponse:
    """One set, beside another where `against` names one."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    template_set, against = _find(dataset, request.GET.get("set", "")), request.GET.get("against", "")
    other = _find(dataset, against) if against else None
    page = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "prompt-sets",
        "template_set": template_set,
        "other": other,
        "others": [each for each in all_sets(dataset) if each.name != template_set.name],
        **compare(template_set, other),
    }
    return render(request, "prompt_sets/prompt_set.html", page)


@require_POST
def prompt_set_share(request: MemberRequest, pk: int) -> HttpResponse:
    """Share a version of the dataset's set with every dataset, as a copy."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    admit_superuser(request.user)
    template_set = _find(dataset, request.POST.get("set", ""))
    if template_set.origin != "uploaded":
        raise Http404("Only a set of the dataset itself can be shared.")
    name = template_set.name.partition("@")[0]
    stored = store_templates(None, name, dict(template_set.templates), request.user)
    messages.success(request, f"All datasets can use {stored} now.")
    return redirect(f"{reverse('prompt-set', args=[pk])}?{urlencode({'set': template_set.name})}")


def compare(template_set: TemplateSet, other: TemplateSet | None) -> dict[str, Any]:
    """The set's templates, and where there is another set, the names of those that say the same in both and of those
    that only the other has."""
    if other is None:
        return {
            "templates": [TemplateDifference(name, text, None) for name, text in sorted(template_set.templates.items())]
        }
    both = [
        TemplateDifference(name, text, word_diff(other.templates.get(name, ""), text))
        for name, text in sorted(template_set.templates.items())
    ]
    return {
        "templates": [template for template in both if template.differs],
        "same": [template.name for template in both if not template.differs],
        "missing": sorted(other.templates.keys() - template_set.templates.keys()),
    }


def _find(dataset: Dataset, name: str) -> TemplateSet:
    try:
        return find_set(dataset, name)
    except PromptError as error:
        raise Http404(str(error)) from None
