"""The views of every job: how far it is, stop, resume."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST, require_safe

from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.forms import LimitsForm
from jobs.kinds import kind_of
from jobs.models import Job, is_worker_alive


@dataclass(frozen=True)
class JobTexts:
    """Messages after a job was stopped or had ended before, and after it was resumed or was complete. Empty: no
    message."""

    stopped: str = ""
    ended: str = ""
    resumed: str = ""
    complete: str = ""


@dataclass(frozen=True)
class JobViews:
    """The views of one kind of job, and their addresses.

    name: of the job's page, and the beginning of the others' names. template: of the progress alone; it extends
    jobs/progress.html. fetch: returns the job that the person may read, or with `True` may change. context: of the
    template, besides `progress_context`. stop_word: the last part of the address and name of the view that stops.
    """

    name: str
    template: str
    fetch: Callable[[Any, int, bool], Job]
    context: Callable[[Any, Any], dict[str, Any]]
    stop_word: str = "stop"
    texts: JobTexts = JobTexts()

    def urls(self, prefix: str) -> list[URLPattern]:
        """To be put into the room's urlpatterns, under the prefix of the job's page."""
        return [
            path(f"{prefix}/<int:pk>/progress/", require_safe(self.progress), name=f"{self.name}-progress"),
            path(f"{prefix}/<int:pk>/{self.stop_word}/", require_POST(self.stop), name=f"{self.name}-{self.stop_word}"),
            path(f"{prefix}/<int:pk>/resume/", require_POST(self.resume), name=f"{self.name}-resume"),
        ]

    def progress_context(self, request: HttpRequest, job: Job) -> dict[str, Any]:
        """What jobs/progress.html needs, and the kind's own."""
        kind = kind_of(type(job))
        return {
            "job": job,
            "limits": LimitsForm.of(job),
            "queue": kind.queue.value,
            "worker_alive": is_worker_alive(kind.queue.value),
            "job_progress": f"{self.name}-progress",
            "job_stop": f"{self.name}-{self.stop_word}",
            "job_resume": f"{self.name}-resume",
            **self.context(request, job),
        }

    def progress(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The part of the page that is asked for again and again; the whole page once there is no more to come."""
        job = self.fetch(request, pk, False)
        if not request.headers.get("HX-Request"):
            return redirect(self.name, pk)
        response = render(request, self.template, self.progress_context(request, job))
        if not job.is_active:
            response["HX-Refresh"] = "true"
        return response

    def stop(self, request: HttpRequest, pk: int) -> HttpResponse:
        if self.fetch(request, pk, True).stop():
            _add_message(request, messages.SUCCESS, self.texts.stopped)
        else:
            _add_message(request, messages.INFO, self.texts.ended)
        return redirect(self.name, pk)

    def resume(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Resume under the limits given or its own; where that cannot be done, the next page says why."""
        job = self.fetch(request, pk, True)
        form = LimitsForm(request.POST)
        try:
            if not form.is_valid():
                raise StartError("A limit is a number above 0.")
            resumed = job.resume(form.limits())
        except StartError as error:
            messages.error(request, str(error))
        else:
            if resumed:
                enqueue(job)
                _add_message(request, messages.SUCCESS, self.texts.resumed)
            else:
                _add_message(request, messages.INFO, self.texts.complete)
        return redirect(self.name, pk)


def _add_message(request: HttpRequest, level: int, text: str) -> None:
    if text:
        messages.add_message(request, level, text)
