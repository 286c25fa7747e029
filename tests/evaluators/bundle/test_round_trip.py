"""A bundle of one database gives another the same figures, to the last digit."""

import json
import re
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from core.errors import DataError
from evaluators.bundle.contents import ALWAYS
from evaluators.bundle.export import export_results
from evaluators.bundle.run_lines import hash_lines, hash_run, lines_of
from evaluators.bundle.take_in import import_results
from evaluators.comparison.report import build_report
from evaluators.models import Prediction, Run
from evaluators.reproduction.measure import scratch_database
from evaluators.runs.build import RunError
from jobs.errors import StartError
from tests.evaluators.bundle.lab import NAME, add_outside_run, add_own_run, felm_rows, make_lab

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab(tmp_path):
    dataset = make_lab(tmp_path)
    add_outside_run(dataset, tmp_path)
    add_own_run(dataset)
    return dataset


@pytest.fixture
def packed(lab, tmp_path):
    path = tmp_path / "results.zip"
    export_results(lab, path, gold_version="v1", answers=True)
    return path


def without_runs(report):
    """The report without the keys of runs, which differ from database to database."""
    return {
        **report,
        "evaluators": [entry | {"run": None, "runs": len(entry["runs"])} for entry in report["evaluators"]],
    }


def test_another_database_reports_the_same(lab, packed, tmp_path) -> None:
    there = without_runs(build_report(lab, "v1"))
    with scratch_database():
        here = make_lab(tmp_path)
        taken = import_results(here, packed)
        assert (len(taken.runs), taken.unchanged, taken.differences) == (2, 0, [])
        assert without_runs(build_report(here, "v1")) == there


def test_repeats_of_an_evaluator_are_repeats_elsewhere(lab, tmp_path) -> None:
    first = Run.objects.get(evaluator__name="judge · tiny")
    first.manifest["dataset"] = {"content_hash": "same"}
    first.save(update_fields=["manifest"])
    again = Run.objects.create(
        evaluator=first.evaluator, dataset=lab, state="finished", asking=1, manifest=first.manifest
    )
    for item in first.items.all():
        again.items.create(response=item.response, position=item.position, state=item.state)
    for each in first.predictions.filter(segment__position=1):
        again.predictions.create(segment=each.segment, value="not_supported")
    path = tmp_path / "repeats.zip"
    assert export_results(lab, path, gold_version="v1").evaluators == ["counter", "judge · tiny"]
    there = without_runs(build_report(lab, "v1"))
    with scratch_database():
        here = make_lab(tmp_path)
        taken = import_results(here, path, " (lab B)")
        assert (len(taken.runs), taken.differences) == (3, [])
        entry = next(
            each for each in build_report(here, "v1")["evaluators"] if each["method"] == first.evaluator.method
        )
        assert len(entry["runs"]) == 2
        assert entry["run_noise"] == next(e for e in there["evaluators"] if e["runs"] == 2)["run_noise"]
        assert import_results(here, path, " (lab B)").unchanged == 3


def test_the_same_bundle_again_adds_nothing(packed, tmp_path) -> None:
    with scratch_database():
        here = make_lab(tmp_path)
        import_results(here, packed)
        again = import_results(here, packed)
        assert (again.runs, again.unchanged, Run.objects.count()) == ([], 2, 2)


def test_where_it_was_made_it_adds_nothing(lab, packed) -> None:
    assert import_results(lab, packed).unchanged == 2


def test_what_was_taken_in_can_be_handed_on(packed, tmp_path) -> None:
    with scratch_database():
        here = make_lab(tmp_path)
        import_results(here, packed)
        export_results(here, tmp_path / "second.zip", gold_version="v1")
        assert import_results(here, tmp_path / "second.zip").unchanged == 2


def test_an_imported_run_keeps_its_manifest_and_is_not_taken_up(packed, tmp_path) -> None:
    with scratch_database():
        import_results(make_lab(tmp_path), packed)
        run = Run.objects.get(evaluator__name="judge · tiny")
        assert (run.manifest["seed"], run.manifest["bundle"]["file"]) == (7, "results.zip")
        with pytest.raises(StartError, match="results bundle"):
            run.resume()


def test_the_predictions_are_a_file_that_import_predictions_takes(packed) -> None:
    with ZipFile(packed) as archive:
        lines = archive.read("runs/1/predictions.jsonl").decode().splitlines()
    assert json.loads(lines[1]) == {
        "index": "r0",
        "segment": 1,
        "fact": None,
        "value": "not_supported",
        "score": None,
        "rationale": "Counted: ½ …",
    }


def test_answers_are_there_where_they_are_wanted_and_prompts_never(lab, packed, tmp_path) -> None:
    export_results(lab, tmp_path / "without.zip")
    with ZipFile(packed) as full, ZipFile(tmp_path / "without.zip") as lean:
        assert b"Answer: 3" in full.read("runs/2/answers.jsonl")
        assert "runs/2/answers.jsonl" not in lean.namelist()
        assert not any(b"secret" in full.read(name) for name in full.namelist())


def test_the_same_results_give_the_same_bytes(lab, packed, tmp_path) -> None:
    export_results(lab, tmp_path / "again.zip", gold_version="v1", answers=True)
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()


def test_another_data_set_is_refused(packed, tmp_path) -> None:
    with scratch_database():
        here = make_lab(tmp_path, felm_rows(("One is odd.", "Two is even.")))
        with pytest.raises(DataError, match="other responses, segments or facts"):
            import_results(here, packed)
        assert not Run.objects.exists()


def test_other_gold_is_refused_unless_it_is_allowed(packed, tmp_path) -> None:
    rows = felm_rows()
    rows[0]["labels"] = [False, False]
    with scratch_database():
        here = make_lab(tmp_path, rows)
        with pytest.raises(DataError, match="other gold"):
            import_results(here, packed)
        taken = import_results(here, packed, other_gold=True)
        assert (len(taken.runs), taken.other_gold, taken.differences) == (2, True, None)


def test_runs_of_ones_own_stand_beside_imported_ones_under_a_suffix(packed, tmp_path) -> None:
    with scratch_database():
        here = make_lab(tmp_path)
        run = add_outside_run(here, tmp_path)
        Prediction.objects.filter(run=run).update(value="irrelevant", unparsed=False)
        with pytest.raises(RunError, match="'counter' has another run"):
            import_results(here, packed)
        assert Run.objects.count() == 1
        taken = import_results(here, packed, suffix=" (lab B)")
        assert sorted(each.evaluator.name for each in taken.runs) == ["counter (lab B)", "judge · tiny (lab B)"]
        assert taken.differences == []
        assert import_results(here, packed, suffix=" (lab B)").unchanged == 2


def test_the_commands_hand_it_on(lab, tmp_path, capsys) -> None:
    path = tmp_path / "r.zip"
    call_command("export_results", NAME, "--json", output=path, evaluator=["counter"])
    assert json.loads(capsys.readouterr().out)["evaluators"] == ["counter"]
    call_command("import_results", NAME, path, "--json")
    assert json.loads(capsys.readouterr().out) == {
        "dataset": NAME,
        "runs": [],
        "unchanged": 1,
        "other_gold": False,
        "differences": [],
    }


@pytest.mark.parametrize(
    ("options", "cause"),
    [({"evaluator": ["nobody"]}, "no finished run"), ({"gold_version": "v9"}, "no gold version"), ({}, "no finished")],
)
def test_what_cannot_be_exported_is_said(tmp_path, options, cause) -> None:
    make_lab(tmp_path)
    with pytest.raises(CommandError, match=cause):
        call_command("export_results", NAME, output=tmp_path / "r.zip", **options)
    assert not (tmp_path / "r.zip").exists()


def add_claims(dataset):
    """Two claims of the first response in the run with a model behind it: one of both segments, one of none."""
    run = Run.objects.get(evaluator__name="judge · tiny")
    response = dataset.responses.order_by("position")[0]
    both = run.extracted_claims.create(
        response=response, position=0, text="Both are odd: ½.", value="supported", score=0.1 + 0.2, segment=1
    )
    for segment in response.segments.all():
        both.alignments.create(segment=segment)
    run.extracted_claims.create(response=response, position=1, text="Rome is old.", value=None, rationale="?")
    return run


def claims_of(run):
    return [
        (
            claim.response.index,
            *(claim.position, claim.text, claim.value, claim.score, claim.rationale, claim.segment),
            [each.segment.position for each in claim.alignments.in_reading_order()],
        )
        for claim in run.extracted_claims.in_reading_order()
    ]


def test_extracted_claims_come_along_with_what_says_them(lab, tmp_path) -> None:
    there = claims_of(add_claims(lab))
    path = tmp_path / "claims.zip"
    export_results(lab, path, gold_version="v1")
    with scratch_database():
        here = make_lab(tmp_path)
        assert import_results(here, path).differences == []
        assert claims_of(Run.objects.get(evaluator__name="judge · tiny")) == there
        assert import_results(here, path).unchanged == 2
        export_results(here, tmp_path / "again.zip", gold_version="v1")
        assert import_results(here, tmp_path / "again.zip").unchanged == 2


def test_a_run_without_claims_keeps_the_hash_it_had_before_there_were_any(lab, packed) -> None:
    run = Run.objects.get(evaluator__name="counter")
    before = hash_lines({name: lines for name, lines in lines_of(run).items() if name in ALWAYS})

    assert hash_run(run) == before
    with ZipFile(packed) as archive:
        assert not [name for name in archive.namelist() if name.endswith("claims.jsonl")]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"index": "r9"}, "response 'r9' is not among the items of the run"),
        ({"position": 1}, "position is 1, not 0"),
        ({"units": [[7, None]]}, "segment 7 of response 'r0' is not in numbers"),
        ({"segment": 7}, "segment 7 of response 'r0' is not in numbers"),
        ({"units": [0]}, "units holds what is no pair of segment and fact"),
        ({"text": " "}, "text is empty"),
        ({"value": "true"}, "value must be one of"),
        ({"more": 1}, "unknown key 'more'"),
    ],
)
def test_a_claim_that_does_not_fit_is_an_error_that_names_its_line(lab, tmp_path, change, cause) -> None:
    add_claims(lab)
    path = tmp_path / "claims.zip"
    export_results(lab, path, gold_version="v1")
    changed = rewritten(path, tmp_path / "changed.zip", change)
    with scratch_database():
        here = make_lab(tmp_path)
        with pytest.raises(DataError, match=f"claims.jsonl, line 1: {re.escape(cause)}"):
            import_results(here, changed)
        assert not Run.objects.exists()


def rewritten(path, target, change):
    """The bundle with another first claim, its hash put right."""
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    index = json.loads(files["bundle.json"])
    (packed_run,) = [each for each in index["runs"] if f"{each['folder']}/claims.jsonl" in files]
    name = f"{packed_run['folder']}/claims.jsonl"
    first, *rest = files[name].decode().splitlines()
    lines = [json.dumps(json.loads(first) | change, ensure_ascii=False), *rest]
    files[name] = "".join(f"{line}\n" for line in lines).encode()
    hashed = {each: files[f"{packed_run['folder']}/{each}"].decode().splitlines() for each in (*ALWAYS, "claims.jsonl")}
    packed_run["hash"] = hash_lines({each: iter(of_file) for each, of_file in hashed.items()})
    files["bundle.json"] = json.dumps(index).encode()
    with ZipFile(target, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return target
