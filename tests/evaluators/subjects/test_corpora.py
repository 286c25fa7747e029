"""Texts by people and other corpora are subjects like any model (FActScore §4.3)."""

import json

import pytest
from django.core.management import call_command

OWN = ["facts=generated", "demonstrations=0"]


@pytest.fixture
def bios(db, tmp_path):
    """Of Ada and Ben biographies by a model, by people and from an encyclopedia; of Ben nobody wrote one."""
    for subject, (ada, ben) in {
        "model": ("She wrote and she was wrong.", "He was wrong and he sang."),
        "human": ("She wrote and she drew.", None),
        "encyclopedia": ("She wrote.", "He sang and he was wrong and he rode and he danced."),
    }.items():
        file = tmp_path / f"{subject}.jsonl"
        rows = [
            {"prompt": f"Tell me a bio of {topic}.", "topic": topic, "response": text}
            for topic, text in (("Ada", ada), ("Ben", ben))
        ]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        call_command("import_dataset", "bios", str(file), "--format", "responses-for-facts", "--subject", subject)


def test_generations_go_in_and_ranked_scores_come_out(bios, model, capsys):
    call_command("evaluate", "bios", "factscore-no-context", "--model", "m", "--param", *OWN, "--wait")
    capsys.readouterr()
    call_command("score_subjects", "bios", "--json")
    [evaluator] = json.loads(capsys.readouterr().out)["evaluators"]
    # (subject, rank, score, responding, facts a response): the human text that is missing is an abstention.
    # model: (1/2 + 1/2) / 2; encyclopedia: (1/1 + 3/4) / 2, with one fact and four.
    assert [
        tuple(row[key] for key in ("subject", "rank", "estimated", "responding", "facts_per_response"))
        for row in evaluator["subjects"]
    ] == [("human", 1, 1.0, 0.5, 2.0), ("encyclopedia", 2, 0.875, 1.0, 2.5), ("model", 3, 0.5, 1.0, 2.0)]
    assert evaluator["common_prompts"] == {"n": 1, "estimated": {"model": 0.5, "human": 1.0, "encyclopedia": 1.0}}
