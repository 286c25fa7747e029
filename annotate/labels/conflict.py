"""Two pages wrote on one draft: the keys on which they differ, and both entries."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from annotate.judgements.entries import COMMENT_KEY, Entry, correction_key, kind_name, verdict_key
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import ResponseReading


@dataclass(frozen=True)
class Difference:
    """A key of the draft with different entries on the page and in the store; None: no entry.

    `page_key` is the page's for it. `unsaved`: it was changed on this page, and not only on the other one.
    """

    key: str
    page_key: str
    number: str
    text: str
    mine: Entry | None
    stored: Entry | None
    unsaved: bool

    @property
    def kind(self) -> str:
        return kind_name(self.key)


def differences(
    readings: Iterable[ResponseReading],
    mine: Mapping[str, Entry],
    stored: Mapping[str, Entry],
    keys: PageKeys,
    unsaved: Iterable[str] = (),
) -> list[Difference]:
    """In reading order; `unsaved` are the keys of what only this page has."""
    unsaved = set(unsaved)
    return [
        Difference(key, keys.of(key), number, text, mine.get(key), stored.get(key), key in unsaved)
        for key, number, text in _places(readings)
        if mine.get(key) != stored.get(key)
    ]


def _places(readings: Iterable[ResponseReading]) -> Iterator[tuple[str, str, str]]:
    """Key, number and text of everything that a draft can speak of."""
    for reading in readings:
        for sentence in reading.sentences:
            number = str(sentence.number)
            segment = sentence.whole.segment
            yield sentence.whole.key, number, segment.text
            yield correction_key(segment.pk), number, segment.text
            for place, unit in enumerate(sentence.facts, start=1):
                yield unit.key, f"{number}.{place}", unit.text
        yield verdict_key(reading.response.pk), "", "The response as a whole"
    yield COMMENT_KEY, "", "Your comment to the adjudicator"
