"""Requests as the views of all rooms get them."""

from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails


class PageRequest(HttpRequest):
    """A request of somebody who is logged in; `htmx` says whether a script asks for a part of the page."""

    user: Any
    htmx: HtmxDetails


def redirect_back(request: HttpRequest, otherwise: str, *args: object) -> HttpResponseRedirect:
    """To the page of this site whose path is in the field `next`, else to the page `otherwise`, the name of an address,
    with these arguments."""
    back = request.POST.get("next", "")
    is_here = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return HttpResponseRedirect(back if is_here and back.startswith("/") else resolve_url(otherwise, *args))


def client_address(request: HttpRequest) -> str | None:
    """The address of the client; None where there is none, as behind a Unix socket.

    A client may write anything into X-Forwarded-For. Each trusted proxy appends who asked it, so that the entry as many
    places from the end as there are trusted proxies is the first that a client cannot make up.
    """
    address, count = request.META.get("REMOTE_ADDR", ""), settings.TRUSTED_PROXIES
    forwarded = [each.strip() for each in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if 0 < count <= len(forwarded):
        address = forwarded[-count] or address
    try:
        return str(ip_address(address))
    except ValueError:
        return None
