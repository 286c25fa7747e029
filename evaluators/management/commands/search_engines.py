"""List search engines; with a name add one or change it."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.forms import model_to_dict

from annotate.management.arguments import positive, positive_price
from annotate.management.lookup import dataset_named
from annotate.models import EndpointGrant
from audit.models import Action
from audit.record import record
from evaluators.endpoints.forms import ServerForm
from knowledge.engines import ENGINES, FAULTS
from knowledge.models import MARK, WebSearch
from llm.endpoints import has_key
from llm.models import Endpoint

COLUMNS = ("protocol", "address", "key_variable", "price", "requests_per_minute", "max_in_flight")
FIELDS = {"protocol": "search_engine", "address": "base_url", "price": "search_usd"}  # of options with other names


class Command(BaseCommand):
    help = "List search engines; with NAME add one or change it, and grant it to datasets."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", metavar="NAME", help="What runs call it by, in the parameter search.")
        parser.add_argument("--protocol", choices=sorted(ENGINES))
        parser.add_argument("--address", metavar="URL", help="The whole address of a search.")
        parser.add_argument("--key-variable", metavar="VARIABLE", help="The environment variable that holds its key.")
        parser.add_argument("--price", type=positive_price, metavar="USD", help="Of one search.")
        parser.add_argument("--requests-per-minute", type=positive, metavar="N")
        parser.add_argument("--max-in-flight", type=positive, metavar="N")
        parser.add_argument("--dataset", action="append", default=[], metavar="NAME", help="May use it; repeatable.")
        parser.add_argument("--shared", action="store_true", help="Every dataset may use it.")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        changes = {FIELDS.get(name, name): options[name] for name in COLUMNS if options[name] is not None}
        if options["name"]:
            self._set(options["name"], changes, options["dataset"], options["shared"])
        elif changes or options["dataset"] or options["shared"]:
            raise CommandError("Name the search engine that is to be set.")
        self._list(options["json"])

    @transaction.atomic
    def _set(self, name: str, changes: dict[str, Any], datasets: list[str], shared: bool) -> None:
        there = Endpoint.objects.filter(name=name).first()
        if there is not None and not there.search_engine:
            raise CommandError(f"{name!r} is an endpoint of models: choose another name.")
        if there is None and not {"search_engine", "base_url"} <= changes.keys():
            raise CommandError(f"There is no search engine {name!r} yet: a new one needs --protocol and --address.")
        form = ServerForm({**(model_to_dict(there) if there else {}), **_key(there, changes), **changes, "name": name},
                          instance=there)  # fmt: skip
        if not form.is_valid():
            said = "; ".join(f"{field}: {' '.join(map(str, errors))}" for field, errors in form.errors.items())
            raise CommandError(f"The search engine cannot be set: {said}")
        form.instance.shared = shared or form.instance.shared
        engine = form.save()
        record(None, Action.ENDPOINT_CHANGED if there else Action.ENDPOINT_ADDED, engine, detail=", ".join(changes))
        for dataset in datasets:
            EndpointGrant.objects.get_or_create(endpoint=engine, dataset=dataset_named(dataset))

    def _list(self, as_json: bool) -> None:
        for fault in FAULTS.values():
            self.stderr.write(fault)
        listed = [_described(engine) for engine in Endpoint.objects.of_search()]
        if as_json:
            self.stdout.write(json.dumps(listed, ensure_ascii=False))
            return
        for each in listed:
            price = "of unknown price" if each["search_usd"] is None else f"${each['search_usd']:g} a search"
            key = "" if each["has_key"] else f", {each['key_variable']} is not set here"
            self.stdout.write(f"{each['engine']}: {each['protocol']} at {each['address']}, {price}, "
                              f"{each['searches']} frozen{key}")  # fmt: skip


def _key(there: Endpoint | None, changes: dict[str, Any]) -> dict[str, str]:
    """The variable of a new engine that needs no key: the form wants one, and its value is never sent."""
    engine = ENGINES.get(changes.get("search_engine", ""))
    return {"key_variable": "OPENAI_API_KEY"} if there is None and engine and not engine.needs_key else {}


def _described(engine: Endpoint) -> dict[str, Any]:
    frozen = WebSearch.objects.filter(engine=engine.search_engine, address=engine.base_url)
    frozen = frozen.exclude(request_hash__startswith=MARK)
    known = ENGINES.get(engine.search_engine)
    return {
        "engine": engine.name,
        "protocol": engine.search_engine,
        "address": engine.base_url,
        "key_variable": engine.key_variable,
        "has_key": has_key(engine) or bool(known and not known.needs_key),
        "search_usd": None if engine.search_usd is None else float(engine.search_usd),
        "requests_per_minute": engine.requests_per_minute,
        "max_in_flight": engine.max_in_flight,
        "searches": frozen.count(),
    }
