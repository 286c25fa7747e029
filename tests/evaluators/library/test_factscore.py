"""FActScore as a function, in a fresh process that sets up nothing, over a real HTTP server."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaluators.factscore import factscore
from evaluators.library.result import JudgedFact
from llm.errors import ModelError
from tests.docs.examples import example
from tests.fake_openai import fake_openai
from tests.waiting import LONGEST

ROOT = Path(__file__).resolve().parents[3]
PAGES = {"Ada Lovelace": "Ada Lovelace was a writer. She drew maps.", "Ben": "Ben sang."}
RESPONSES = ["She wrote and she was wrong.", "I'm sorry, I know nobody of that name.", "He sang."]
TOPICS = ["ada  lovelace", "Ben", "Nobody"]


@pytest.fixture(scope="module")
def server():
    with fake_openai() as running:
        yield running


@pytest.fixture(autouse=True)
def fresh(server):
    server.reset()


PROGRAM = """
import json, sys
from dataclasses import asdict
from evaluators.factscore import factscore

arguments = json.loads(sys.stdin.read())
result = factscore(arguments.pop("responses"), arguments.pop("topics"), arguments.pop("source"), **arguments)
print(json.dumps(asdict(result)))
"""


def run_fresh(folder, server, **arguments):
    """The result in a process whose environment names no settings, from another folder."""
    wanted = {"model": "m", "base_url": server.base_url, **arguments}
    left_out = ("DJANGO_SETTINGS_MODULE", "DATA_DIR", "OPENAI_BASE_URL", "OPENAI_API_KEY")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(wanted),
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT), "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_a_fresh_process_scores_responses_and_pays_nothing_the_second_time(server, tmp_path):
    """The fake model makes a fact of each part of a sentence, and calls those with "wrong" False."""
    work = {"responses": RESPONSES, "topics": TOPICS, "source": PAGES, "cache": str(tmp_path / "answers.sqlite3")}
    first = run_fresh(tmp_path, server, **work, passages=1)
    facts = [
        [(fact["text"], fact["supported"], fact["reason"]) for fact in each["facts"]] for each in first["responses"]
    ]
    assert facts == [
        [("She wrote.", True, ""), ("she was wrong.", False, "")],
        [],
        [("He sang.", None, "no page of the topic")],
    ]
    # One response has a score: 1 of 2 facts supported, times exp(1 - 10/2) = e^-4. Two of three respond, with 2 and 1.
    assert first["score"] == pytest.approx(0.5 * math.exp(-4))
    assert (first["init_score"], first["respond_ratio"]) == (0.5, pytest.approx(2 / 3))
    assert (first["facts_per_response"], first["calls"], first["cached"]) == (1.5, 4, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["answers.sqlite3"]

    again = run_fresh(tmp_path, server, **work, passages=1)
    assert (again["calls"], again["cached"]) == (0, 4)
    assert again["responses"] == first["responses"]
    assert server.stats()["total"] == 4


def test_the_example_of_the_docs_prints_its_facts(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.chdir(tmp_path)
    exec(example("docs/methods.md", "As a library").replace("https://api.openai.com/v1", server.base_url), {})
    # One response with two facts, both supported: exp(1 - 10/2) = e^-4.
    figures, *facts = capsys.readouterr().out.splitlines()
    assert [float(figure) for figure in figures.split()] == pytest.approx([math.exp(-4), 1])
    assert facts == ["True Ada Lovelace was a mathematician.", "True She was born in 1815."]


def score(server, responses=("She wrote.",), topics=("Ada Lovelace",), source=PAGES, **options):
    return factscore(responses, topics, source, model="m", base_url=server.base_url, **options)


def test_facts_that_are_given_are_judged_and_none_are_generated(server):
    result = score(server, facts=[["She wrote.", "She was wrong."]], gamma=None)
    [response] = result.responses
    assert [(fact.text, fact.supported, fact.sentence) for fact in response.facts] == [
        ("She wrote.", True, None),
        ("She was wrong.", False, None),
    ]
    assert (result.score, response.score, result.calls) == (0.5, 0.5, 2)


def test_a_response_with_an_empty_list_of_facts_does_not_respond(server):
    result = score(server, facts=[[]])
    assert (result.score, result.respond_ratio, result.facts_per_response, result.calls) == (None, 0.0, None, 0)


def test_a_source_is_a_file_too_and_the_first_of_a_title_counts(server, tmp_path):
    path = tmp_path / "pages.jsonl"
    rows = [{"title": "Ada", "text": ["She drew.", "She wrote."]}, {"title": "Ada", "text": "Nothing."}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert score(server, topics=["Ada"], source=path, facts=[["She wrote."]]).init_score == 1.0


def test_a_method_that_looks_at_no_page_and_a_profile_are_parameters(server):
    server.control(answer="It is neither.")
    by_text = {"source": {}, "facts": [["She wrote."]], "method": "factscore-no-context", "logprobs": False}
    repaired, released = score(server, **by_text), score(server, **by_text, profile="released-code")
    assert repaired.responses[0].facts == (
        JudgedFact("She wrote.", None, None, None, "It is neither.", "the answer could not be read"),
    )
    assert (repaired.score, released.init_score) == (None, 1.0)  # the published rule takes it for supported


def test_an_answer_that_cannot_be_read_fails_its_response_alone(server):
    server.control(answer="I list nothing.")
    result = score(server, responses=["She wrote.", "She drew."], topics=["Ada"] * 2, facts=[None, ["She drew."]])
    assert [bool(response.error) for response in result.responses] == [True, False]
    assert "sentence 1" in result.responses[0].error
    assert (result.respond_ratio, result.facts_per_response) == (1.0, 1.0)  # of the other one


def test_an_endpoint_that_refuses_everything_is_an_error(server):
    server.control(fail_first=1000, fail_status=401)
    with pytest.raises(ModelError, match="401"):
        score(server)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"topics": ["a", "b"]}, "1 responses, 2 topics, 1 lists of facts"),
        ({"method": "felm-segment"}, "method is 'felm-segment'; it must be one of factscore-no-context"),
        ({"passages": 0}, "passages is '0'; it must be a whole number from 1 to 100"),
        ({"sauce": 1}, "has no parameter 'sauce'"),
        ({"prompts": "nobody"}, "There is no prompt set 'nobody'"),
        ({"cache": "/nowhere/at/all"}, "cache is /nowhere/at/all, which cannot keep answers"),
        ({"source": "/nowhere/at/all"}, "all: there is no such file"),
    ],
)
def test_an_argument_that_cannot_be_used_is_named_and_nothing_is_asked(server, options, said):
    with pytest.raises(ValueError, match=said):
        score(server, **options)
    assert server.stats()["total"] == 0
