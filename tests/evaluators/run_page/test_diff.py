"""Two runs side by side: the units that one has right and the other wrong, and what they are made of."""

import re

import pytest
from django.urls import reverse

from annotate.gold.freeze import freeze_gold
from evaluators.run_page.diff import diff_of, entries_of
from evaluators.runs.create import create_run
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.run_page.conftest import add_judge, segments_of
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def read(client, dataset, query):
    answer = client.get(reverse("run-diff", args=[dataset.pk]) + query)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def shown(text):
    """The marked units of the lines, from the top."""
    lines = re.findall(r"<summary>(.*?)</summary>", text)
    return [found[1] for line in lines if (found := re.search(r"<mark>([^<]+)</mark>", line))]


def test_units_are_grouped_by_who_is_right(dataset, ada, ben):
    """Gold NSNSNS; Ada NSNSSN; Ben SS?SN-, whose unparsed and missing units count as wrong."""
    diff = diff_of(dataset, None, ada, ben)
    assert diff.counts == {"one": 2, "other": 1, "differ": 3, "wrong": 1, "right": 2}
    assert diff.n == 6
    assert diff.units("one").tolist() == [0, 2]
    assert diff.units("other").tolist() == [4]
    assert diff.units("differ", domain="math").tolist() == [2, 4]
    assert diff.units("differ", text="wrong 2").tolist() == [4]


def test_the_page_shows_the_units_with_both_verdicts_and_rationales(dataset, ada, ben, rhea):
    first = segments_of(dataset)[0]
    ada.predictions.filter(segment=first).update(rationale="The *year* is <wrong>.")
    ben.predictions.filter(segment=first).update(rationale="It sounds right.")
    text = read(rhea, dataset, f"?one={ada.pk}&other={ben.pk}")
    assert shown(text) == ["Wrong 0.", "Wrong 1."]
    assert "ada right, ben wrong: 2" in text
    assert "The <em>year</em> is &lt;wrong&gt;." in text
    assert "It sounds right." in text
    assert shown(read(rhea, dataset, f"?one={ada.pk}&other={ben.pk}&show=other")) == ["Wrong 2."]
    assert shown(read(rhea, dataset, f"?one={ben.pk}&other={ada.pk}")) == ["Wrong 2."]


def test_links_of_the_page_keep_the_two_runs(dataset, ada, ben, rhea):
    text = read(rhea, dataset, f"?one={ada.pk}&other={ben.pk}&domain=math")
    assert f"?one={ada.pk}&amp;other={ben.pk}&amp;domain=math&amp;show=other" in text


def test_two_runs_of_one_evaluator_are_told_apart(dataset, ada, rhea):
    newer = add_judge(dataset, "NSNSNS", "ada")
    text = read(rhea, dataset, f"?one={newer.pk}&other={ada.pk}")
    assert f"ada (run {newer.pk}) right, ada (run {ada.pk}) wrong: 2" in text
    assert shown(text) == ["Wrong 2.", "Right 2."]


def test_a_trivial_baseline_is_a_side(dataset, ada, rhea):
    text = read(rhea, dataset, f"?one={ada.pk}&other=always-not-supported")
    assert shown(text) == ["Right 0.", "Right 1."]


def test_a_run_that_is_gone_is_named_and_the_page_still_works(dataset, ada, rhea):
    text = read(rhea, dataset, f"?one={ada.pk}&other=99999")
    assert "run “99999”" in text
    assert "not here any more" in text
    assert f'<option value="{ada.pk}" selected>ada' in text


@pytest.mark.parametrize("query", ["", "?one=&other=", "?one=x&other=<b>", "?one=٣&other=²"])
def test_what_is_no_run_is_no_error(dataset, ada, rhea, query):
    assert "<b>" not in read(rhea, dataset, query)


def test_a_run_of_another_dataset_is_not_shown(dataset, ada, rhea):
    other = make_dataset("other")
    (segment, _) = make_response(other).segments.all()
    add_gold(segment, "supported")
    theirs = add_run(other, {segment: "S"}, "theirs")
    assert "theirs" not in read(rhea, dataset, f"?one={ada.pk}&other={theirs.pk}")


def test_a_level_that_is_not_there_is_not_found(dataset, ada, ben, rhea):
    answer = rhea.get(reverse("run-diff", args=[dataset.pk]) + f"?one={ada.pk}&other={ben.pk}&level=word")
    assert answer.status_code == 404


def test_whole_responses_are_a_level(dataset, ada, ben):
    """Gold calls every response an error. Ada the first two and, by a false alarm, the third; Ben the third alone."""
    counts = diff_of(dataset, None, ada, ben, "response").counts
    assert (counts["one"], counts["other"], counts["right"]) == (2, 0, 1)


def test_a_frozen_version_is_compared_with_its_gold(dataset, ada, ben):
    version = freeze_gold(dataset, "v1", make_person("dora"))
    first = segments_of(dataset)[0]
    first.gold.update(superseded=dataset.next_gold_revision())
    add_gold(first, "supported")
    assert diff_of(dataset, version, ada, ben).units("one").tolist() == [0, 2]
    assert diff_of(dataset, None, ada, ben).units("one").tolist() == [2]


def test_facts_stand_with_their_sentence(rhea):
    lives = make_dataset("lives", "factscore")
    make_person("rhea", lives, "researcher")
    response = make_response(lives, ["She was born and flew."], subject="amber")
    true, wrong = add_facts(response, [["she was born", "she flew"]])
    add_gold(true, "supported")
    add_gold(wrong, "not_supported")
    one, other = add_run(lives, {true: "S", wrong: "N"}, "one"), add_run(lives, {true: "S", wrong: "S"}, "other")
    text = read(rhea, lives, f"?one={one.pk}&other={other.pk}")
    assert shown(text) == ["she flew"]
    assert "She was born and flew." in text


def test_parameters_stand_side_by_side_those_that_differ_first(dataset):
    one = create_run(dataset, "random", name="one", parameters={"seed": "1"}).run
    other = create_run(dataset, "random", name="other", parameters={"seed": "2"}).run
    entries = {entry.name: entry for entry in entries_of(*diff_of(dataset, None, one, other).judges)}
    assert (entries["parameters seed"].one, entries["parameters seed"].other) == (1, 2)
    assert entries["parameters seed"].differs
    assert not entries["method"].differs
    names = list(entries)
    assert names.index("parameters seed") < names.index("method")


def test_every_cell_of_the_pair_table_leads_to_the_two(dataset, ada, ben, rhea):
    text = rhea.get(reverse("compare", args=[dataset.pk]) + "?pairs=all").content.decode()
    address = reverse("run-diff", args=[dataset.pk])
    links = set(re.findall(rf'href="{address}\?one=([\w-]+)&amp;other=([\w-]+)&', text))
    keys = [str(ada.pk), str(ben.pk), "always-not-supported"]
    # Ben decided four of six units: he is not ranked, and stands in no pair.
    assert links == {(one, other) for one in keys for other in keys if one != other and str(ben.pk) not in (one, other)}


def test_without_gold_the_page_says_so(rhea):
    plain = make_dataset("plain")
    make_person("rhea", plain, "researcher")
    assert "No gold yet" in read(rhea, plain, "")


def test_the_queries_do_not_grow_with_the_units(dataset, ada, ben, rhea, django_assert_max_num_queries):
    rhea.get(reverse("account"))
    query = f"?one={ada.pk}&other={ben.pk}&show=right"
    with django_assert_max_num_queries(60) as few:
        read(rhea, dataset, query)
    for number in range(5):
        response = make_response(dataset, ["A.", "B."], f"More {number}", "math")
        for segment in response.segments.all():
            add_gold(segment, "supported")
            for run in (ada, ben):
                run.predictions.create(segment=segment, value="supported")
    with django_assert_max_num_queries(len(few)):
        read(rhea, dataset, query)
