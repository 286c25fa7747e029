"""manage.py demo: something to look at."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from evaluators.demo import ADJUDICATOR, ADMINISTRATOR, ANNOTATORS, PASSWORD, RESEARCHER
from factor.demo import make_demo


class Command(BaseCommand):
    help = "Make the demo: its people, datasets, runs and benchmark; what is there already is left alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="", help="Where to log in: printed with the log-ins.")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError(
                "The demo's people have a password that everybody knows: it is not for production (DEBUG=false)."
            )
        make_demo()
        names = ", ".join((*ANNOTATORS, ADJUDICATOR, RESEARCHER, ADMINISTRATOR))
        where = f" at {options['address']}" if options["address"] else ""
        self.stdout.write(f"Log in{where} as {names}; the password of each is {PASSWORD}.")
