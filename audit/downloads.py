"""Every file that somebody downloads is recorded, whatever page it comes from."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from audit.models import Action
from audit.record import record


class RecordDownloads:
    """Records each answer that a browser saves as a file: its name and its address, without the query."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        kind, _, rest = response.headers.get("Content-Disposition", "").partition(";")
        if kind == "attachment" and response.status_code == 200 and request.method == "GET":
            record(request, Action.DOWNLOADED, rest.partition("filename=")[2].strip('"'), detail=request.path)
        return response
