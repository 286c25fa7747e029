"""The daily e-mail with what needs somebody's attention (docs/commands.md, `send_digests`)."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from annotate.attention.digest import send_digests


class Command(BaseCommand):
    help = "Send the daily e-mail to everybody who wants it and has not had it today."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMAIL_CONFIGURED:
            raise CommandError("No e-mail is sent: EMAIL_URL is not set.")
        sent = send_digests()
        self.stdout.write(f"{sent} e-mail{'' if sent == 1 else 's'} sent.")
