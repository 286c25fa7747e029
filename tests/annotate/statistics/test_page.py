"""The statistics page, and what of the papers stands on it."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.corpus.importing import import_file
from annotate.corpus.published import FELM_TABLE_2, printed_for_domains, printed_for_subjects
from annotate.models import Dataset
from annotate.statistics.tables import (
    OF_SUBJECT,
    FigureCell,
    classes_table,
    counts_table,
    domains_table,
    positions_table,
    subjects_table,
)
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

HOSTILE = "<script>alert('x')</script>"


def read(dataset: Dataset, role: str = "researcher", status: int = 200) -> str:
    client = Client()
    client.force_login(make_person(f"a {role}", dataset, role))
    answer = client.get(reverse("statistics", args=[dataset.pk]))
    assert answer.status_code == status
    return squeezed(answer.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "status"), [("annotator", 403), ("researcher", 200), ("adjudicator", 200)])
def test_who_may_see_it(role, status):
    read(make_dataset(), role, status)


@pytest.mark.django_db
def test_an_empty_dataset_says_what_to_do():
    assert "No responses yet" in read(make_dataset())


@pytest.mark.django_db
def test_a_dataset_of_ones_own_stands_without_the_papers():
    dataset = make_dataset()
    wrong, right = make_response(dataset, domain=HOSTILE).segments.all()
    add_gold(wrong, "not_supported", "fooled")
    add_gold(right, "supported")
    text = read(dataset)
    assert "paper" not in text.split('class="sizes"')[1]
    assert "fooled" in text
    assert "100.0 %" in text  # one response, with an error
    assert HOSTILE not in text


@pytest.mark.django_db
def test_subject_models_stand_side_by_side():
    dataset = make_dataset("lives", "factscore")
    for subject, values in (("amber", ("supported", "not_supported")), ("basalt", ("supported", "supported"))):
        response = make_response(dataset, ["Ada wrote."], prompt="Ada", subject=subject, frequency="rare")
        for fact, value in zip(add_facts(response, [["Ada wrote.", "Ada sang."]]), values, strict=True):
            add_gold(fact, value)
    text = read(dataset)
    # amber: 1 of 2 supported; basalt: 2 of 2.
    assert text.index("amber") < text.index("basalt")
    assert "50.0 %" in text
    assert "By how often the topic occurs" in text


def test_the_paper_stands_beside_the_published_data_only():
    published = [{"domain": domain, "responses": figures["responses"]} for domain, figures in FELM_TABLE_2.items()]
    assert printed_for_domains(published)["math"]["segments"] == 599
    assert printed_for_domains(published[1:]) == {}
    fewer = [published[0] | {"responses": 846}, *published[1:]]
    assert printed_for_domains(fewer) == {}


def test_a_subject_model_is_the_published_one_by_name_and_number_of_prompts():
    subjects = [{"subject": "ChatGPT", "prompts": 183}, {"subject": "InstructGPT", "prompts": 20}]
    assert list(printed_for_subjects(subjects)) == ["ChatGPT"]


def test_a_figure_differs_when_it_is_written_differently():
    assert not FigureCell("89.1", "89.1").differs
    assert FigureCell("89.4", "89.1").differs
    assert not FigureCell("89.4").differs


def slice_of(domain, responses, **more):
    figures = {"segments": 4, "correct": 3, "error": 1, "unlabelled": 0}
    of_gold = {"responses_with_error": 1, "responses_with_gold": 0, "error_rate": None}
    lengths = {"avg_response_words": 10.0, "avg_segment_words": None}
    figures |= {**of_gold, **lengths, "sources": {}, "error_types": {}}
    return {"domain": domain, "responses": responses, **figures, **more}


def test_what_is_undefined_is_a_dash():
    (line,) = domains_table({"scheme": "felm", "slices": [slice_of("all", 0)]}).lines
    cells = [cell.text for cell in line.cells]
    # No response: no share of responses with an error; no words a segment.
    assert cells == ["0", "–", "4", "3", "1", "0", "10.0", "–"]


@pytest.mark.parametrize(
    ("complete", "rate", "shown"), [(2, 0.5, "50.0 % of 2"), (20, 0.05, "5.0 %"), (2, 0.0, "0.0 % of 2")]
)
def test_a_share_of_responses_says_of_how_many_have_gold(complete, rate, shown):
    figures = slice_of("all", 20, responses_with_gold=complete, error_rate=rate)
    (line,) = domains_table({"scheme": "felm", "slices": [figures]}).lines
    assert line.cells[1].text == shown


def test_counts_stand_by_frequency_with_shares_of_their_column():
    table = counts_table(
        {"slices": [slice_of("all", 4, sources={"quora": 1, "": 3}), slice_of("wk", 1, sources={"quora": 1})]},
        "sources",
    )
    assert table.heads == ("All domains", "World knowledge")
    assert [line.name for line in table.lines] == ["not given", "quora"]
    assert table.lines[1].cells == (FigureCell("1", share=0.25, value=1), FigureCell("1", share=1.0, value=1))
    assert table.lines[0].cells[1] == FigureCell("")


SUBJECT = {
    "subject": "amber",
    "prompts": 4,
    "responding": 3,
    **dict.fromkeys(
        (
            "tokens_per_response",
            "sentences_per_response",
            "facts_per_response",
            "facts_per_sentence",
            "mixed_sentences",
        ),
        1.0,
    ),
    **dict.fromkeys(("split", "merged", "supported", "not_supported", "irrelevant", "abstained", "factscore"), None),
    "factscore_interval": [0.25, 0.75],
    "by_frequency": {"rare": 0.5},
    "by_position": [1.0, 0.5, None, 0.25, 0.0],
}
STATS = {"subjects": [SUBJECT], "common_prompts": {"n": 3, "factscore": {"amber": 0.5}}}


def test_a_single_subject_is_not_compared():
    lines = {line.name: line.cells[0].text for line in subjects_table(STATS).lines}
    assert lines["Responding"] == "75.0 %"  # 3 of 4
    assert lines["95 % interval"] == "25.0 to 75.0 %"
    assert not [name for name in lines if "all responded" in name]


def test_positions_are_fifths():
    table = positions_table(STATS)
    assert [line.name for line in table.lines][:2] == ["0 to 20 %", "20 to 40 %"]
    assert [line.cells[0].text for line in table.lines] == ["100.0 %", "50.0 %", "–", "25.0 %", "0.0 %"]


def test_classes_are_shares_with_bars():
    assert classes_table(STATS, "by_frequency").lines[0].cells == (FigureCell("50.0 %", share=0.5, value=0.5),)


@pytest.mark.data
@pytest.mark.django_db
def test_the_published_file_stands_beside_its_table(published):
    import_file(published / "felm" / "all.jsonl", "felm", "felm")
    text = read(Dataset.objects.get(name="felm"))
    assert "≠ paper 4,425" in text
    assert "paper 33.3 %" in text


@pytest.mark.django_db
def test_names_of_figures_link_to_their_definitions():
    dataset = make_dataset()
    add_gold(make_response(dataset).segments.first(), "supported")
    check_figure_names(read(dataset), "Responses with an error", "Words a segment")


@pytest.mark.django_db
def test_lines_that_are_figures_link_to_their_definitions():
    dataset = make_dataset("lives", "factscore")
    [fact] = add_facts(make_response(dataset, ["Ada wrote."], prompt="Ada", subject="amber"), [["Ada wrote."]])
    add_gold(fact, "supported")
    sizes = read(dataset).partition("</table>")[0]
    assert sizes.count('<th scope="row">') == sizes.count('<th scope="row"><a class="defined"') == len(OF_SUBJECT) + 1
