"""Failed log-ins are counted by name and by address; too many are refused before the password is hashed.

The counts are django-allauth's, in the cache that all web processes share. An attempt is counted before it is looked at
and taken back if it was right, so that attempts at the same time do not slip through. A browser in which somebody has
logged in before has counts of its own for them: whoever tries out passwords locks a person out of other browsers only,
and for no longer than they go on.
"""

import logging
from math import ceil
from secrets import token_urlsafe
from time import time

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.cache import cache
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotate.models import User
from audit.models import Action
from audit.record import record
from core.requests import client_address

LOGGER = logging.getLogger("touchstone.login")
APP = "allauth.account"
COOKIE = "known_browser"
SALT = "annotate.people.throttle"
COOKIE_SECONDS = 365 * 86_400


def count_attempt(request: HttpRequest, name: str) -> ratelimit.RateLimitUsage:
    """Count one attempt to log in under the name; ImmediateHttpResponse with 429 if there were too many."""
    browser = _known_browser(request, name)
    action = "login_failed_known_browser" if browser else "login_failed"
    key = f"{name.lower()}:{browser}"
    usage = ratelimit.consume(request, app=APP, action=action, key=key)
    if usage is None:
        seconds = _seconds_left(request, action, key)
        note_refused(request, name, seconds)
        raise ImmediateHttpResponse(refuse(request, seconds))
    return usage


def count_passkey(request: HttpRequest) -> ratelimit.RateLimitUsage:
    """Count one attempt to log in by a passkey alone, by address: whose it claims to be, anybody can write."""
    return count_by_address(request, "passkey_failed")


def count_asked(request: HttpRequest) -> None:
    """Count one beginning of such a log-in, which makes a session."""
    count_by_address(request, "passkey_asked")


def count_by_address(request: HttpRequest, action: str) -> ratelimit.RateLimitUsage:
    """Count one attempt of this action of ACCOUNT_RATE_LIMITS; ImmediateHttpResponse with 429 if there were too many
    from the address."""
    usage = ratelimit.consume(request, app=APP, action=action, limit_get=True)
    if usage is None:
        seconds = _seconds_left(request, action, None)
        note_refused(request, "", seconds)
        raise ImmediateHttpResponse(refuse(request, seconds))
    return usage


def refuse(request: HttpRequest, seconds: float) -> HttpResponse:
    """The answer 429 that names the minutes until the next attempt is looked at."""
    minutes = max(1, ceil(seconds / 60))
    response = render(request, "429.html", {"minutes": minutes}, status=429)
    response["Retry-After"] = str(max(1, ceil(seconds)))
    return response


def refuse_for_the_longest(request: HttpRequest) -> HttpResponse:
    """The same where it is not known how long it takes: the whole time in which failures are counted."""
    return refuse(request, settings.LOGIN_FAILURE_MINUTES * 60)


def note_refused(request: HttpRequest, name: str, seconds: float) -> None:
    """Log and record that attempts are refused, once for an address in the time of the refusal: a flood of them, under
    however many names, writes nothing more."""
    address = client_address(request)
    if cache.add(f"refused:{ratelimit.get_ip(request)}", True, max(1, seconds)):
        account = User.objects.filter(username=name).first()
        LOGGER.warning("Log-ins refused for %s seconds, from %s, as %s", ceil(seconds), address, account and account.pk)
        record(request, Action.LOGIN_REFUSED, account)


def remember_browser(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Have the browser prove next time that this person has logged in with it."""
    if _known_browser(request, user.username):
        return
    response.set_signed_cookie(
        COOKIE,
        f"{user.pk}:{token_urlsafe(12)}",
        salt=SALT,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _known_browser(request: HttpRequest, name: str) -> str:
    """The number of the browser if this person has logged in with it before; "" otherwise."""
    try:
        value = request.get_signed_cookie(COOKIE, salt=SALT, max_age=COOKIE_SECONDS)
    except (KeyError, BadSignature):
        return ""
    pk, _, browser = str(value).partition(":")
    return browser if User.objects.filter(pk=pk, username=name).exists() else ""


def _seconds_left(request: HttpRequest, action: str, key: str | None) -> float:
    """Until the oldest of the attempts that fill a limit is forgotten."""
    waits = [1.0]
    for rate in ratelimit.get_rates(app=APP, action=action):
        times = cache.get(ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key), [])
        if len(times) >= rate.amount:
            waits.append(times[-1] + rate.duration - time())
    return max(waits)
