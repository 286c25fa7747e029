"""Protocols of search engines, one file each, and their registry, one line each (docs/web-search.md)."""

from knowledge.engines import brave, searxng, serper
from knowledge.engines.engine import Engine
from knowledge.engines.outside import outside_engines

_OWN: dict[str, Engine] = {engine.name: engine for engine in (serper.ENGINE, brave.ENGINE, searxng.ENGINE)}
_OUTSIDE = outside_engines(_OWN)
ENGINES: dict[str, Engine] = _OWN | _OUTSIDE.engines
FAULTS = _OUTSIDE.faults  # why plug-ins are not registered, by the names of their entry points
