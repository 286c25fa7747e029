"""The report on editors against a hand calculation; the model's edits say "right" for "wrong" (tests/fake_answers.py).

Content words of the first sentence: ada bred wrong horses bath; people's: ada bred right horses rome; of the second:
wrong twice; people take it out. Nobody corrected the third one.
"""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotate.corpus.importing import import_file
from annotate.models import Dataset
from evaluators.editing.after import edited_responses
from evaluators.editing.figures import report_on
from evaluators.editing.similarity import by_characters
from tests.evaluators.editing.work import RIDING, make_lives, worked
from tests.factories import add_facts, add_gold

pytestmark = pytest.mark.django_db


def call(*words):
    output = StringIO()
    call_command(*words, stdout=output, stderr=StringIO())
    return output.getvalue()


def figures(editor):
    return {name: each["mean"] for name, each in editor["slices"][0]["figures"].items()}


def test_every_figure_equals_a_hand_calculation(model):
    lives = make_lives()
    worked(lives, "edit-no-context", "m")
    worked(lives, "edit-copy")
    copy, edited = report_on(lives)["editors"]
    assert (copy["editor"], edited["editor"]) == ("edit-copy", "edit-no-context · m")
    found = figures(edited)
    # First: (6/7 + 2/3) / 2 = 16/21. Second: gold keeps nothing; preserved 0 of 1, F1 0; not preserved 2·1 / (2 + 1).
    assert found["errloc"] == pytest.approx((16 / 21 + (0 + 2 / 3) / 2) / 2)
    # Only the first adds words: right of right, rome: 2·1 / (2 + 1).
    assert found["editcorr"] == pytest.approx(2 / 3)
    # Of ada, bred and horses none is lost; of the second people keep nothing.
    assert found["newly_wrong"] == 0.0
    assert (found["length_kept"], found["copied"], found["taken_out"]) == (1.0, 0.0, 0.0)
    # The copy. First: (3/4 + 0) / 2; second: 0 of both classes.
    kept = figures(copy)
    assert kept["errloc"] == pytest.approx((3 / 8 + 0) / 2)
    assert (kept["editcorr"], kept["simal_chrf"], kept["copied"]) == (0.0, 0.0, 1.0)


def test_simal_goes_by_the_similarity_that_is_named(model):
    lives = make_lives()
    worked(lives, "edit-no-context", "m")
    [editor] = report_on(lives)["editors"]
    simal = editor["slices"][0]["figures"]["simal"]
    assert (simal["mean"], simal["why"]) == (None, "no sentence-embedding model is named: --similarity-weights")
    gold, edit = "Ada bred right horses in Rome.", "Ada bred right horses in Bath."
    near, far = by_characters([(gold, edit), (gold, RIDING)])
    assert figures(editor)["simal_chrf"] == pytest.approx((near - far) / (1 - far))
    # Similarities of 0.8 with the edit and 0.6 with the source: half of the way.
    [editor] = report_on(lives, similarity=lambda pairs: [0.6 if "wrong" in other else 0.8 for _, other in pairs])[
        "editors"
    ]
    assert figures(editor)["simal"] == pytest.approx(0.2 / 0.4)


def test_pairs_are_compared_at_the_sentences_of_both(model):
    lives = make_lives()
    worked(lives, "edit-no-context", "m")
    worked(lives, "edit-copy", sentences="corrected")
    pair = next(each for each in report_on(lives)["pairs"] if each["figure"] == "errloc")
    assert (pair["one"], pair["n"]) == ("edit-copy", 2)
    # 3/16 of the copy less 23/42 of the model, as above.
    assert pair["difference"] == pytest.approx(3 / 16 - (16 / 21 + 1 / 3) / 2)
    assert pair["interval"] is None
    assert "rests on 1 prompt" in pair["why"]


def test_unparsed_edits_are_counted_and_have_no_figure(model):
    lives = make_lives()
    worked(lives, "edit-no-context", "m").sentence_edits.update(text=None)
    [editor] = report_on(lives)["editors"]
    assert (editor["edited"], editor["unparsed"]) == (0, 3)
    assert set(figures(editor).values()) == {None}


def test_the_rows_of_the_table_start_by_one_command_each(model):
    make_lives()
    rows = [
        ["copy"],
        ["noise"],
        ["no-context", "--model", "m"],
        ["no-context", "--facts", "gold", "--model", "m"],
        ["retrieve", "--model", "m"],
        ["retrieve", "--facts", "gold", "--model", "m"],
    ]
    made = [json.loads(call("edit", "lives", *row, "--wait", "--json")) for row in rows]
    assert {each["state"] for each in made} == {"finished"}
    assert [each["edited"] for each in made] == [3, 3, 3, 3, 2, 2]
    report = json.loads(call("report_edits", "lives", "--json"))
    assert len(report["editors"]) == 6
    assert len({each["editor"] for each in report["editors"]}) == 6
    assert "edit-retrieve + facts · m" in call("report_edits", "lives")


def test_an_unknown_editor_is_named(model):
    make_lives()
    with pytest.raises(CommandError, match="There is no editor 'edit-lexical'; there are edit-copy"):
        call("edit", "lives", "lexical")
    with pytest.raises(CommandError, match="edit-copy is an editor: start it by the command edit"):
        call("evaluate", "lives", "edit-copy")
    with pytest.raises(CommandError, match="no finished run of an editor 'nobody'"):
        call("report_edits", "lives", "--editor", "nobody")


def test_pairs_are_exported_with_their_facts(model, tmp_path):
    lives = make_lives()
    worked(lives, "edit-no-context", "m")
    file = tmp_path / "pairs.jsonl"
    call("export_edits", "lives", "edit-no-context · m", "--output", str(file))
    first, *_ = [json.loads(line) for line in file.read_text().splitlines()]
    assert first == {
        "index": "m/Ada",
        "subject": "m",
        "sentence": 0,
        "editor": "edit-no-context · m",
        "state": "changed",
        "before": RIDING,
        "after": "Ada bred right horses in Bath.",
        "correction": "Ada bred right horses in Rome.",
        "facts": [
            {"text": "Ada bred wrong horses.", "supported": False},
            {"text": "Ada bred horses.", "supported": True},
        ],
        "accepted": None,
    }


def test_support_before_and_after_by_people(model, tmp_path):
    lives = make_lives()
    run = worked(lives, "edit-no-context", "m")
    file = tmp_path / "edited.jsonl"
    file.write_text("".join(f"{line}\n" for line in edited_responses(run)))
    import_file(file, "after", "responses-for-facts")
    after = Dataset.objects.get(name="after")
    ada = after.responses.get(index="m/Ada")
    assert ada.text == "Ada bred right horses in Bath. She was right twice. She rode."
    facts = add_facts(ada, [["Ada bred right horses.", "Ada bred horses in Bath."], ["She was wrong twice."], []])
    for fact, value in zip(facts, ["supported", "not_supported", "not_supported"], strict=True):
        add_gold(fact, value)
    [people] = json.loads(call("report_edits", "lives", "--after", "after", "--json"))["support"]
    # Ada alone has labels in both: 2 of 4 facts before, 1 of 3 after. Bath is a new error; the other was there before.
    assert (people["labels"], people["responses"], people["total_new_errors"]) == ("gold", 1, 1)
    assert people["before"]["mean"] == 0.5
    assert people["after"]["mean"] == pytest.approx(1 / 3)
    assert people["difference"]["mean"] == pytest.approx(1 / 3 - 1 / 2)


def test_support_before_and_after_by_an_evaluator_with_facts_of_its_own(model, tmp_path):
    """The evaluator calls what says "wrong" wrong (tests/fake_answers.py). Sentences are facts where none is cut."""
    lives = make_lives()
    worked(lives, "edit-no-context", "m")
    file = tmp_path / "edited.jsonl"
    call("export_edits", "lives", "edit-no-context · m", "--responses", "--output", str(file))
    call("import_dataset", "after", str(file), "--format", "responses-for-facts")
    after = Dataset.objects.get(name="after")
    assert after.responses.get(index="m/Ben").text == "Ben sang right songs."
    for dataset in (lives, after):
        worked(dataset, "factscore-no-context", "m", facts="generated")
    people, evaluator = json.loads(call("report_edits", "lives", "--after", "after", "--json"))["support"]
    assert (people["labels"], people["responses"], people["before"]["mean"]) == ("gold", 0, None)
    # Of Ada's three sentences one is right before, of Ben's none; after, all of both.
    assert evaluator["labels"] == "factscore-no-context · m"
    assert (evaluator["responses"], evaluator["total_new_errors"]) == (2, 0)
    assert evaluator["before"]["mean"] == pytest.approx((1 / 3 + 0) / 2)
    assert evaluator["after"]["mean"] == 1.0
    assert evaluator["difference"]["mean"] == pytest.approx(5 / 6)
    assert "supported by factscore-no-context · m: 0.167 before, 1.000 after, 0 new errors" in call(
        "report_edits", "lives", "--after", "after"
    )
