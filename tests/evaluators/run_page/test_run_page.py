"""What the page of a run shows: its figures, its responses with verdicts, and what to do next."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from evaluators.methods import METHODS
from evaluators.run_page.figures import figures_of_run
from evaluators.runs.create import create_run
from llm.models import Call, Endpoint
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.run_page.conftest import add_judge, segments_of
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def read(client, run, query=""):
    answer = client.get(reverse("run", args=[run.pk]) + query)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def listed(text):
    """The responses of the list, from the top."""
    return re.findall(r'<h3><a href="/responses/\d+/">([^<]+)</a>', text)


def units(text):
    """(said, gold, text) of the units of the list; a letter, or the word in place of a verdict."""
    found = re.findall(r'<span class="quiet">said</span>(.*?)<span class="unit">(.*?)</span></summary>', text)
    return [(*_verdicts(verdicts), unit) for verdicts, unit in found]


def _verdicts(html):
    said, gold = html.split('<span class="quiet">gold</span>')
    return tuple(re.search(r'<span class="(?:verdict \w+|quiet)">([^<]+)<', each)[1].strip() for each in (said, gold))


# Figures


def test_the_headline_is_f1_with_undecided_units_as_wrong(dataset, ada, ben, rhea):
    # Ada: two errors found, one missed, one false alarm: 4 / (4 + 1 + 1).
    assert figures_of_run(ada)[0].result["pessimistic"]["f1"] == pytest.approx(2 / 3)
    assert "<strong>0.667</strong>" in read(rhea, ada)
    # Ben: one found, two missed (one unparsed), the last unit missing counts as a false alarm: 2 / (2 + 1 + 2).
    assert "<strong>0.400</strong>" in read(rhea, ben)
    assert '67 % <small class="quiet">4 of 6 with gold' in read(rhea, ben)


def test_an_older_run_of_an_evaluator_has_figures_of_its_own(dataset, ada, rhea):
    newer = add_judge(dataset, "NSNSNS", "ada")
    assert "<strong>0.667</strong>" in read(rhea, ada)
    assert "<strong>1.000</strong>" in read(rhea, newer)


def test_the_confusion_table_counts_and_leads_to_its_units(dataset, ben, rhea):
    text = read(rhea, ben)
    for truth, said, count in (("error", "error", 1), ("error", "correct", 1), ("error", "unparsed", 1)):
        assert f'?truth={truth}&amp;said={said}#said" aria-label="{count} units' in text
    found = read(rhea, ben, "?truth=error&said=unparsed")
    assert units(found) == [("unparsed", "E", "Wrong 1.")]
    found = read(rhea, ben, "?truth=correct&said=missing")
    assert units(found) == [("nothing", "S", "Right 2.")]


def test_without_gold_the_page_says_how_gold_comes(dataset, rhea):
    plain = make_dataset("plain")
    (segment, _) = make_response(plain).segments.all()
    run = add_run(plain, {segment: "S"})
    make_person("rhea", plain, "researcher")
    text = read(rhea, run)
    assert "No figures yet" in text
    assert "1 of 2 units" in text


def test_figures_follow_gold(dataset, ada, rhea):
    read(rhea, ada)
    first = segments_of(dataset)[0]
    first.gold.update(superseded=dataset.next_gold_revision())
    add_gold(first, "supported")
    # One error found, one missed, two false alarms: 2 / (2 + 1 + 2).
    assert "<strong>0.400</strong>" in read(rhea, ada)


# Responses


def test_every_response_has_its_verdicts_beside_gold(dataset, ada, rhea):
    text = read(rhea, ada)
    assert listed(text) == list(dataset.responses.order_by("position").values_list("index", flat=True))
    assert units(text)[-2:] == [("S", "E", "Wrong 2."), ("E", "S", "Right 2.")]


def test_responses_are_narrowed_by_the_link_and_links_keep_the_rest(dataset, ada, ben, rhea):
    ben.items.filter(position=0).update(state="failed", error="The model was away.")
    zero, one, two = dataset.responses.order_by("position").values_list("index", flat=True)
    assert listed(read(rhea, ben, "?show=disagreeing")) == [zero]
    assert listed(read(rhea, ben, "?show=unparsed")) == [one]
    failed = read(rhea, ben, "?show=failed")
    assert listed(failed) == [zero]
    assert "The model was away." in failed
    assert listed(read(rhea, ada, "?domain=math")) == [one, two]
    assert listed(read(rhea, ada, "?q=wrong 2")) == [two]
    assert listed(read(rhea, ada, "?show=disagreeing&domain=science")) == []
    kept = read(rhea, ada, "?show=disagreeing&domain=math&q=prompt")
    assert f'href="/runs/{ada.pk}/?show=unparsed&amp;domain=math&amp;q=prompt#said"' in kept
    assert '<input type="hidden" name="show" value="disagreeing">' in kept


def test_a_filter_shows_the_matching_units_alone(dataset, ada, rhea):
    assert [unit for *_, unit in units(read(rhea, ada, "?show=errors"))] == ["Wrong 0.", "Wrong 1.", "Right 2."]


def test_text_finds_facts_too(rhea):
    lives = make_dataset("lives", "factscore")
    make_person("rhea", lives, "researcher")
    response = make_response(lives, ["Ada wrote."], prompt="Ada", subject="amber")
    (fact,) = add_facts(response, [["Ada published a program."]])
    run = add_run(lives, {fact: "S"})
    run.items.create(response=response, position=0, state="done")
    assert listed(read(rhea, run, "?q=published")) == ["amber/Ada"]
    assert listed(read(rhea, run, "?q=unpublished")) == []


def test_prompt_and_answer_of_a_call_are_one_click_away(dataset, ada, rhea):
    endpoint = Endpoint.objects.create(shared=True, name="here", base_url="http://localhost")
    call = Call.objects.create(
        endpoint=endpoint, request_hash="b" * 64, model="m", request={}, answer="Raw.", seconds=1
    )
    ada.predictions.first().calls.add(call)
    address = reverse("run-call", args=[ada.pk, call.pk])
    # Among the calls of its response, and beside the unit.
    assert read(rhea, ada).count(f'href="{address}"') == 2
    assert "Raw." in rhea.get(address).content.decode()


def test_the_page_of_a_call_shows_the_thought_apart(ada, rhea):
    endpoint = Endpoint.objects.create(shared=True, name="here", base_url="http://localhost")
    call = Call.objects.create(
        endpoint=endpoint,
        request_hash="b" * 64,
        model="m",
        request={},
        answer="<think>So this is false.</think>\n\nTrue",
        thought="Beside it.",
        reasoning_tokens=1234,
        adapted=["temperature left out"],
        seconds=1,
    )
    ada.predictions.first().calls.add(call)

    page = rhea.get(reverse("run-call", args=[ada.pk, call.pk])).content.decode()

    assert '<pre class="sample">True</pre>' in page
    assert squeezed("Beside it. So this is false.") in squeezed(page)
    assert "1,234 tokens" in page
    assert "temperature left out" in page


def test_of_many_calls_twenty_are_shown_and_the_others_behind_them(dataset, ada, rhea):
    endpoint = Endpoint.objects.create(shared=True, name="here", base_url="http://localhost")
    calls = [
        Call.objects.create(endpoint=endpoint, request_hash=f"{key:064d}", model="m", request={}, seconds=1)
        for key in range(250)
    ]
    item = ada.items.get(position=0)
    item.calls.set(calls[:20])
    assert "more</summary>" not in read(rhea, ada)
    item.calls.set(calls)
    shown = squeezed(read(rhea, ada)).partition("Calls (250)")[2].partition("</details>")[0]
    first, _, others = shown.partition("<details><summary>and 230 more</summary>")
    assert (first.count("/calls/"), others.count("/calls/")) == (20, 230)
    assert f'href="{reverse("run-call", args=[ada.pk, calls[-1].pk])}"' in others
    assert "250</a>" in others


def test_the_queries_do_not_grow_with_the_responses(dataset, ada, rhea, django_assert_max_num_queries):
    rhea.get(reverse("account"))
    endpoint = Endpoint.objects.create(shared=True, name="here", base_url="http://localhost")
    for key in "cd":
        call = Call.objects.create(endpoint=endpoint, request_hash=key * 64, model="m", request={}, seconds=1)
        ada.items.get(position=0).calls.add(call)
    with django_assert_max_num_queries(60) as few:
        read(rhea, ada)
    for number in range(6):
        response = make_response(dataset, ["A.", "B."], f"More {number}", "math")
        ada.items.create(response=response, position=response.position, state="done").calls.add(call)
        for segment in response.segments.all():
            ada.predictions.create(segment=segment, value="supported")
    with django_assert_max_num_queries(len(few)):
        read(rhea, ada)


# What to do next


def test_the_page_leads_on(dataset, ada, ben, rhea):
    text = read(rhea, ada)
    assert f'<option value="{ben.pk}">ben' in text
    for name in ("run-describe", "run-delete", "run-repeats"):
        assert reverse(name, args=[ada.pk]) in text
    assert reverse("compare", args=[dataset.pk]) in text


def test_a_copy_fills_in_the_form_under_another_name(dataset, rhea):
    run = create_run(dataset, "random", name="coin", parameters={"seed": "7"}, limit=2).run
    address = re.search(r'href="([^"]+)">Copy with changes', read(rhea, run))[1].replace("&amp;", "&")
    query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert query == {"method": "random", "name": "coin 2", "parameter-seed": "7", "limit": "2"}
    form = rhea.get(address).content.decode()
    assert 'value="coin 2"' in form
    assert "random" in METHODS
