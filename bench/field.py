"""Every method over the demo, with the scripted servers of the tests: `python -m bench.field [--methods NAME …]`.

Prints for each method and each demo dataset that it judges: F1 and balanced accuracy of error detection, coverage,
calls, tokens, US dollars (a dollar for a million tokens, a tenth of a cent for a search), seconds and peak memory of
the process in MiB, Django's start among them. Neither the scripted model nor the weights are judges: the model calls a
text wrong that has one of the seven words of `WRONG`, whatever it says, and the weights are small and random, the same
each time. The table shows that every method runs and what it asks for, not how good it is.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.import_felm import Spent, run
from tests.fake_openai import FakeOpenAI, fake_openai
from tests.fake_search import FakeSearch, fake_search

HEAD = (
    f"{'method':<24}{'dataset':<21}{'F1':>6}{'BA':>6}{'cover':>7}{'calls':>7}{'tokens':>9}{'USD':>8}"
    f"{'seconds':>9}{'MiB':>6}"
)
MODEL = "m"
SCHEMES = ("felm", "factscore", "claims")
# Common words, each in true and in false texts of the demo.
WRONG = r"\b(?:so|only|all|every|less|died|also)\b"
# What a method needs besides its defaults; by scheme what it needs there.
PARAMETERS = {"nli_weights": "nli", "np_weights": "masked", "search": "web", "other_models": "n, o"}
PARAMETERS_OF = {"factscore": {"evidence": "source"}}  # biographies come without references


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", nargs="+", metavar="NAME", help="only these")
    options = parser.parse_args()
    with prepared(options.methods) as (environment, server, rows):
        print(HEAD, flush=True)
        for method, scheme in rows:
            print(row(environment, server, method, scheme), flush=True)


@contextmanager
def prepared(names: list[str] | None) -> Iterator[tuple[dict[str, str], FakeOpenAI, list[tuple[Any, str]]]]:
    """A database with the demo, small weights, and the scripted model that it calls; and what `wanted` finds."""
    import django

    with tempfile.TemporaryDirectory() as name, fake_openai(wrong=WRONG) as server, fake_search() as web:
        folder = Path(name)
        # In a process of its own: the memory of this one counts for those that it starts.
        maker = get_context("spawn").Process(target=make_weights, args=(folder / "weights",))
        maker.start()
        maker.join()
        if maker.exitcode:
            sys.exit("The weights could not be made (make neural).")
        environment = {
            **os.environ,
            "DATA_DIR": str(folder / "data"),
            "WEIGHTS_DIR": str(folder / "weights"),
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "a key for the benchmark",
            "LLM_ALLOW": "127.0.0.1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        os.environ.update(environment)
        django.setup()
        rows = wanted(names)
        run(environment, "migrate", "-v0")
        run(environment, "demo", "--address", "http://127.0.0.1:8000/")
        fill(folder, web)
        yield environment, server, rows


def make_weights(folder: Path) -> None:
    """Tokens are bytes and what often follows one another, so that the models take any text."""
    from tests.evaluators.methods.tiny_model import make_byte_weights

    for name, kind in (("masked", "MaskedLM"), ("nli", "SequenceClassification")):
        (folder / name).mkdir(parents=True)
        make_byte_weights(folder / name, positions=514, kind=kind)


def fill(folder: Path, web: FakeSearch) -> None:
    """What the demo lacks for some methods: other answers of the subjects, prices, and a search engine."""
    from annotate.models import Dataset
    from llm.endpoints import default_endpoint
    from llm.models import Endpoint, Price

    for dataset in Dataset.objects.filter(name__in=demo_datasets().values()):
        rows = [{"index": each.index, "samples": [each.text, each.text[::2]]} for each in dataset.responses.all()]
        path = folder / "samples.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in rows))
        run(dict(os.environ), "import_samples", dataset.name, str(path))
    for model in (MODEL, *PARAMETERS["other_models"].split(", ")):
        Price.objects.create(endpoint=default_endpoint(), model=model, prompt_usd=1, completion_usd=1)
    address = f"{web.address}/searxng"
    Endpoint.objects.create(
        name=PARAMETERS["search"], base_url=address, shared=True, search_engine="searxng", search_usd="0.001"
    )


def demo_datasets() -> dict[str, str]:
    """The demo's datasets by their schemes."""
    from evaluators.demo import BIOGRAPHIES, CLAIMS, FIVE_DOMAINS

    return dict(zip(SCHEMES, (FIVE_DOMAINS, BIOGRAPHIES, CLAIMS), strict=True))


def wanted(names: list[str] | None) -> list[tuple[Any, str]]:
    """Methods, each with a scheme that it judges."""
    from evaluators.methods import METHODS

    unknown = set(names or ()) - set(METHODS)
    if unknown:
        sys.exit(f"No method is called {', '.join(sorted(unknown))}.")
    chosen = [method for method in METHODS.values() if not names or method.name in names]
    return [(method, scheme) for method in chosen for scheme in SCHEMES if scheme in method.schemes]


def row(environment: dict[str, str], server: FakeOpenAI, method: Any, scheme: str) -> str:
    before = server.stats()["total"]
    dataset, name = demo_datasets()[scheme], f"field {method.name} {scheme}"
    spent = evaluate(environment, method, scheme, name)
    calls = server.stats()["total"] - before
    found = reported(environment, dataset, name)
    figures = found["results"][0]
    return (
        f"{method.name:<24}{dataset.removeprefix('Demo: '):<21}{shown(figures['f1'], '>6.2f')}"
        f"{shown(figures['balanced_accuracy'], '>6.2f')}{shown(figures['coverage'], '>7.2f')}{calls:>7,}"
        f"{shown(found['tokens'], '>9,')}{shown(found['cost_usd'], '>8.4f')}{spent.seconds:>9.1f}{spent.memory:>6.0f}"
    )


def evaluate(environment: dict[str, str], method: Any, scheme: str, name: str) -> Spent:
    own = {parameter.name for parameter in method.parameters}
    needed = {**PARAMETERS, **PARAMETERS_OF.get(scheme, {})}
    values = [f"{parameter}={value}" for parameter, value in needed.items() if parameter in own]
    words = ["evaluate", demo_datasets()[scheme], method.name, "--name", name, "--wait"]
    words += ["--model", MODEL] if method.needs_model else []
    return run(environment, *words, *(["--param", *values] if values else []))


def reported(environment: dict[str, str], dataset: str, name: str) -> dict[str, Any]:
    """The evaluator's figures against gold, over all units."""
    with tempfile.TemporaryFile("w+") as output:
        run(environment, "report", dataset, "--evaluator", name, "--json", output=output)
        output.seek(0)
        [found] = [each for each in json.load(output)["evaluators"] if each["evaluator"] == name]
    return dict(found)


def shown(figure: float | None, form: str) -> str:
    """A dash as wide where there is none."""
    return format(figure, form) if figure is not None else format("–", form.split(".")[0].rstrip(","))


if __name__ == "__main__":
    main()
