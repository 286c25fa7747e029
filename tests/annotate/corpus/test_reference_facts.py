"""Lists of the facts that a complete answer states: import, page, export, and what units cover."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.corpus.reference_facts import share_covered
from annotate.models import Dataset, Prompt
from tests.annotate.corpus.files import write_rows
from tests.api.conftest import client_of
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

FACTS = ["Ada was born in London.", "Ada wrote a program."]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "lists.jsonl"


@pytest.fixture
def lab():
    dataset = make_dataset(scheme="factscore")
    for subject in ("amber", "basalt"):
        ada = Prompt.objects.filter(topic="Ada").first() or "Ada"
        make_response(dataset, ["Ada wrote."], prompt=ada, subject=subject)
    make_response(dataset, ["Ben sang."], prompt="Ben", subject="amber")
    return dataset


def lists():
    return dict(Prompt.objects.order_by("pk").values_list("topic", "reference_facts"))


def test_prompts_get_their_lists_by_topic_or_text(lab, file, capsys):
    write_rows(file, {"topic": "Ada", "facts": FACTS}, {"prompt": "Ben", "facts": ["Ben sang."]})
    call_command("import_reference_facts", "lab", str(file), "--json")

    assert json.loads(capsys.readouterr().out) == {"dataset": "lab", "created": 2, "unchanged": 0, "replaced": []}
    assert lists() == {"Ada": FACTS, "Ben": ["Ben sang."]}


def test_the_same_file_again_changes_nothing(lab, file, capsys):
    write_rows(file, {"topic": "Ada", "facts": FACTS})
    call_command("import_reference_facts", "lab", str(file))
    call_command("import_reference_facts", "lab", str(file))

    assert capsys.readouterr().out.splitlines()[-1] == "lab: lists of 0 prompts, 1 unchanged"
    assert lists() == {"Ada": FACTS, "Ben": None}


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ([{"topic": "Eve", "facts": FACTS}], "lists.jsonl, line 1: there is no topic 'Eve' in lab"),
        ([{"prompt": "Eve?", "facts": FACTS}], "line 1: there is no prompt 'Eve\\?' in lab"),
        ([{"facts": FACTS}], "line 1: a row names its prompt by topic, or by prompt"),
        ([{"topic": "Ben", "prompt": "Ben", "facts": FACTS}], "line 1: a row names its prompt by topic, or by prompt"),
        ([{"topic": "Ben", "facts": []}], "line 1: facts is empty"),
        ([{"topic": "Ben", "facts": ["One.", " "]}], "line 1: facts, item 2, is empty"),
        ([{"topic": "Ben", "facts": ["One.", "One."]}], "line 1: a fact stands twice in facts"),
        ([{"topic": "Ben", "facts": ["One."]}, {"prompt": "Ben", "facts": ["Two."]}], "line 2: .* that of line 1"),
        ([{"topic": "Ben", "facts": FACTS}, {"topic": "Ada", "facts": ["Other."]}], "line 2: .* another list already"),
    ],
)
def test_one_bad_line_and_nothing_is_written(lab, file, rows, cause):
    Prompt.objects.filter(topic="Ada").update(reference_facts=FACTS)
    write_rows(file, *rows)
    with pytest.raises(CommandError, match=cause):
        call_command("import_reference_facts", "lab", str(file))
    assert lists() == {"Ada": FACTS, "Ben": None}


@pytest.fixture
def other(lab):
    """Ada has a list, and Ben none; a file that brings Ada another and Ben his first."""
    Prompt.objects.filter(topic="Ada").update(reference_facts=["Ada painted."])
    rows = [{"topic": "Ada", "facts": FACTS}, {"prompt": "Ben", "facts": ["Ben sang."]}]
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_the_command_replaces_lists_where_it_is_told_to(lab, other, file, capsys):
    file.write_text(other)
    with pytest.raises(CommandError, match="line 1: the topic 'Ada' has another list already"):
        call_command("import_reference_facts", "lab", str(file))
    call_command("import_reference_facts", "lab", str(file), "--replace")

    assert capsys.readouterr().out == "lab: lists of 1 prompts, 0 unchanged\nReplaced: Ada\n"
    assert lists() == {"Ada": FACTS, "Ben": ["Ben sang."]}
    call_command("import_reference_facts", "lab", str(file), "--replace", "--json")
    document = {"dataset": "lab", "created": 0, "unchanged": 2, "replaced": []}
    assert json.loads(capsys.readouterr().out) == document
    # Once the file changed lists, and once it did not.
    assert Dataset.objects.get().lists_revision == 1


def test_replacing_refuses_the_same_faults_and_writes_nothing(lab, other, file):
    file.write_text(f'{other}{{"topic": "Ada", "facts": ["One."]}}\n')
    with pytest.raises(CommandError, match="line 3: the list of the topic 'Ada' is already that of line 1"):
        call_command("import_reference_facts", "lab", str(file), "--replace")
    assert lists() == {"Ada": ["Ada painted."], "Ben": None}


def sent(client, dataset, text, **fields):
    upload = SimpleUploadedFile("lists.jsonl", text.encode())
    return client.post(reverse("reference-lists-import", args=[dataset.pk]), {"file": upload, **fields})


@pytest.fixture
def dora(lab, client):
    client.force_login(make_person("dora", lab, "adjudicator"))
    return client


def test_the_page_says_what_a_list_is_and_takes_a_file(lab, dora):
    page = reverse("reference-lists", args=[lab.pk])
    assert "A reference list names the facts that a complete answer to a prompt states." in squeezed(
        dora.get(page).content.decode()
    )
    answer = sent(dora, lab, json.dumps({"topic": "Ada", "facts": FACTS}) + "\n")

    assert (answer.status_code, answer["Location"]) == (302, page)
    text = squeezed(dora.get(page).content.decode())
    assert "1 prompts got a list, 0 had the same one already." in text
    assert "1 of 2 prompts have a list" in text
    assert f"<li>{FACTS[0]}</li>" in text


def test_the_page_names_line_and_cause_and_keeps_nothing(lab, dora):
    rows = [{"topic": "Ada", "facts": FACTS}, {"topic": "Eve", "facts": FACTS}]
    answer = sent(dora, lab, "".join(json.dumps(row) + "\n" for row in rows))

    assert answer.status_code == 422
    words = "lists.jsonl, line 2: there is no topic &#x27;Eve&#x27; in lab. Nothing of the file was kept."
    assert words in squeezed(answer.content.decode())
    assert lists() == {"Ada": None, "Ben": None}


def test_the_page_replaces_lists_where_the_box_is_ticked(lab, other, dora):
    answer = sent(dora, lab, other)
    assert answer.status_code == 422
    assert "line 1: the topic &#x27;Ada&#x27; has another list already" in squeezed(answer.content.decode())
    assert "Replace the lists that are there" in answer.content.decode()
    assert lists() == {"Ada": ["Ada painted."], "Ben": None}

    assert sent(dora, lab, other, replace="on").status_code == 302
    text = squeezed(dora.get(reverse("reference-lists", args=[lab.pk])).content.decode())
    assert "1 prompts got a list, 0 had the same one already. Replaced: the lists of Ada." in text
    assert lists() == {"Ada": FACTS, "Ben": ["Ben sang."]}


def test_of_many_replaced_lists_ten_are_named(lab, dora):
    rows = []
    for number in range(12):
        make_response(lab, ["One."], prompt=f"Topic {number}")
        rows.append({"prompt": f"Topic {number}", "facts": FACTS})
    Prompt.objects.update(reference_facts=["Other."])
    sent(dora, lab, "".join(json.dumps(row) + "\n" for row in rows), replace="on")
    text = squeezed(dora.get(reverse("reference-lists", args=[lab.pk])).content.decode())
    assert "Replaced: the lists of Topic 0, Topic 1," in text
    assert "Topic 9 and 2 more." in text


def test_researchers_read_the_lists_and_send_none(lab, client):
    client.force_login(make_person("rhea", lab, "researcher"))
    Prompt.objects.filter(topic="Ada").update(reference_facts=FACTS)
    text = client.get(reverse("reference-lists", args=[lab.pk])).content.decode()

    assert FACTS[0] in text
    assert 'type="file"' not in text
    assert sent(client, lab, json.dumps({"topic": "Ben", "facts": FACTS})).status_code == 403
    assert lists()["Ben"] is None


def test_the_lists_go_out_as_a_file_that_comes_in_again(lab, dora, file, tmp_path, capsys):
    """Under the prompt's text; under its topic where prompts of that text have other lists, or none."""
    Prompt.objects.filter(topic="Ada").update(reference_facts=FACTS)
    Prompt.objects.filter(topic="Ben").update(reference_facts=["Ben sang."])
    for topic, facts in (("Cleo", ["Cleo ruled."]), ("Dora", None)):
        prompt = Prompt.objects.create(dataset=lab, text="Who is it?", topic=topic, reference_facts=facts)
        make_response(lab, ["It is."], prompt=prompt)
    before = lists()
    answer = dora.get(reverse("reference-lists-file", args=[lab.pk]))
    file.write_bytes(b"".join(answer.streaming_content))
    rows = [json.loads(line) for line in file.read_text().splitlines()]

    assert [set(row) - {"facts"} for row in rows] == [{"prompt"}, {"prompt"}, {"topic"}]
    call_command("export_reference_facts", "lab", "--output", str(tmp_path / "again.jsonl"))
    assert (tmp_path / "again.jsonl").read_text() == file.read_text()
    Prompt.objects.update(reference_facts=None)
    assert sent(dora, lab, file.read_text()).status_code == 302
    assert lists() == before


def test_the_api_takes_and_gives_the_lists(lab):
    api = client_of(make_person("dora", lab, "adjudicator"))
    address = f"datasets/{lab.pk}/reference-lists/"
    rows = json.dumps({"topic": "Ada", "facts": FACTS}) + "\n"
    answer = api.upload(address, rows.encode())

    assert (answer.status_code, answer.json()) == (201, {"created": 1, "unchanged": 0, "replaced": []})
    [found] = api.get(address).json()["results"]
    assert (found["topic"], found["facts"]) == ("Ada", FACTS)
    wrong = api.upload(address, rows.replace('Ada"', 'Eve"').encode())
    assert (wrong.status_code, "line 1: there is no topic 'Eve'" in wrong.json()["detail"]) == (422, True)
    reader = client_of(make_person("rhea", lab, "researcher"))
    assert reader.upload(address, rows.encode()).status_code == 403


def test_the_api_replaces_lists_where_it_is_told_to(lab, other):
    api = client_of(make_person("dora", lab, "adjudicator"))
    address = f"datasets/{lab.pk}/reference-lists/"
    refused = api.upload(address, other.encode())
    assert (refused.status_code, "has another list already" in refused.json()["detail"]) == (422, True)
    assert api.upload(address, other.encode(), replace="false").status_code == 422
    assert lists() == {"Ada": ["Ada painted."], "Ben": None}

    answer = api.upload(address, other.encode(), replace="true")
    assert (answer.status_code, answer.json()) == (201, {"created": 1, "unchanged": 0, "replaced": ["Ada"]})
    assert lists() == {"Ada": FACTS, "Ben": ["Ben sang."]}


def test_a_list_is_covered_by_the_supported_units_that_it_is_aligned_to():
    """The example of docs/statistics.md: one fact stands in a supported unit, one in a wrong one, one in none."""
    facts = [*FACTS, "Ada died young."]
    units = [("Ada was born in London in 1815.", True), ("Ada wrote a novel.", False)]

    assert share_covered(facts, units) == pytest.approx(1 / 3)
    assert share_covered(facts, [(text, True) for text, _ in units]) == pytest.approx(2 / 3)
    assert share_covered(facts, []) == 0


def test_of_units_that_hold_as_much_a_supported_one_covers():
    units = [("Ada wrote a program.", False), ("Ada wrote a program.", True)]
    assert share_covered(["Ada wrote a program."], units) == 1
