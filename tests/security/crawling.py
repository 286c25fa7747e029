"""What somebody finds who opens every address about every object, and every link on the pages they get."""

from collections import deque
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from django.test import Client

from tests.annotate.blindness.walk import paths
from tests.security.asking import Answer, ask
from tests.security.forms import elements

LINKS = ("href", "src", "action", "hx-get", "hx-post")
# Links to one path with other questions are opened so often.
QUERIES_OF_A_PATH = 3


def crawl(client: Client) -> Iterator[tuple[str, Answer]]:
    """Each path with its query, and what a GET is answered."""
    waiting = deque(dict.fromkeys(path for _, path in paths()))
    known = set(waiting)
    queries: dict[str, int] = {}
    while waiting:
        path = waiting.popleft()
        answer = ask(client, "get", path)
        yield path, answer
        for link in links_of(path, answer):
            bare = urlsplit(link).path
            if link in known or bare.startswith(("/static/", "/admin/", "/logout/")):
                continue
            known.add(link)
            queries[bare] = queries.get(bare, 0) + 1
            if queries[bare] <= QUERIES_OF_A_PATH:
                waiting.append(link)


def links_of(path: str, answer: Answer) -> Iterator[str]:
    """Of a page, to this site."""
    if not is_page(answer):
        return
    for element in elements(answer.body).iter():
        for attribute in LINKS:
            link = element.get(attribute)
            if link is not None:
                target = urldefrag(urljoin(path, link)).url
                if target.startswith("/"):
                    yield target


def is_page(answer: Answer) -> bool:
    return answer.headers.get("Content-Type", "").startswith("text/html")
