"""The import pages: choose a file, preview it, confirm, follow the import."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST
from django_htmx.middleware import HtmxDetails

from annotate.access import fetch_own_upload
from annotate.corpus.forms import SENTENCE_CHOICES, UPLOAD_FIELDS, MeaningsForm, UploadPageForm
from annotate.corpus.released_sentences import REPAIRED
from annotate.corpus.uploads import adjudicators_of, confirm, discard, give_meanings, may_upload, receive
from annotate.datasets.create import may_create_sandbox
from annotate.models import User
from core.errors import DataError, FaultsError
from core.uploads import takes_uploads
from jobs.progress import is_not_picked_up


@takes_uploads
def import_page(request: HttpRequest) -> HttpResponse:
    """Choose a file. The page lists the faults of a wrong one, and nothing of it is kept."""
    user = cast(User, request.user)
    if not may_upload(user):
        context = {"sandbox": may_create_sandbox(user), "adjudicated": adjudicators_of(user)}
        return render(request, "corpus/may_not_import.html", context, status=403)
    form = UploadPageForm(
        user, request.POST or None, request.FILES or None, initial={"dataset_name": request.GET.get("into")}
    )
    faults = None
    if request.method == "POST" and form.is_valid():
        try:
            upload = receive(user, *(form.cleaned_data[name] for name in UPLOAD_FIELDS))
        except DataError as error:
            faults = error if isinstance(error, FaultsError) and error.is_several else None
            form.add_error("file", "The file has errors. Nothing was stored." if faults else str(error))
        else:
            return redirect("upload-mapping" if upload.needs_recipe else "upload", upload.pk)
    return render(request, "corpus/import.html", {"form": form, "faults": faults}, status=422 if form.errors else 200)


@require_GET
def upload_page(request: HttpRequest, pk: int) -> HttpResponse:
    """The contents of the file, and once confirmed the progress of its import (the part that HTMX polls)."""
    upload = fetch_own_upload(request.user, pk)
    if upload.needs_recipe:
        return redirect("upload-mapping", upload.pk)
    page = "corpus/upload.html"
    if cast(HtmxDetails, request.htmx):  # type: ignore[attr-defined]
        page += "#state"
    context = {
        "upload": upload,
        "not_picked_up": (upload.to_check or upload.confirmed_at is not None) and is_not_picked_up(upload),
        "refused": sum(kind["count"] for kind in upload.preview.get("refused", [])),
        "share": upload.share,
        "meanings": MeaningsForm(upload),
        "sentences": None if upload.sentences == REPAIRED else dict(SENTENCE_CHOICES).get(upload.sentences),
    }
    return render(request, page, context)


@require_POST
def confirm_upload(request: HttpRequest, pk: int) -> HttpResponse:
    """Import the file without the rows that cannot be taken; where labels got a meaning, look it through anew."""
    upload = fetch_own_upload(request.user, pk)
    form = MeaningsForm(upload, request.POST)
    if form.is_valid() and form.meanings and upload.confirmed_at is None:
        give_meanings(upload, form.meanings)
    else:
        confirm(upload)
    return redirect("upload", upload.pk)


@require_POST
def discard_upload(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a file that was not confirmed."""
    upload = fetch_own_upload(request.user, pk)
    discard(upload)
    return redirect("import")
