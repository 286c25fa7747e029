"""The pages on which one fetches one's own data, and superusers forget somebody."""

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, admit_superuser
from annotate.administration.accounts import AccountError
from annotate.models import PersonalExport, User
from annotate.personal_data.exports import ask_for_export
from annotate.personal_data.forget import forget, releases_naming
from annotate.personal_data.own_data_job import OwnDataJob
from jobs.models import is_worker_alive
from jobs.progress import is_not_picked_up


@require_http_methods(["GET", "HEAD", "POST"])
def own_data(request: MemberRequest) -> HttpResponse:
    """The file of one's own data, how far it is; a post asks for a new one."""
    if request.method == "POST":
        ask_for_export(request.user)
        return redirect("own-data")
    export = PersonalExport.objects.filter(person=request.user).first()
    context = {
        "export": export,
        "working": export is not None and not export.is_settled,
        "not_picked_up": export is not None and is_not_picked_up(export),
        "queue": OwnDataJob.queue.value,
        "worker_alive": is_worker_alive(OwnDataJob.queue),
        "days": settings.OWN_DATA_DAYS,
    }
    template = "personal_data/own_data.html"
    return render(request, f"{template}#state" if request.headers.get("HX-Request") else template, context)


@require_safe
def own_data_file(request: MemberRequest) -> FileResponse:
    """The zip of `write_own`, while it is kept."""
    export = PersonalExport.objects.done().filter(person=request.user).exclude(file="").first()
    if export is None or not export.file.storage.exists(str(export.file.name)):
        raise Http404("There is no file of your data. Make one on the page Your data.")
    name = f"touchstone-{export.settled_at:%Y-%m-%d}.zip"
    return FileResponse(export.file.open("rb"), as_attachment=True, filename=name)


@require_http_methods(["GET", "HEAD", "POST"])
def account_forget(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask for the user name, then forget its person."""
    admit_superuser(request.user)
    person = get_object_or_404(User, pk=pk)
    trouble = ""
    if request.method == "POST" and request.POST.get("name") != person.username:
        trouble = f"The name is not {person.username}."
    elif request.method == "POST" and person == request.user:
        trouble = "You cannot forget yourself: ask another site administrator."
    elif request.method == "POST":
        try:
            forgotten = forget(person, request)
        except AccountError as error:
            trouble = f"Not done: {error}."
        else:
            kept = "; ".join(f"{each.version} of {each.version.dataset}" for each in forgotten.releases)
            still = f" Releases that still hold the name: {kept}." if kept else ""
            messages.success(request, f"Forgotten: they are {forgotten.pseudonym} now.{still}")
            return redirect("accounts")
    context = {"person": person, "trouble": trouble, "releases": releases_naming(person)}
    return render(request, "administration/forget.html", context, status=422 if trouble else 200)
