"""Checks that ask other servers: the mail server, endpoints of models, the site's own address. Each takes seconds."""

from collections.abc import Iterator
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import get_connection

from health.findings import Finding, error, ok, warning
from health.probes import ALIVE
from llm.errors import EndpointAddressError, EndpointUnavailableError
from llm.models import Endpoint

SECONDS = 5.0


def check_email() -> Finding:
    if not settings.EMAIL_CONFIGURED:
        return warning("email", "No e-mail is sent: EMAIL_URL is not set.")
    try:
        with get_connection():
            pass
    except (OSError, SMTPException) as failure:
        return error("email", f"The mail server {settings.EMAIL_HOST} cannot be used: {failure}. See EMAIL_URL.")
    return ok("email", "The mail server answers.")


def check_site() -> Finding:
    """Whether the address in e-mails leads here, its certificate included."""
    import httpx2

    address = f"{settings.SITE_URL}{ALIVE}"
    try:
        status = httpx2.get(address, timeout=SECONDS).status_code
    except httpx2.HTTPError as failure:
        return error("site", f"{address} does not answer: {failure}. Is the web server running, and SITE_URL right?")
    if status != 200:
        return error("site", f"{address} answers with {status} instead of 200: SITE_URL leads elsewhere.")
    return ok("site", f"{settings.SITE_URL} answers.")


def check_endpoints() -> Iterator[Finding]:
    """A finding for each."""
    from llm.listing import listed_models  # with openai, which no page needs at start

    for endpoint in Endpoint.objects.of_models():
        try:
            number = len(listed_models(endpoint))
        except (EndpointAddressError, EndpointUnavailableError) as failure:
            yield warning("endpoints", str(failure))
        else:
            yield ok("endpoints", f"{endpoint} answers and lists {number} model{'' if number == 1 else 's'}.")
