"""A site whose downloads end in a fault: at once, or after their first piece. The test of downloads serves it."""

from collections.abc import Iterator

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path

from core.downloads import download

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="none", WEB_MEMORY_MB=4096)


def pieces(whole: int) -> Iterator[str]:
    for number in range(whole):
        yield f"{number}\n"
    raise ValueError("this one cannot be written")


def broken(request: HttpRequest, whole: int) -> HttpResponseBase:
    return download(pieces(whole), "rows.txt", "text/plain")


urlpatterns = [path("login/", lambda request: HttpResponse("here")), path("broken/<int:whole>/", broken)]
application = get_wsgi_application()
