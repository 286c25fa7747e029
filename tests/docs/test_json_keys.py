"""Commands print the JSON keys that docs/commands.md lists, all of them and no others.

Models are served over real HTTP. Commands that read the demo are tested in tests/fixtures/test_demo.py.
"""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command, get_commands, load_command_class

from annotate.corpus.rows import PromptRow
from annotate.models import GoldVersion, Release
from annotate.prompts.collect import collect
from annotate.prompts.sample_entities import REGIONS
from evaluators import demo
from factor.open_ended.label import label
from stats.agreement import COEFFICIENTS
from tests.annotate.adjudication.work import judge, make_task
from tests.docs.documented import DOCS, documented_coefficients, undocumented, unprinted
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.editing import work as editing
from tests.evaluators.label_next import work as label_next
from tests.factor.building.corpus import LIVES, WITHOUT
from tests.factor.open_ended import work as open_ended
from tests.factor.perplexity.work import make_insects
from tests.factor.scoring.work import LIKELY, make_benchmark, served
from tests.factor.thresholds import work as thresholds
from tests.factor.validation import work as validation
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db

DEMO_TESTS = "tests/fixtures/test_demo.py"


def printed(command, *arguments):
    """The document that the command prints last on standard output."""
    out = StringIO()
    call_command(command, *map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


def check(command, *documents, option=""):
    """Every key of the documents is in the table of the command, and every key of the table is in one of them."""
    for document in documents:
        assert undocumented(command, document, option) == set()
    assert unprinted(command, documents, option) == set()


@pytest.fixture
def lab():
    """Two responses of FELM's scheme with gold, one of them wrong in the fake model's eyes and in gold's."""
    dataset = make_dataset()
    for prompt, texts in (("Ada", ["She wrote letters.", "This is wrong."]), ("Ben", ["He sang.", "He rode."])):
        response = make_response(dataset, texts, prompt=prompt, domain="science")
        for segment in response.segments.all():
            add_gold(segment, "not_supported" if "wrong" in segment.text else "supported")
    return dataset


@pytest.fixture
def lives():
    """Facts of two subject models on four prompts, with gold."""
    dataset = make_dataset("lives", scheme="factscore")
    for subject in ("amber", "basalt"):
        for topic in ("Ada", "Ben", "Cleo", "Dora"):
            response = make_response(dataset, [f"{topic} painted."], prompt=topic, subject=subject)
            for fact in add_facts(response, [[f"{topic} painted.", f"{subject} is wrong."]]):
                add_gold(fact, "not_supported" if "wrong" in fact.text else "supported")
    dataset.prompts.filter(topic="Ada").update(reference_facts=["Ada painted.", "Ada sang."])
    return dataset


def test_generate_responses(model):
    dataset = make_dataset("new lives", scheme="factscore")
    collect(dataset, [PromptRow(f"Tell me a bio of {topic}.", topic=topic) for topic in ("Maria", "Otto")], "file")
    model.control(answer="Maria painted. She sang.")

    estimated = printed("generate_responses", "new lives", "tiny", "--estimate")
    check("generate_responses", estimated, option="--estimate")
    check("generate_responses", printed("generate_responses", "new lives", "tiny", "--wait"))


def test_write_prompts(model):
    collect(make_dataset(), [PromptRow("Why is the sky blue at noon?")], "file")

    check("write_prompts", printed("write_prompts", "lab", "tiny", "--wanted", 2))


def test_propose(model, lives):
    make_response(lives, ["Eve painted."], prompt="Eve", subject="amber")

    check("propose", printed("propose", "lives", "facts", "--model", "tiny", "--wait"))


def test_evaluate(model, lab):
    words = ("evaluate", "lab", "felm-segment", "--model", "m")

    check("evaluate", printed(*words, "--estimate"), option="--estimate")
    check("evaluate", printed(*words, "--wait"))
    check("evaluate", printed("evaluate", "--methods"), option="--methods")
    check("resume_runs", printed("resume_runs"))


def test_search_engines(lab):
    added = ("searx", "--protocol", "searxng", "--address", "https://searx.example/search")
    check("search_engines", printed("search_engines", *added))


def test_batches(model, lab):
    words = ("evaluate_many", "lab", "--methods", "felm-segment", "--models", "m", "n")

    check("evaluate_many", printed(*words, "--estimate"), option="--estimate")
    begun = printed(*words, "--wait")
    check("evaluate_many", begun)
    check("batch", printed("batch", str(begun["batch"])))


@pytest.mark.parametrize("command", ["report", "compare"])
def test_figures_of_runs_that_asked_a_model(model, lab, lives, command):
    for again in ((), ("--anew",)):
        printed("evaluate", "lab", "felm-segment", "--model", "m", "--wait", *again)
    printed("evaluate", "lives", "factscore-no-context", "--model", "m", "--wait")
    lab.knowledge_source = make_source("numbers", Ada="She wrote letters.")
    lab.save()
    printed("evaluate", "lab", "fastfact", "--model", "m", "--param", "search=corpus", "--wait")

    check(command, printed(command, "lab"), printed(command, "lives"))


def test_datasets_compared(lab):
    """Two evaluators with figures in both datasets, a third in one of them."""
    other = make_dataset("other")
    for segment in make_response(other).segments.all():
        add_gold(segment, "not_supported")
    for dataset, names in ((lab, ("one", "two", "three")), (other, ("one", "two"))):
        for name in names:
            segments = [segment for response in dataset.responses.all() for segment in response.segments.all()]
            add_run(dataset, dict.fromkeys(segments, "N"), name, "imported")
    check("compare_datasets", printed("compare_datasets", "lab", "other"))


def test_editors(model, tmp_path):
    editing.make_lives("edited")
    words = ("edit", "edited", "retrieve", "--model", "m")
    check("edit", printed(*words, "--estimate"), option="--estimate")
    check("edit", printed(*words, "--wait"))
    check("edit", printed("edit", "--methods"), option="--methods")
    printed("edit", "edited", "copy", "--wait")
    check("report_edits", printed("report_edits", "edited", "--after", "edited"))


def test_label_next():
    dataset = label_next.make_pool()
    words = ("--evaluator", "judge 0", "--plan", "--draw", 12, "--annotators", "ada,ben")
    printed("label_next", "lab", *words)
    label_next.label(dataset, [task.responses.get().prompt_id for task in dataset.tasks.all()])

    check("label_next", printed("label_next", "lab"))


def test_promises_and_running_comparisons():
    dataset = make_dataset()
    said = {}
    for number in range(40):
        response = make_response(dataset, prompt=f"Which numbers are odd? {number}")
        for segment, value in zip(response.segments.all(), ("not_supported", "supported"), strict=True):
            add_gold(segment, value)
            said[segment] = "S" if segment.position else "N"
    run = add_run(dataset, said, "ada")
    run.predictions.filter(segment__position=0).update(score=0.1)
    run.predictions.filter(segment__position=1).update(score=0.8)
    add_run(dataset, dict.fromkeys(said, "S"), "ben")
    words = ("risk_control", "lab", "--evaluator", "ada")

    check("risk_control", printed(*words, "--then", "ben"), printed(*words), printed(*words, "--missed", "0.01"))
    check("running_comparison", printed("running_comparison", "lab", "ada", "ben"))


def test_score_subjects_and_export_results(model, lives, tmp_path):
    for name in ("m", "n"):
        printed("evaluate", "lives", "factscore-no-context", "--model", name, "--wait")

    check("score_subjects", printed("score_subjects", "lives"))
    bundle = tmp_path / "results.zip"
    check(
        "export_results",
        printed("export_results", "lives", "--output", bundle, "--evaluator", "factscore-no-context · m"),
    )
    check("import_results", printed("import_results", "lives", bundle, "--suffix", " (again)"))


def test_make_benchmark_and_filter_thresholds(model):
    make_dataset()
    make_source("lives", **LIVES, **WITHOUT)
    words = ("make_benchmark", "lab", "ferries", "--source", "lives", "--model", "tiny", "--wait")
    judged = [f"{filter_}.{key}" for filter_ in ("contradiction", "fluency") for key in ("by=judge", "model=tiny")]

    check("make_benchmark", printed(*words, "--param", *judged))
    check("filter_thresholds", printed("filter_thresholds", "lab", "ferries", "--draw", 4), option="--draw")


def test_scores_and_perplexity(model):
    model.control(logprobs_of=LIKELY)
    dataset = make_dataset()
    benchmark, insects = make_benchmark(dataset), make_insects()
    served(dataset, echo=True)
    of_model = ("--model", "mimi", "--context", 64, "--wait")

    check("score_benchmark", printed("score_benchmark", "lab", benchmark.name, *of_model))
    check("corpus_perplexity", printed("corpus_perplexity", "lab", insects.name, *of_model))
    printed("score_benchmark", "lab", benchmark.name, *of_model, "--no-prefix")
    check("factor_report", printed("factor_report", "lab", benchmark.name))


def test_the_coefficients_of_the_statistics_are_those_of_the_registry():
    assert documented_coefficients() == list(COEFFICIENTS)


def fixture(name):
    return demo.FIXTURES / name


def test_files_in_and_out(tmp_path):
    whole = printed("import_dataset", "five", fixture("demo_felm.jsonl"), "--format", "felm")
    gaps = tmp_path / "gaps.jsonl"
    gaps.write_text('{"prompt": "Why?", "response": "So."}\n{"prompt": "How?", "response": null}\n')
    skipping = printed("import_dataset", "gaps", gaps, "--format", "responses", "--skip", "all")
    check("import_dataset", whole, skipping)
    check("import_labels", printed("import_labels", "five", fixture("demo_labels.jsonl")))
    outside = (fixture("demo_judge_from_memory.jsonl"), "--evaluator", "outside")
    printed("import_dataset", "five", fixture("demo_felm_science.jsonl"), "--format", "felm")
    check("import_predictions", printed("import_predictions", "five", *outside))
    check("freeze_gold", printed("freeze_gold", "five", "v1"))
    check("release_dataset", printed("release_dataset", "five", "v1", "--output", tmp_path / "five"))
    check("import_benchmark", printed("import_benchmark", "five", "notes", fixture("demo_benchmark.csv")))
    check("import_scores", printed("import_scores", "five", "notes", fixture("demo_scores_gemma-3-270m.jsonl")))


def test_import_documents(lives):
    lives.prompts.filter(topic="Ada").update(topic="Moon")
    words = ("import_documents", "things", fixture("knowledge_things.jsonl"))
    check("import_documents", printed(*words, "--topics-of", "lives"), printed(*words))


def test_assign():
    dataset = make_dataset()
    make_response(dataset)
    for name in ("ada", "ben"):
        make_person(name, dataset)

    check("assign", printed("assign", "lab", "--annotators", "ada,ben"))


def test_prompts_and_samples(tmp_path):
    def file(*rows):
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    response = make_response(make_dataset())
    check("import_samples", printed("import_samples", "lab", file({"index": response.index, "samples": ["One."]})))
    of_prompt = {"prompt": response.prompt.text, "facts": ["One is odd."]}
    check("import_reference_facts", printed("import_reference_facts", "lab", file(of_prompt)))
    check("import_prompts", printed("import_prompts", "new", file({"prompt": "Why?"}), "--scheme", "felm"))
    entities = [
        {"name": f"{region} {views}", "region": region, "views": views}
        for region in REGIONS
        for views in (10, 500, 5_000, 50_000, 500_000)
    ]
    check("sample_entities", printed("sample_entities", file(*entities), "--size", 20))


def test_reports_of_labels_on_benchmarks():
    ada, ben = make_person("ada"), make_person("ben")
    sample = validation.draw(validation.make_benchmark(make_dataset(), examples=2))
    for person in (ada, ben):
        validation.rate_all(sample, person, {(0, 1): validation.FACTUAL})
    check("validation_report", printed("validation_report", "lab", "news"))

    thresholds.labelled_sample(thresholds.make_build(make_dataset("builds")), ada)
    check("filter_thresholds", printed("filter_thresholds", "builds", "ferries"))


def test_open_ended_report():
    benchmark = open_ended.make_benchmark(3)
    for name in ("small", "large"):
        scores = ((-2, -3, -1), (-2, -3, -1), (-2, -3, -3))
        study = open_ended.written_study(scoring=open_ended.make_scoring(benchmark, *scores, name=name), raters=2)
        for text in open_ended.texts_of(study):
            for person in ("ada", "ben"):
                label(text, make_person(person), "true")

    check("open_ended_report", printed("open_ended_report", "lab", "lives"))


def test_what_is_kept_and_forgotten(settings):
    settings.ANSWERS_DAYS = 1
    check("prune", printed("prune", "--dry-run"))
    dataset = make_dataset()
    response = make_response(dataset)
    judge(make_task(response), "ada", dict.fromkeys(response.segments.all(), "supported"))
    version = GoldVersion.objects.create(dataset=dataset, name="1.0", revision=0, hash="0" * 64, labels=1)
    Release.objects.create(version=version, names=True, file="releases/lab.zip")
    check("forget_person", printed("forget_person", "ada"))


def test_every_command_that_prints_json_is_held_to_its_table():
    rooms = ("annotate", "evaluators", "factor")
    commands = {name: load_command_class(room, name) for name, room in get_commands().items() if room in rooms}
    with_json = {
        name for name, each in commands.items() if "--json" in each.create_parser("", name)._option_string_actions
    }
    sources = "".join(path.read_text(encoding="utf-8") for path in (Path(__file__), DOCS.parent / DEMO_TESTS))
    assert {name for name in with_json if f'"{name}"' not in sources} == set()
