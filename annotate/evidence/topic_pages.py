"""The rows of a file that are the pages of some topics, and no others.

A dump of millions of pages is read where it lies: its titles once, then the chosen pages by their places in the table.
What is held are the titles that are like a topic. Which of the pages is the topic's, knowledge/titles.py decides.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from annotate.evidence.read_dump import opened, read_page
from annotate.evidence.rows import DocumentRow
from knowledge.aside import lists_meanings, redirect_target
from knowledge.titles import plain_title, title_key

# A redirect that leads to a redirect is followed so often.
HOPS = 5
# Titles between two signs of life.
SCANNED = 100_000

# The place of a page in the table, and its title.
Titles = dict[int, str]


class Wanted:
    """Which titles may be the page of one of the topics."""

    def __init__(self, topics: Iterable[str]) -> None:
        self._keys = {title_key(topic) for topic in topics} - {""}
        self._plain = {plain_title(topic) for topic in topics} - {""}

    def __contains__(self, title: str) -> bool:
        return plain_title(title) in self._plain or title_key(title) in self._keys

    def holds(self, row: DocumentRow) -> bool:
        """Whether the row's title or one of its other names may be a topic."""
        return row.title in self or any(title_key(name) in self._keys for name in row.redirects)


class TopicPages:
    """Pages of a dump, chosen when this is made; `rows` reads them.

    A page titled like a topic letter by letter is chosen alone, unless it lists meanings; else all that are like it
    are. A redirect brings the page that it leads to, which then has the redirect's title as another name.
    """

    def __init__(self, path: Path, topics: Sequence[str], beat: Callable[[], object]) -> None:
        self._path = path
        self._chosen: set[int] = set()
        # Other names of the page at a place.
        self._names: defaultdict[int, list[str]] = defaultdict(list)
        with opened(path) as dump:
            for title, places in self._by_topic(_titles_in(dump, Wanted(topics), beat), topics):
                self._choose(dump, title, places, beat)

    def rows(self) -> Iterator[DocumentRow]:
        with opened(self._path) as dump:
            for place in sorted(self._chosen):
                row = self._read(dump, place)
                names = {title_key(name): name for name in reversed(self._names[place])}
                yield replace(row, redirects=tuple(names[key] for key in sorted(names.keys() - {title_key(row.title)})))

    @staticmethod
    def _by_topic(titles: Titles, topics: Sequence[str]) -> Iterator[tuple[str, Titles]]:
        """Each topic with the titles that are like it."""
        by_plain: defaultdict[str, Titles] = defaultdict(dict)
        by_key: defaultdict[str, Titles] = defaultdict(dict)
        for place, title in titles.items():
            by_plain[plain_title(title)][place] = title
            by_key[title_key(title)][place] = title
        for topic in topics:
            yield topic.strip(), by_plain[plain_title(topic)] | by_key[title_key(topic)]

    def _choose(self, dump: sqlite3.Connection, topic: str, places: Titles, beat: Callable[[], object]) -> None:
        exact = [place for place, title in places.items() if title == topic]
        rows = {place: self._read(dump, place) for place in exact}
        if not exact or any(lists_meanings(row.title, row.text) for row in rows.values()):
            rows |= {place: self._read(dump, place) for place in places if place not in rows}
        for place, row in rows.items():
            target = self._follow(dump, row, beat)
            self._chosen.add(place if target is None else target)
            if target is not None:
                # Where it is the only page that is like the topic, the topic is another name too.
                self._names[target] += [row.title, topic] if len(rows) == 1 else [row.title]

    def _follow(self, dump: sqlite3.Connection, row: DocumentRow, beat: Callable[[], object]) -> int | None:
        """The place of the page that the row leads to; None where it leads to none that is there."""
        found = None
        for _ in range(HOPS):
            target = redirect_target(row.text)
            if target is None:
                break
            found = _place_of(dump, target, beat)
            if found is None:
                break
            row = self._read(dump, found)
        return found

    def _read(self, dump: sqlite3.Connection, place: int) -> DocumentRow:
        title, text = dump.execute("SELECT title, text FROM documents WHERE rowid = ?", (place,)).fetchone()
        return read_page(self._path, place, title, text)


def _titles_in(dump: sqlite3.Connection, wanted: Wanted, beat: Callable[[], object]) -> Titles:
    """A title that is no text is none of a topic's."""
    titles = {}
    for number, (place, title) in enumerate(dump.execute("SELECT rowid, title FROM documents"), start=1):
        if number % SCANNED == 0:
            beat()
        name = title.decode(errors="replace").strip() if isinstance(title, bytes) else ""
        if name in wanted:
            titles[place] = name
    return titles


def _place_of(dump: sqlite3.Connection, title: str, beat: Callable[[], object]) -> int | None:
    beat()
    # The first letter of a link may be small.
    names = (title, title[:1].upper() + title[1:])
    found = dump.execute("SELECT rowid FROM documents WHERE title IN (?, ?) LIMIT 1", names).fetchone()
    return found[0] if found else None
