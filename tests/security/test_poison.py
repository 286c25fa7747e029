"""No text of a user becomes markup, an attribute or an address of a script, on any page that anybody can open."""

import re
from collections.abc import Iterator

import pytest
from django.template import Context, Template

from tests.security.crawling import crawl, is_page
from tests.security.forms import elements
from tests.security.people import add_outsiders, log_in
from tests.security.poison import CAME_OUT, poison, poisonous
from tests.world import make_world

pytestmark = pytest.mark.django_db

READERS = ("root", "ada")
SCRIPT = re.compile(r"\s*(javascript|vbscript|data):", re.IGNORECASE)
ADDRESSES = ("href", "src", "action", "formaction", "hx-get", "hx-post", "hx-delete", "xlink:href", "poster")


def test_no_text_becomes_a_script() -> None:
    make_world()
    add_outsiders()
    clients = {name: log_in(name) for name in READERS}
    names = {each.number: each.field for each in poison()}
    found: dict[str, str] = {}
    shown: set[int] = set()
    for name, client in clients.items():
        for path, answer in crawl(client):
            asked = f"{name}: {path}"
            if answer.error is not None:
                found.setdefault(answer.error[:60], asked)
            shown |= {int(number) for number in re.findall(rb"zq(\d+)", answer.body)}
            if is_page(answer):
                found |= {f"{names.get(number, number)} as {what}": asked for number, what in come_out(answer.body)}
            else:
                assert answer.headers.get("X-Content-Type-Options") == "nosniff", asked
    assert found == {}
    assert len(names) > 100 and len(shown & set(names)) > 60, (len(names), len(shown))


def come_out(page: bytes) -> Iterator[tuple[int, str]]:
    """The numbers of the texts that are more than text, and what they are."""
    yield from ((int(each[1] or each[2]), "markup") for each in CAME_OUT.finditer(page))
    for element in elements(page).iter():
        for attribute in ADDRESSES:
            address = element.get(attribute)
            if address is not None and SCRIPT.match(address):
                yield int(re.findall(r"zq(\d+)|$", address)[0] or 0), f"the address of a script in {attribute}"


@pytest.mark.parametrize(
    "template",
    [
        "<p>{{ text|safe }}</p>",
        '<p title="{{ text|safe }}">x</p>',
        "<p title='{{ text|safe }}'>x</p>",
        '<script type="application/json">{"a": "{{ text|safe }}"}</script>',
        '<a href="{{ text }}">x</a>',
    ],
)
def test_what_is_not_escaped_is_found(template: str) -> None:
    page = Template(template).render(Context({"text": poisonous(7)}))
    assert {number for number, _ in come_out(page.encode())} == {7}


def test_what_is_escaped_is_not_found() -> None:
    page = Template('<p title="{{ text }}">{{ text }}</p>{{ text|json_script:"x" }}')
    assert list(come_out(page.render(Context({"text": poisonous(7)})).encode())) == []
