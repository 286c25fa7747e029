"""A person is forgotten (docs/accounts.md, Forget a person)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotate.administration.accounts import AccountError
from annotate.models import User
from annotate.personal_data.forget import forget


class Command(BaseCommand):
    help = "Take a person's name out of everything; what they labelled and decided stays, under a pseudonym."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the user name")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        person = User.objects.filter(username=options["name"]).first()
        if person is None:
            raise CommandError(f"Nobody is called {options['name']}.")
        try:
            forgotten = forget(person, None)
        except AccountError as error:
            raise CommandError(f"Not done: {error}.") from None
        if options["json"]:
            releases = [
                {"dataset": each.version.dataset.name, "version": each.version.name, "licence": each.licence}
                for each in forgotten.releases
            ]
            document = {"pseudonym": forgotten.pseudonym, "releases": releases, "audit_entries": forgotten.entries}
            self.stdout.write(json.dumps(document, ensure_ascii=False))
            return
        self.stdout.write(f"They are {forgotten.pseudonym} now; {forgotten.entries} entries of the audit log changed.")
        for each in forgotten.releases:
            self.stdout.write(f"Their name stays in the release {each.version} of {each.version.dataset}.")
