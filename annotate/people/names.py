"""Names of the people who judge, as a reader of a dataset sees them: user names for adjudicators, else pseudonyms."""

from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser
from django.utils.crypto import salted_hmac

from annotate.models import Dataset, Role

# Without vowels, which make words, and without digits that look like letters.
ALPHABET = "BCDFGHJKLMNPQRSTVWXZ23456789"
LENGTH = 6


@dataclass(frozen=True)
class Names:
    """Whoever judges in the dataset (a primary key). `are_shown`: by their user names."""

    dataset: int
    are_shown: bool

    def of(self, person: AbstractUser) -> str:
        return self.known_as(person.pk, person.get_username())

    def known_as(self, person: int, username: str) -> str:
        """The name of the person with this primary key."""
        return username if self.are_shown else pseudonym(self.dataset, person)


def names_for(role: str | None, dataset: Dataset) -> Names:
    """The names that somebody of this role in the dataset sees."""
    return Names(dataset.pk, are_shown=role == Role.ADJUDICATOR)


def user_names(dataset: Dataset) -> Names:
    """The names that commands print: whoever runs them has the database."""
    return Names(dataset.pk, are_shown=True)


def pseudonym(dataset: int, person: int) -> str:
    """The same at each call, another in each dataset, such as "annotator K4Q-7TX"; it tells no order. Nobody without
    the SECRET_KEY can work it out. That two of a thousand people share one happens in one dataset of a thousand."""
    digest = salted_hmac("annotate.people.names", f"{dataset}.{person}", algorithm="sha256").digest()
    number = int.from_bytes(digest)
    letters = ""
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters += ALPHABET[place]
    return f"annotator {letters[: LENGTH // 2]}-{letters[LENGTH // 2 :]}"
