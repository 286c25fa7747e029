"""A package with a method and its own templates, installed by pip from tests/plug_ins."""

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.urls import reverse

from annotate.models import Role, User
from annotate.prompt_sets.sets import all_sets, find_set
from annotate.prompt_sets.upload import store_set
from evaluators.bundle.export import export_results
from evaluators.comparison.report import build_report
from evaluators.methods import FAULTS, METHODS
from evaluators.methods.outside import outside_methods
from evaluators.models import Run
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.run_job import RunJob
from health.findings import Finding, State
from health.inside import check_plug_ins
from jobs.work import work_on
from knowledge.engines import ENGINES
from knowledge.engines.outside import outside_engines
from llm.models import Endpoint
from llm.templates import PromptError, parse_template
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.fake_search import fake_search
from tests.waiting import LONGEST

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "tests" / "plug_ins" / "agreeing"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder into which pip installed it, without the network."""
    folder = tmp_path_factory.mktemp("plug-in")
    source = shutil.copytree(PACKAGE, folder / "source")  # building writes beside the source
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"),
            *("--target", folder / "site", source),
        ],
        check=True,
        timeout=LONGEST,
    )
    return folder / "site"


@pytest.fixture
def agreeing(installed, monkeypatch):
    """The method, registered in this process; the folder of its package."""
    monkeypatch.syspath_prepend(str(installed))
    found = outside_methods(METHODS)
    assert found.faults == {}
    for name, method in found.methods.items():
        monkeypatch.setitem(METHODS, name, method)
    yield installed / "touchstone_agreeing"
    for name in ("touchstone_agreeing", "touchstone_agreeing.looking", "touchstone_agreeing.wording"):
        sys.modules.pop(name, None)


@pytest.fixture
def lab(db):
    lab = make_dataset()
    make_response(lab, ["Ada wrote."])
    return lab


def run_of(lab, **options):
    return create_run(lab, "agreeing", model="m", **options)


@pytest.mark.django_db(transaction=True)
def test_its_own_templates_are_sent_and_named_in_the_manifest(agreeing, lab, model):
    model.control(answer="yes")
    run = run_of(lab).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED, run.error
    prediction = run.predictions.get()
    assert prediction.value == "supported"
    assert prediction.calls.get().request["messages"] == [{"role": "user", "content": "Do you agree? Ada wrote."}]
    assert run.manifest["prompts"] == {
        "set": "touchstone-agreeing",
        "templates": {"agreeing_ask": read_hash("touchstone-agreeing")},
    }


def read_hash(name):
    return parse_template(find_set(None, name).templates["agreeing_ask"], name).hash


@pytest.fixture
def looked(agreeing, lab, monkeypatch):
    """Its run of claims that it extracts, with its own search engine: both sentences are claims, "Ben sang." is found
    nowhere and wrong by gold."""
    found = outside_engines(ENGINES)
    assert found.faults == {}
    monkeypatch.setitem(ENGINES, "agreeing-search", found.engines["agreeing-search"])
    monkeypatch.setenv("TOUCHSTONE_KEY_AGREEING", "secret")
    make_response(lab, ["Ben sang."])
    for unit, value in zip(lab_segments(lab), ("supported", "not_supported"), strict=True):
        add_gold(unit, value)
    with fake_search() as web:
        web.answers["Ben sang."] = []
        Endpoint.objects.create(
            name="own",
            base_url=f"{web.address}/searxng",
            key_variable="TOUCHSTONE_KEY_AGREEING",
            search_engine="agreeing-search",
            shared=True,
        )
        run = create_run(lab, "looking", parameters={"search": "own"}).run
        work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED, run.error
    assert web.headers["authorization"] == "Bearer secret"
    return run


def lab_segments(lab):
    return [response.segments.get() for response in lab.responses.order_by("position")]


@pytest.mark.django_db(transaction=True)
def test_its_method_extracts_claims_and_searches_with_its_own_engine(looked):
    """Without any model, and within the limits of every search."""
    assert [(claim.text, claim.value) for claim in looked.extracted_claims.order_by("response__position")] == [
        ("Ada wrote.", "supported"),
        ("Ben sang.", "not_supported"),
    ]
    values = list(looked.predictions.in_reading_order().values_list("value", flat=True))
    assert values == ["supported", "not_supported"]
    assert looked.searches.count() == 2


@pytest.mark.django_db(transaction=True)
def test_its_claims_are_on_the_leaderboard_with_extraction_and_f1_at_k(looked, client):
    report = build_report(looked.dataset)
    [entry] = [each for each in report["evaluators"] if each["evaluator"] == "looking"]
    figures = entry["extraction"]["figures"]
    assert entry["results"][0]["f1"] == 1  # the only error is called one
    shares = ("claim_precision", "unit_coverage", "invented_claims")
    assert {name: (figures[name]["count"], figures[name]["n"]) for name in shares} == {
        "claim_precision": (2, 2),
        "unit_coverage": (2, 2),
        "invented_claims": (0, 2),
    }
    # One claim a response, so K is 1: F1@1 is 1 for the supported claim and 0 for the other.
    [subject] = entry["at_k"]["subjects"]
    assert subject["f1"] == 0.5

    client.force_login(make_person("rhea", looked.dataset, Role.RESEARCHER))
    board = reverse("leaderboard", args=[looked.dataset_id])
    rows = {level: client.get(f"{board}?level={level}").content.decode() for level in ("segment", "recall")}
    assert all("looking" in page for page in rows.values())
    assert "0.500" in rows["recall"]


@pytest.mark.django_db(transaction=True)
def test_its_run_is_exported_with_claims_and_searches(looked, tmp_path):
    assert "looking" in export_results(looked.dataset, tmp_path / "results.zip", searches=True).evaluators
    with ZipFile(tmp_path / "results.zip") as bundle:
        names = {name: name.rpartition("/")[2] for name in bundle.namelist()}
        lines = {
            file: [json.loads(line) for line in bundle.read(name).splitlines()]
            for name, file in names.items()
            if file in ("claims.jsonl", "searches.jsonl")
        }
    assert [claim["text"] for claim in lines["claims.jsonl"]] == ["Ada wrote.", "Ben sang."]
    assert [(search["engine"], search["query"]) for search in lines["searches.jsonl"]] == [
        ("agreeing-search", "Ada wrote."),
        ("agreeing-search", "Ben sang."),
    ]


def test_another_wording_takes_the_place_of_its_own_and_makes_a_new_run(agreeing, lab, model):
    store_set(lab, "mine", [("agreeing_ask.txt", io.BytesIO(b"== user\nTrue? $unit"))], None)
    own, same, other = run_of(lab), run_of(lab), run_of(lab, parameters={"prompts": "mine"}, name="mine")
    assert (same.created, same.run) == (False, own.run)
    assert other.created


def test_a_changed_template_of_the_package_makes_a_new_run(agreeing, lab, model):
    first = run_of(lab).run
    file = agreeing / "wording" / "agreeing_ask.txt"
    before = file.read_text()
    try:
        file.write_text("== user\nSurely? $unit\n")
        second = run_of(lab)
    finally:
        file.write_text(before)
    assert second.created
    assert second.run.manifest["prompts"] != first.manifest["prompts"]


def test_the_page_lists_and_shows_the_packages_set(agreeing, lab, client):
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    assert "the package touchstone-agreeing" in client.get(reverse("prompt-sets", args=[lab.pk])).content.decode()
    shown = client.get(reverse("prompt-set", args=[lab.pk]) + "?set=touchstone-agreeing").content.decode()
    assert "Do you agree? $unit" in shown


def test_a_template_of_a_package_that_is_none_is_named_with_its_line_and_the_page_opens(agreeing, lab, client):
    file = agreeing / "wording" / "felm_claim.txt"
    file.write_text("== user\n$question\n$claim\n")
    try:
        with pytest.raises(PromptError, match=r"of the package touchstone-agreeing .*felm_claim\.txt, line 3: \$claim"):
            find_set(lab, "touchstone-agreeing")
        with pytest.raises(RunError, match=r"felm_claim\.txt, line 3"):
            run_of(lab)
        assert [each.name for each in all_sets(lab)] == ["touchstone", "touchstone-agreeing"]
        client.force_login(make_person("rhea", lab, Role.RESEARCHER))
        page = client.get(reverse("prompt-sets", args=[lab.pk])).content.decode()
        assert "felm_claim.txt, line 3: $claim is not filled in here" in page
        [found] = check_plug_ins()
        assert (found.state, "felm_claim.txt, line 3" in found.sentence) == (State.WARNING, True)
    finally:
        file.unlink()


@pytest.mark.django_db(transaction=True)
def test_what_it_raises_while_it_judges_is_said_in_one_sentence_that_names_it(agreeing, lab, model):
    """It even tries to end the worker."""
    model.control(answer="fail")
    run = run_of(lab).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    said = "The plug-in agreeing of the package touchstone-agreeing failed with SystemExit: I was told to fail."
    assert (run.items.get().error, run.state) == (said, Run.State.FAILED)
    assert said in run.error
    with pytest.raises(RunError, match=r"The plug-in agreeing .* failed with SystemExit"):
        estimate(lab, "agreeing", model="m", limit=None)


def test_the_site_starts_where_a_plug_in_ends_the_program_and_says_which_one(installed, tmp_path):
    site = shutil.copytree(installed, tmp_path / "site")
    (site / "touchstone_agreeing" / "__init__.py").write_text("import sys\nsys.exit('No\\nlicence')")
    environment = {**os.environ, "PYTHONPATH": str(site), "DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "manage.py", "evaluate", "--methods", "--json"]
    listed = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    assert listed.returncode == 0, listed.stderr
    assert "felm-segment" in [each["method"] for each in json.loads(listed.stdout)]
    assert (
        "The entry point agreeing = touchstone_agreeing:METHOD of touchstone-agreeing cannot be loaded: "
        "SystemExit: No licence.\n"
    ) in listed.stderr


def test_a_run_of_a_plug_in_that_was_left_out_says_why_and_so_does_the_page(monkeypatch, lab, client):
    monkeypatch.setitem(FAULTS, "agreeing", "The entry point agreeing cannot be loaded.")
    with pytest.raises(RunError, match=r"^The entry point agreeing cannot be loaded\.$"):
        run_of(lab)
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    page = client.get(reverse("run-new", args=[lab.pk])).content.decode()
    assert "The entry point agreeing cannot be loaded. It is left out." in page


@pytest.mark.django_db
def test_the_state_of_the_server_names_a_plug_in_that_was_left_out(monkeypatch, client):
    assert [found.state for found in check_plug_ins()] == [State.OK]
    monkeypatch.setitem(FAULTS, "agreeing", "The entry point agreeing cannot be loaded.")
    assert list(check_plug_ins()) == [Finding("plug-ins", State.WARNING, "The entry point agreeing cannot be loaded.")]
    client.force_login(User.objects.create_superuser("root", password="root"))
    assert "The entry point agreeing cannot be loaded." in client.get(reverse("server")).content.decode()
