"""Completions of News-FACTOR scored over a real server, beside a calculation of our own from what the server said.

`SCORED_AT=http://127.0.0.1:8090/v1 pytest tests/data/test_scored_by_a_server.py`; SCORED_MODEL, SCORED_EXAMPLES and
SCORED_CONTEXT say which model, how many examples and with how many tokens. SCORED_GGUF: the same model's file in
WEIGHTS_DIR, to compare llama.cpp in this process with its server.
"""

import csv
import json
import os
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.utils import timezone

from factor.language_models.open import open_language_model
from factor.models import ScoredModel
from jobs.database_thread import run_beside_database
from llm.models import Capabilities, Endpoint
from llm.retries import RetryPolicy

ADDRESS = os.environ.get("SCORED_AT", "")
MODEL = os.environ.get("SCORED_MODEL", "gemma-3-270m")
EXAMPLES = int(os.environ.get("SCORED_EXAMPLES", "5"))
CONTEXT = int(os.environ.get("SCORED_CONTEXT", "64"))
GGUF = os.environ.get("SCORED_GGUF", "")
COLUMNS = ("completion", "contradiction_0", "contradiction_1", "contradiction_2")
PATIENCE = 3600

pytestmark = [pytest.mark.data, pytest.mark.django_db(transaction=True)]


class Proxy(BaseHTTPRequestHandler):
    """Hands everything on to the server, and keeps what was asked and answered."""

    said = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = urllib.request.Request(
            ADDRESS + self.path.removeprefix("/v1"), body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            said = answer.read()
        self.said.append((json.loads(body)["prompt"], json.loads(said)["choices"][0]["logprobs"]))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        """Quiet."""


@pytest.fixture(scope="module")
def rows(published):
    with (published / "factor" / "news_factor.csv").open(newline="", encoding="utf-8") as file:
        # The shortest: such a server takes a second a token.
        return sorted(csv.DictReader(file), key=lambda row: sum(len(row[each]) for each in COLUMNS))[:EXAMPLES]


@pytest.fixture
def recorded():
    if not ADDRESS:
        pytest.skip("SCORED_AT names no server with a model that can be scored")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    Proxy.said = []
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()


def mean_by_hand(prompt, logprobs, completion):
    """The mean over the tokens that have a character of the completion, or of a space before it."""
    border = len(prompt) - len(completion)
    border -= prompt[:border].endswith(" ")
    ends = [*logprobs["text_offset"][1:], None]
    counted = [
        value
        for start, end, value in zip(logprobs["text_offset"], ends, logprobs["token_logprobs"], strict=True)
        if start < len(prompt) and (end is None or end > border)
    ]
    return sum(counted) / len(counted)


def scores_of(model, rows, context_length=CONTEXT):
    async def work(database_thread):
        async with open_language_model(
            model, database_thread, context_length=context_length, retries=RetryPolicy(1, patience=PATIENCE)
        ) as opened:
            return [
                await opened.score(row["turncated_prefixes"], [row[column] for column in COLUMNS], context_length)
                for row in rows
            ]

    return run_beside_database(work)


def test_scores_are_those_of_the_servers_own_numbers(rows, recorded):
    endpoint = Endpoint.objects.create(shared=True, name="recorded", base_url=f"http://127.0.0.1:{recorded}/v1")
    Capabilities.objects.create(endpoint=endpoint, model=MODEL, completions=True, echo=True, probed_at=timezone.now())
    reached = ScoredModel.Reached
    scores = scores_of(ScoredModel(reached_by=reached.ENDPOINT, endpoint=endpoint, reached_as=MODEL), rows)
    kept = dict(Proxy.said)
    widest = 0.0
    for row, found in zip(rows, scores, strict=True):
        for column, score in zip(COLUMNS, found, strict=True):
            # Of the texts that were sent the last that ends so: the first was to learn where to cut.
            prompt = [each for each in kept if each.endswith(row[column])][-1]
            by_hand = mean_by_hand(prompt, kept[prompt], row[column])
            print(f"{score.mean:.9f} {by_hand:.9f} {len(score.tokens)} after {score.prefix_tokens}")
            assert score.mean == pytest.approx(by_hand, abs=1e-6)
            widest = max(widest, abs(score.mean - by_hand))
    print(f"widest difference {widest:.2e}")
    if GGUF:
        # Here the mark of the beginning, which the server does not show, is of the context.
        here = scores_of(ScoredModel(reached_by=reached.LLAMA_CPP, reached_as=GGUF), rows, CONTEXT + 1)
        apart = [
            abs(one.mean - other.mean)
            for found, again in zip(scores, here, strict=True)
            for one, other in zip(found, again, strict=True)
        ]
        print(f"in this process: widest difference {max(apart):.2e}")
        assert max(apart) < 0.05
