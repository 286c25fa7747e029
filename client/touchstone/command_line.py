"""The command `touchstone`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from touchstone.errors import TouchstoneError
from touchstone.evaluators import LEASE_SECONDS, Evaluator
from touchstone.values import Run


def main(words: Sequence[str] | None = None) -> int:
    """The exit code: 0 where the run finished."""
    options = _parser().parse_args(words)
    try:
        run = _evaluate_outside(options)
    except (TouchstoneError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Run {run.id} of {run.evaluator}: {run.state}.")
    return 0 if run.state == "finished" else 1


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="touchstone", description="Work with a Touchstone server.")
    commands = parser.add_subparsers(required=True)
    outside = commands.add_parser("evaluate-outside", help="Judge a dataset by a function of your own.")
    outside.add_argument("function", metavar="MODULE:FUNCTION", help="Takes a case, returns its judgements.")
    outside.add_argument("--dataset", required=True, metavar="NAME")
    outside.add_argument("--name", metavar="N", help="Of the evaluator; as the decorator says without it.")
    outside.add_argument("--url", default=os.environ.get("TOUCHSTONE_URL"), help="Else TOUCHSTONE_URL.")
    outside.add_argument("--group", type=int, default=10, metavar="N", help="Cases taken at once.")
    outside.add_argument("--lease-seconds", type=float, default=LEASE_SECONDS, metavar="S")
    outside.add_argument("--limit", type=int, metavar="N", help="The first responses only.")
    outside.add_argument("--anew", action="store_true", help="A new run where the same one is there.")
    outside.epilog = "The token is read from TOUCHSTONE_TOKEN."
    return parser


def _evaluate_outside(options: object) -> Run:
    given = vars(options)
    token = os.environ.get("TOUCHSTONE_TOKEN")
    if not given["url"] or not token:
        raise ValueError("Set TOUCHSTONE_URL (or --url) and TOUCHSTONE_TOKEN.")
    named = _load(given["function"], given["name"])
    same = {name: given[name] for name in ("group", "lease_seconds", "limit", "anew")}
    return named.run(given["url"], token, given["dataset"], **same, progress=_tell)


def _load(text: str, name: str | None) -> Evaluator:
    module, colon, function = text.partition(":")
    if not colon:
        raise ValueError(f"{text!r} is no MODULE:FUNCTION.")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{text}: {error}.") from error
    if isinstance(found, Evaluator):
        return Evaluator(found.judge, name or found.name, found.model, found.parameters)
    if not callable(found):
        raise ValueError(f"{text} is no function.")
    return Evaluator(found, name or function)


def _tell(judged: int, state: str) -> None:
    print(f"{judged} cases judged, the run is {state}.", file=sys.stderr)
