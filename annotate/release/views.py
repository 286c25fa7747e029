"""Releases of a dataset on its gold page: asked for, watched, taken away."""

from django import forms
from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe
from django_htmx.http import trigger_client_event

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, role_in
from annotate.models import Dataset, Release, Role
from annotate.release.licence import LONGEST_LICENCE
from annotate.release.releases import ask_for, releases_of, try_again
from audit.models import Action
from audit.record import record
from core.errors import DataError
from jobs.progress import is_not_picked_up


class ReleaseForm(forms.Form):
    """The releases of a dataset."""

    version = forms.CharField(max_length=100)
    licence = forms.CharField(max_length=LONGEST_LICENCE, required=False)
    names = forms.BooleanField(required=False)
    known = forms.BooleanField(required=False)


def releases(request: MemberRequest, pk: int) -> HttpResponse:
    """The part of the gold page with the releases; a post asks for one, or moves those that stand still."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    if request.method == "POST":
        fetch_dataset(request.user, pk, Role.ADJUDICATOR)
        return _ask(request, dataset)
    context = describe_releases(dataset)
    page = {"dataset": dataset, "role": role_in(request.user, dataset), "versions": dataset.gold_versions.all()}
    answer = render(request, "release/releases.html", page | context)
    return answer if context["releases_working"] else trigger_client_event(answer, "releases-ended")


def describe_releases(dataset: Dataset) -> dict[str, object]:
    """The context of the page's list of releases."""
    releases = releases_of(dataset)
    return {
        "releases": releases,
        "releases_working": not all(release.is_settled for release in releases),
        "releases_still": any(is_not_picked_up(release) for release in releases),
    }


@require_safe
def release_file(request: MemberRequest, pk: int) -> HttpResponseBase:
    known = Release.objects.select_related("version__dataset")
    release = fetch_in_dataset(request.user, known, pk, "version.dataset", Role.RESEARCHER, Role.ADJUDICATOR)
    if release.state != Release.State.DONE:
        raise Http404("This release is not made yet.")
    if release.is_gone:
        messages.error(request, "The file of this release is missing: create the release again.")
        return redirect("gold", release.version.dataset.pk)
    return FileResponse(release.file.open("rb"), as_attachment=True)


def _ask(request: MemberRequest, dataset: Dataset) -> HttpResponse:
    form = ReleaseForm(request.POST)
    if "again" in request.POST:
        try_again(dataset)
    elif form.is_valid():
        version = get_object_or_404(dataset.gold_versions, name=form.cleaned_data["version"])
        try:
            chosen = form.cleaned_data
            release = ask_for(version, chosen["licence"], chosen["names"], request.user, chosen["known"])
            record(request, Action.RELEASED, version, detail=f"{dataset}, release {release.pk}")
        except DataError as error:
            messages.error(request, f"Not created: {error}")
        else:
            ready = release.state == Release.State.DONE
            messages.success(request, "The release exists: see below." if ready else "The release is being created.")
    else:
        messages.error(request, "Not created: enter a version, and a licence in one line.")
    return redirect("gold", dataset.pk)
