"""Everybody who may come to a dataset's addresses: those who belong to it, and those who do not."""

from django.test import Client

from annotate.models import Dataset, Membership, Role, User
from tests.api.conftest import client_of
from tests.factories import make_person

# Who may learn nothing of the dataset "lab", not even that something is there.
OUTSIDERS = ("nobody", "stranger", "oscar", "omar", "olga", "lea", "dina")
MEMBERS = ("ada", "ben", "dora", "rhea", "root")
EVERYBODY = OUTSIDERS + MEMBERS


def add_outsiders() -> None:
    """Beside Oscar: an adjudicator and a researcher of another dataset, a person of none, one who left the lab, and
    one whose account is closed."""
    lab, other = Dataset.objects.get(name="lab"), Dataset.objects.get(name="other")
    make_person("stranger")
    make_person("omar", other, Role.ADJUDICATOR)
    make_person("olga", other, Role.RESEARCHER)
    make_person("lea", lab, Role.ADJUDICATOR)
    Membership.objects.get(user__username="lea").delete()
    make_person("dina", lab, Role.ADJUDICATOR)
    User.objects.filter(username="dina").update(is_active=False)


def log_in(name: str) -> Client:
    """A browser of this person; a page that fails is an answer, not an exception."""
    client = Client(raise_request_exception=False)
    if name != "nobody":
        client.force_login(User.objects.get(username=name))
    return client


def by_token(name: str) -> Client:
    """A program with a token of this person, of all scopes."""
    headers = {}
    if name != "nobody":
        headers["Authorization"] = f"Bearer {client_of(User.objects.get(username=name)).token}"
    return Client(raise_request_exception=False, headers=headers)
