"""Each page is in the language and the time zone of who reads it; the API speaks English, in UTC.

Who has not chosen a language reads the first that their browser asks for, of those whose catalog is complete.
"""

from collections.abc import Callable
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation.trans_real import parse_accept_lang_header

API = "/api/v1/"


class SpeakLanguage:
    """Stands after whatever says who makes the request: that person's row is read anyway, and nothing else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(API):
            return self.get_response(request)
        # Nobody who is not logged in has chosen anything.
        chosen, zone = getattr(request.user, "language", ""), getattr(request.user, "time_zone", "")
        if chosen not in dict(settings.LANGUAGES):
            chosen = asked_language(request.headers.get("Accept-Language", ""))
        with translation.override(chosen), timezone.override(zone_of(zone)):
            return self.get_response(request)


@lru_cache(maxsize=1000)
def zone_of(name: str) -> ZoneInfo | None:
    """None, for the site's, where it is "" or a zone that this machine does not know (any more)."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None


@lru_cache(maxsize=1000)
def asked_language(header: str) -> str:
    """The first complete language of an Accept-Language header; English where there is none."""
    for code, _ in parse_accept_lang_header(header):
        try:
            found = translation.get_supported_language_variant(code)
        except LookupError:
            continue
        if found in settings.COMPLETE_LANGUAGES:
            return found
    return settings.LANGUAGE_CODE
