"""Search engines of other packages."""

from importlib.metadata import EntryPoint

from knowledge.engines import outside
from knowledge.engines.engine import Engine, SearchRequest
from knowledge.engines.outside import outside_engines

MINE = Engine("mine", "Mine", lambda query, count, key: SearchRequest("GET", {"q": query}), lambda answer: [])


def entries(monkeypatch, **values):
    """The entry points of the group, which lead into this module."""
    made = [EntryPoint(name, f"{__name__}:{value}", outside.GROUP) for name, value in values.items()]
    monkeypatch.setattr(outside, "entry_points", lambda group: made)


def test_an_engine_of_another_package_is_registered(monkeypatch):
    entries(monkeypatch, mine="MINE")
    assert outside_engines({"serper"}) == outside.OutsideEngines({"mine": MINE}, {})


def test_what_cannot_be_registered_is_named_and_left_out(monkeypatch):
    entries(monkeypatch, gone="GONE", none="entries", twice="MINE")
    found = outside_engines({"mine"})
    assert found.engines == {}
    assert "gone = " in found.faults["gone"]
    assert "cannot be loaded: AttributeError" in found.faults["gone"]
    assert found.faults["none"].endswith("leads to function, not to an Engine.")
    assert found.faults["twice"].endswith("brings the search engine 'mine', and there is one already.")
