"""The LaTeX of the tables of every page of figures: chosen columns, human heads, a caption, intervals in one cell."""

import ast
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, Prompt, User
from core.caching import memory
from core.tables import as_latex
from evaluators.label_next.plan import draw_round, make_plan
from evaluators.models import Prediction, SharedComparison
from evaluators.sharing.documents import thaw_table
from tests.core.latex import caption_of, compile_where_tex_is, printed_tables, rows_of
from tests.evaluators.audit.work import answer, make_audited, send_all
from tests.evaluators.comparison import test_repeats as repeats
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.comparison.test_people import label
from tests.evaluators.errors.work import make_mistakes, researcher, sample_of, tag_all
from tests.evaluators.label_next.test_plan import drawn_keys
from tests.evaluators.label_next.work import NAMES, make_pool
from tests.evaluators.label_next.work import label as label_prompts
from tests.evaluators.stages import test_pages as stages
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


def log_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("compare", ""),
        ("compare-people", ""),
        ("leaderboard", ""),
        ("thresholds", "?evaluator=ada"),
        ("promise", "?evaluator=ada&rate=90&probability=50&then=ben"),
        ("growing", "?one=ada&other=ben&weight=5"),
        ("combinations", ""),
        ("what-to-report", ""),
    ],
)
def test_every_table_of_a_page_of_evaluators_is_printed(
    lab: Dataset, rhea: Client, page: str, query: str, tmp_path: Path
) -> None:
    freeze_gold(lab, "v1")
    printed = printed_tables(rhea, reverse(page, args=[lab.pk]) + query)
    for text in printed.values():
        assert "my_lab (current gold, not frozen)" in caption_of(text)
    compile_where_tex_is(printed.values(), tmp_path)
    chosen = f"{query}&gold=v1" if query else "?gold=v1"
    for text in printed_tables(rhea, reverse(page, args=[lab.pk]) + chosen).values():
        assert "my_lab (gold v1)" in caption_of(text)


@pytest.mark.parametrize("page", ["subject-models", "subject-ranking"])
def test_every_table_of_subject_models_is_printed(bios: Dataset, rhea: Client, page: str) -> None:
    assert printed_tables(rhea, reverse(page, args=[bios.pk]))


def test_the_running_difference_says_of_whom_and_with_which_weight(lab: Dataset, rhea: Client) -> None:
    text = take(rhea, "growing", "growing", lab, "&one=ada&other=ben&weight=5")
    assert caption_of(text) == (
        "Accuracy of ada less that of ben, mean over the prompts in the order of their first gold, on my_lab (current "
        "gold, not frozen), segments (n = 24), with the 95 % interval that holds at all times together. Units without "
        "a decision count as wrong. Within a prompt an error counts as 5 correct units."
    )
    assert re.fullmatch(r"0\.\d\d \[.*\]", rows_of(text)[-1][1])


def test_a_promise_says_what_is_promised(lab: Dataset, rhea: Client) -> None:
    text = take(rhea, "promise", "promise", lab, "&evaluator=ada&rate=90&probability=50")
    assert caption_of(text) == (
        "Thresholds of the scores of ada on my_lab (current gold, not frozen), segments (n = 24 units of 12 prompts), "
        "the rest going to people. Rate: of the errors, the share that is passed; each prompt counts the same. A "
        "threshold qualifies where the rate is shown to be at most 0.9 with probability 0.5. Test: bets on prompts in "
        "a random order (seed 20170), thresholds in fixed sequences, p $\\leq$ 0.5. Upper bounds: of each threshold "
        "alone."
    )
    assert heads(text) == ["Threshold", "Not accepted", "Rate here", "Upper bound", "p", "Qualifies"]


def test_repeated_runs_are_printed_with_the_units_of_each_level(rhea: Client) -> None:
    dataset = make_dataset("lab")
    make_person("rhea", dataset, "researcher")
    for _ in range(PROMPTS):
        first, second = make_response(dataset).segments.all()
        add_gold(first, "not_supported", "knowledge")
        add_gold(second, "supported")
    run, _ = (repeats.ask(dataset, found, asking) for asking, found in enumerate((4, 8)))
    (text,) = printed_tables(rhea, reverse("run-repeats", args=[run.pk])).values()
    assert caption_of(text).startswith(
        "F1 of judge by run on lab (current gold, not frozen) (n: segments 24, whole responses 12), with 95 % "
        "intervals (2,000 resamples of whole prompts, seed 20170)"
    )
    # 2 · 4 / (2 · 4 + 8) of the first run.
    assert rows_of(text)[1][2].startswith("0.50 [")


def test_stages_are_printed_with_the_test_and_without_an_interval_of_the_error_rate(rhea: Client) -> None:
    dataset = make_dataset("lives", "factscore")
    make_person("rhea", dataset, "researcher")
    for name in ("Ada", "Grace"):
        response = make_response(dataset, ["She flew."], f"Tell me of {name}.", "bio", "amber", name)
        for fact, value in zip(add_facts(response, [["Born.", "Flew."]]), ("supported", "not_supported"), strict=True):
            add_gold(fact, value)
    stages.say(dataset, "retrieved", "SSSN")
    stages.say(dataset, "gold passages", "SNSN", retrieval="gold")
    (text,) = printed_tables(rhea, reverse("stages", args=[dataset.pk])).values()
    assert "on lives (current gold, not frozen), facts, over the n units" in caption_of(text)
    assert "step-down over the changes of all stages and chains, p \\textless{} 0.05; 2,000 resamples" in caption_of(
        text
    )
    assert heads(text)[-1] == "Change of error rate"
    # The score is 3/4 by the one and 1/2 by the other, where gold has 1/2.
    assert rows_of(text)[1][-1] == "$-$0.25"


def test_a_gold_audit_is_printed_with_its_seed(db: None) -> None:
    dataset, _ = make_audited(60, 4)
    audit = send_all(dataset)
    answer(audit, 2, control=False)
    (text,) = printed_tables(log_in("dora"), reverse("gold-audit", args=[audit.pk])).values()
    revision = audit.second_look.revision
    assert f"(gold revision {revision}): candidates, which 2 or more evaluators contradict" in caption_of(text)
    assert "(n = 4 units looked at; seed of the draw 7)" in caption_of(text)
    assert heads(text) == ["Units", "Looked at", "Contradicted", "Gold changed", "To settle"]
    assert rows_of(text)[1][2].startswith("0.50")


def test_rounds_of_drawn_labels_are_printed_with_their_figure(db: None) -> None:
    memory.clear()
    dataset = make_pool()
    draw_round(make_plan(dataset, "judge 0", "f1", 7, None), 12, NAMES, User.objects.get(username="dora"))
    label_prompts(dataset, drawn_keys(dataset))
    (text,) = printed_tables(log_in("rhea"), reverse("next-labels", args=[dataset.pk])).values()
    assert "predictions of all n = 24 prompts" in caption_of(text)
    assert caption_of(text).endswith("(linearised variance over prompts; seed of the draw 7).")
    assert heads(text) == ["Round", "Prompts", "Labels", "F1", "Labels saved"]
    assert re.fullmatch(r"\d\.\d\d \[.*\]", rows_of(text)[1][3])


def test_an_error_analysis_is_printed_with_its_sample(db: None, tmp_path: Path) -> None:
    _, run = make_mistakes(3)
    analysis = sample_of(run, 2)
    tag_all(analysis, researcher("rhea", run.dataset), 0, 1)
    tag_all(analysis, researcher("rob", run.dataset), 0, 0)
    printed = printed_tables(log_in("rhea"), reverse("error-analysis", args=[analysis.pk]))
    assert set(printed) == {"causes", "agreement", "mistakes"}
    of = f"n = 2 mistakes of judge on lab (gold revision {analysis.revision}), drawn at random of 3 (seed 7)"
    assert all(of in caption_of(text) for text in printed.values())
    assert "shares of the 1 settled ones" in caption_of(printed["causes"])
    compile_where_tex_is(printed.values(), tmp_path)


def test_a_shared_comparison_keeps_captions_and_chosen_columns(lab: Dataset) -> None:
    make_person("dora", lab, "adjudicator")
    assert log_in("dora").post(reverse("shares", args=[lab.pk]), {"title": "As sent"}).status_code == 302
    link = SharedComparison.objects.get()
    address = f"{reverse('shared')}?key={link.key}"
    text = Client().get(f"{address}&table=evaluators&as=latex").text
    compared = take(log_in("rhea"), "compare", "evaluators", lab)
    assert caption_of(text) == caption_of(compared)
    # People's agreement is not shared.
    assert rows_of(text) == [row for row in rows_of(compared) if "one annotator against another" not in row]
    assert heads(Client().get(f"{address}&table=evaluators&as=latex&print=Evaluator&print=n").text) == [
        "Evaluator",
        "n",
    ]

    older = {name: value for name, value in link.figures["tables"][0].items() if name != "printed"}
    assert thaw_table(older).printed is None
    assert as_latex(thaw_table(older)).startswith("% the table of evaluators")


# Tables that only stand in a Markdown document, and the one that is thawed as it was frozen.
WITHOUT_CAPTION = {"evaluators/reproduction/document.py", "evaluators/reproduction/unprinted.py"}


@pytest.mark.parametrize("room", ["annotate", "evaluators", "factor"])
def test_every_table_that_is_made_says_how_it_is_printed(room: str) -> None:
    root = Path(__file__).resolve().parents[2]
    calls = [
        (str(path.relative_to(root)), node)
        for path in (root / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Table"
    ]
    without = {name for name, call in calls if len(call.args) + len(call.keywords) < 5}
    assert without - WITHOUT_CAPTION == set()
