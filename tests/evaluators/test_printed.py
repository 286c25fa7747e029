"""The LaTeX of the tables of every page of figures: chosen columns, human heads, a caption, intervals in one cell."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, Prompt
from core.caching import memory
from evaluators.models import Prediction
from tests.core.latex import compile_where_tex_is, rows_of
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.comparison.test_people import label
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

PROMPTS = 12
CAPTION = re.compile(r"\\caption\{(.*)\}")


@pytest.fixture
def rhea(db: None) -> Client:
    memory.clear()
    client = Client()
    client.force_login(make_person("rhea"))
    return client


def take(client: Client, page: str, name: str, dataset: Dataset | None = None, query: str = "") -> str:
    where = reverse(page, args=[dataset.pk] if dataset else [])
    answer = client.get(f"{where}?table={name}&as=latex{query}")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def lab(rhea: Client) -> Dataset:
    """In each response an error and a correct unit; ada finds all errors, ben a quarter of them. Three people label."""
    dataset = make_dataset("my_lab")
    said: dict[str, dict] = {"ada": {}, "ben": {}}
    for place in range(PROMPTS):
        first, second = make_response(dataset, domain="science").segments.all()
        add_gold(first, "not_supported", "knowledge")
        add_gold(second, "supported")
        said["ada"] |= {first: "N", second: "S"}
        said["ben"] |= {first: "S" if place % 4 else "N", second: "S"}
    for name, units in said.items():
        run = add_run(dataset, units, name, "imported")
        Prediction.objects.filter(run=run, value="supported").update(score=0.9)
        Prediction.objects.filter(run=run, value="not_supported").update(score=0.2)
    label(dataset, ann=["NS"], bob=["NS", "SS"], cy=["NN", "NS"])
    make_person("rhea", dataset, "researcher")
    return dataset


@pytest.fixture
def bios(rhea: Client) -> Dataset:
    """Two subject models, one with an error in every response, the other in one; a judge who finds none."""
    dataset, said = make_dataset("bios", "factscore"), {}
    prompts: dict[str, Prompt | str] = {}
    for subject, wrong in (("amber", 1), ("basalt", PROMPTS)):
        for place in range(PROMPTS):
            topic = f"Topic {place}"
            response = make_response(dataset, ["One.[1]"], prompt=prompts.get(topic, topic), subject=subject)
            prompts[topic] = response.prompt
            for number, fact in enumerate(add_facts(response, [["One.", "Two."]])):
                add_gold(fact, "not_supported" if number == 0 and place < wrong else "supported")
                said[fact] = "N" if number == 0 and place < wrong and place % 3 else "S"
    add_run(dataset, said, "judge", "imported")
    make_person("rhea", dataset, "researcher")
    return dataset


def heads(text: str) -> list[str]:
    return rows_of(text)[0]


def test_the_tables_of_evaluators_have_chosen_columns_and_a_caption(lab: Dataset, rhea: Client, tmp_path: Path) -> None:
    texts = {
        "pairs": take(rhea, "compare", "pairs", lab),
        "people": take(rhea, "compare-people", "people", lab),
        "datasets": take(rhea, "leaderboards", "datasets"),
        "scores": take(rhea, "thresholds", "scores", lab, "&evaluator=ada"),
        "thresholds": take(rhea, "thresholds", "thresholds", lab, "&evaluator=ada"),
        "combinations": take(rhea, "combinations", "combinations", lab),
    }
    assert heads(texts["pairs"]) == ["Higher", "Lower", "Difference", "Adjusted p", "Significant"]
    assert heads(texts["people"])[:3] == ["Evaluator", "F1", "Difference from people"]
    assert heads(texts["datasets"]) == ["First rank", "Last rank", "Evaluator", "Average F1", r"my\_lab"]
    assert heads(texts["scores"])[:3] == ["Evaluator", "Average precision", "AUROC"]
    assert heads(texts["thresholds"])[:3] == ["Evaluator", "Threshold", "F1"]
    assert heads(texts["combinations"])[:3] == ["Combination", "Rule", "F1"]
    for text in texts.values():
        caption = CAPTION.search(text)
        assert caption is not None
        assert r"my\_lab" in caption[1]
        assert "95 \\% intervals" in caption[1]
        assert "seed" in caption[1]
        assert "n = " in caption[1] or "n units" in caption[1]
    assert r"(current gold, not frozen)" in texts["pairs"]
    # 1 − 2 · 3 / (2 · 3 + 9): the difference in F1.
    pair = next(row for row in rows_of(texts["pairs"]) if row[:2] == ["ada", "ben"])
    assert re.fullmatch(r"0\.60 \[0\.\d\d, \d\.\d\d\]", pair[2])
    averages = {row[2]: row[3] for row in rows_of(texts["datasets"])[1:]}
    assert averages["ada"].startswith(r"\textbf{1.00")
    assert r"\textbf" not in averages["ben"]
    compile_where_tex_is(texts.values(), tmp_path)


def test_the_tables_of_subject_models_have_human_heads(bios: Dataset, rhea: Client, tmp_path: Path) -> None:
    names = ("subjects", "position", "sentences", "citations", "means", "estimates", "contrary")
    texts = {name: take(rhea, "subject-models", name, bios) for name in names}
    texts |= {name: take(rhea, "subject-ranking", name, bios) for name in ("ranking", "spread", "corrections")}

    for text in texts.values():
        assert not any("_" in head for head in heads(text))
        caption = CAPTION.search(text)
        assert caption is not None
        assert " on bios" in caption[1]
    assert heads(texts["estimates"]) == [
        *("Evaluator", "Subject model", "F1micro", "FActScore by gold", "Estimated FActScore", "Bias", "Error rate"),
        "Responses",
    ]
    # 12 of 24 facts are supported in the responses of basalt; of amber 23.
    scores = {row[0]: row[1] for row in rows_of(texts["subjects"])[1:]}
    assert scores["amber"].startswith("0.96")
    assert scores["basalt"].startswith("0.50")
    ranked = {row[1]: row[2] for row in rows_of(texts["ranking"])[1:]}
    assert ranked["amber"].startswith(r"\textbf{1.00")
    assert r"\textbf" not in ranked["basalt"]
    chosen = rhea.get(f"{reverse('subject-models', args=[bios.pk])}?table=estimates&as=latex&print=over_called")
    assert heads(chosen.content.decode()) == ["Supported facts called errors"]
    compile_where_tex_is(texts.values(), tmp_path)
