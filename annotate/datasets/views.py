"""The pages on which a dataset is created, described, archived and deleted."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_own_deletion
from annotate.datasets.archive import archive, restore
from annotate.datasets.contents import goes_with
from annotate.datasets.create import MOST_SANDBOXES, may_create, may_create_sandbox
from annotate.datasets.create_recorded import create_recorded
from annotate.datasets.delete import begin_deletion
from annotate.datasets.deletion_job import DeletionJob
from annotate.datasets.forms import AboutForm, DeleteForm, NewDatasetForm
from annotate.models import DatasetDeletion, Role
from audit.models import Action
from audit.record import record
from jobs.enqueue import enqueue
from jobs.models import is_worker_alive


@require_http_methods(["GET", "HEAD", "POST"])
def dataset_new(request: MemberRequest) -> HttpResponse:
    """Create a dataset, or without the right to it a sandbox."""
    sandbox = not may_create(request.user)
    if sandbox and not may_create_sandbox(request.user):
        raise PermissionDenied(
            "You cannot create datasets. A site administrator can give you the right; a researcher of a dataset may "
            f"create up to {MOST_SANDBOXES} sandboxes."
        )
    form = NewDatasetForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        made = create_recorded(request, request.user, form.cleaned_data, sandbox=sandbox)
        return redirect("dataset", made.pk)
    context = {"form": form, "sandbox": sandbox}
    return render(request, "datasets/new.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def dataset_about(request: MemberRequest, pk: int) -> HttpResponse:
    """Rename and describe; the ways to archive and to delete."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    before = dataset.name
    form = AboutForm(request.POST if request.method == "POST" else None, instance=dataset)
    if form.is_bound and form.is_valid():
        with transaction.atomic():
            dataset.save(update_fields=["name", "description"])
            if dataset.name != before:
                record(request, Action.DATASET_RENAMED, dataset, detail=f"before: {before}")
        messages.success(request, "Saved.")
        return redirect("dataset-about", pk)
    if form.is_bound:
        dataset.refresh_from_db()
    context = {"dataset": dataset, "role": Role.ADJUDICATOR, "tab": "settings", "form": form}
    return render(request, "datasets/about.html", context, status=422 if form.is_bound else 200)


@require_POST
def dataset_archive(request: MemberRequest, pk: int) -> HttpResponse:
    """Archive the dataset, or with `restore` bring it back."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR, even_archived=True)
    restores = "restore" in request.POST
    (restore if restores else archive)(request, dataset)
    messages.success(request, "The dataset is restored." if restores else "The dataset is archived.")
    return redirect("dataset-about", pk)


@require_http_methods(["GET", "HEAD", "POST"])
def dataset_delete(request: MemberRequest, pk: int) -> HttpResponse:
    """Delete the dataset: its name is asked for."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR, even_archived=True)
    form = DeleteForm(dataset, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        begin_deletion(request, dataset, request.user)
        messages.success(request, f"{dataset.name} is deleted.")
        return redirect("home")
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "settings",
        "form": form,
        "contents": goes_with(dataset),
    }
    return render(request, "datasets/delete.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def deletion(request: MemberRequest, pk: int) -> HttpResponse:
    """How far the deletion of a dataset is; with POST, one that failed is tried again."""
    deletion = fetch_own_deletion(request.user, pk)
    if request.method == "POST":
        if DatasetDeletion.objects.filter(pk=pk).retry():
            enqueue(deletion)
        return redirect("deletion", pk)
    context = {"deletion": deletion, "worker_alive": is_worker_alive(DeletionJob.queue)}
    return render(request, "datasets/deletion.html", context)


@require_POST
def setup_dismiss(request: MemberRequest, pk: int) -> HttpResponse:
    """List the steps of set-up no longer."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    dataset.setup_dismissed = True
    dataset.save(update_fields=["setup_dismissed"])
    return redirect("dataset", pk)
