"""One e-mail from a template of text. Whoever sends asks `settings.EMAIL_CONFIGURED` first."""

from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string


def send_email(address: str, subject: str, template: str, context: dict[str, Any]) -> None:
    """Send the rendered template, which has `site` besides the context: the address of the site without a slash.

    Raises OSError (smtplib's errors are such) if the mail server cannot be reached or refuses.
    """
    text = render_to_string(template, {**context, "site": settings.SITE_URL})
    send_mail(" ".join(subject.split()), text, None, [address])
