"""A session of each annotator: `python -m bench.chaos.sessions`, in its own process. Prints {name: cookie} as JSON.

Two hundred log-ins by password would take minutes of the processors, and are not what is measured.
"""

import json
import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402

from annotate.models import User  # noqa: E402


def main() -> None:
    json.dump({person.username: cookie_of(person) for person in User.objects.all()}, sys.stdout)


def cookie_of(person: User) -> str:
    client = Client()
    client.force_login(person)
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


if __name__ == "__main__":
    main()
