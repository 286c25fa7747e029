"""Proposals and written prompts in the words of a prompt set of the dataset."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.corpus.rows import PromptRow
from annotate.models import FactSet, Proposal, Role, Segmentation
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.placeholders import placeholders_of
from annotate.prompt_sets.sets import find_set
from annotate.prompt_sets.upload import store_set
from annotate.prompts.collect import collect
from annotate.proposals.proposal_job import ProposalJob
from annotate.proposals.start import start, unproposed
from jobs.errors import StartError
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Call
from llm.templates import PromptError, parse_template
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def upload(dataset, name="mine", **templates):
    return store_set(
        dataset, name, [(f"{stem}.txt", io.BytesIO(text.encode())) for stem, text in templates.items()], None
    )


def hash_of(stored, name):
    return parse_template(stored.templates[name], name).hash


def sent():
    return [call.request["messages"] for call in Call.objects.order_by("pk")]


@pytest.fixture
def lives():
    dataset = make_dataset("lives", scheme="factscore")
    make_response(dataset, ["Maria painted."], prompt="Maria", subject="amber")
    return dataset


def ask(dataset, kind, prompts=PROJECT_SET):
    start(dataset, unproposed(dataset, kind), kind, "tiny", prompts=prompts)
    work_on(ProposalJob(), dataset.pk)
    proposal = Proposal.objects.get()
    assert proposal.error == ""
    return proposal


def test_facts_are_asked_for_in_the_words_of_the_set_and_kept_with_their_hash(lives, model):
    model.control(answer="- Maria painted.")
    stored = upload(lives, propose_facts="== user\nWhat does it say? $sentence")
    assert ask(lives, "facts", "mine").prompts == str(stored)
    assert sent() == [[{"role": "user", "content": "What does it say? Maria painted."}]]
    assert FactSet.objects.get().prompt_hash == hash_of(stored, "propose_facts")


def test_a_response_asked_about_before_goes_on_in_the_words_of_its_version(lives, model):
    model.control(answer="- Maria painted.")
    first = upload(lives, propose_facts="== user\nFirst: $sentence")
    start(lives, unproposed(lives, "facts"), "facts", "tiny", prompts="mine")
    upload(lives, propose_facts="== user\nSecond: $sentence")
    work_on(ProposalJob(), lives.pk)
    assert FactSet.objects.get().prompt_hash == hash_of(first, "propose_facts")


def test_the_words_after_an_answer_that_cannot_be_read_are_of_the_set_too(lives, model):
    model.control(garble_first=1)
    upload(
        lives,
        propose_facts="== user\nTake this sentence apart: $sentence",
        ask_again="== assistant\n$answer\n== user\nNo: $fault.",
    )
    ask(lives, "facts", "mine")
    *_, last = max(sent(), key=len)
    assert last["content"] == 'No: no line of it begins with "- ".'


@pytest.mark.parametrize(("domain", "said"), [("math", "Of sums"), ("writing_rec", "Of all")])
def test_a_domain_may_have_its_own_words_for_segments(model, domain, said):
    dataset = make_dataset("sums")
    make_response(dataset, ["Halve it. Enjoy."], domain=domain)
    model.control(answer="Halve it.\n*****\nEnjoy.")
    stored = upload(dataset, propose_segments="== user\nOf all: $text", propose_segments_math="== user\nOf sums: $text")
    ask(dataset, "segments", "mine")
    assert sent() == [[{"role": "user", "content": f"{said}: Halve it. Enjoy."}]]
    name = "propose_segments_math" if domain == "math" else "propose_segments"
    assert Segmentation.objects.get(origin="model").prompt_hash == hash_of(stored, name)


@pytest.mark.parametrize(
    ("prompts", "said"),
    [("mine", "The prompt set 'mine@.*' has no template 'propose_facts'"), ("yours", "There is no prompt set 'yours'")],
)
def test_a_set_without_the_template_asks_nothing(lives, prompts, said):
    upload(lives, felm_segment="== user\n$segments")
    with pytest.raises(StartError, match=said):
        start(lives, unproposed(lives, "facts"), "facts", "tiny", prompts=prompts)
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("propose_facts", "== user\n\n$fact", r"line 3: \$fact is not filled in here \(\$sentence is\)"),
        ("propose_segments_math", "== user\n$words", r"line 2: \$words .*\$separator, \$text is"),
        ("write_prompts", "== user\n$number", r"line 2: \$number"),
        ("ask_again", "== user\n$error", r"line 2: \$error .*\$answer, \$fault is"),
        ("factor_link", "== user\n$prefix", r"line 2: \$prefix"),
        ("factor_judge_fluency", "== user\n$text", r"line 2: \$text"),
    ],
)
def test_a_name_that_is_not_filled_in_is_refused_when_it_comes_in(lives, name, text, said):
    with pytest.raises(PromptError, match=said):
        upload(lives, **{name: text})


def test_the_form_offers_the_sets_of_the_dataset_and_takes_one(lives, client, model):
    stored = upload(lives, propose_facts="== user\n$sentence")
    ada = make_person("ada", lives, Role.ADJUDICATOR)
    client.force_login(ada)
    endpoint = default_endpoint()
    endpoint.prices.create(model="tiny", prompt_usd=1, completion_usd=1)
    page = client.get(reverse("facts", args=[lives.pk])).content.decode()
    assert f'<option value="{stored}">mine, version 1</option>' in page
    sent_form = {"all": "1", "model": f"{endpoint.pk}:tiny", "prompts": str(stored)}
    client.post(reverse("facts-propose", args=[lives.pk]), sent_form)
    assert Proposal.objects.get().prompts == str(stored)


def test_prompts_are_written_after_the_words_of_the_set(model, capsys):
    dataset = make_dataset("lab")
    collect(dataset, [PromptRow("Why is the sky blue at noon?", domain="science")], "file")
    stored = upload(dataset, write_prompts="== user\nMore, please$about:\n$examples\n$wanted of $shown")
    model.control(answer="- Which metals rust?")
    words = ("--domain", "science", "--wanted", "1", "--prompts", "mine", "--json")
    call_command("write_prompts", "lab", "tiny", *words)
    [[message]] = sent()
    assert message["content"] == "More, please on science:\n- Why is the sky blue at noon?\n8 of 1"
    prompts = json.loads(capsys.readouterr().out)["prompts"]
    assert prompts == {"set": str(stored), "hash": hash_of(stored, "write_prompts")}
    with pytest.raises(CommandError, match="There is no prompt set 'yours'"):
        call_command("write_prompts", "lab", "tiny", "--domain", "science", "--prompts", "yours")


def test_every_template_of_the_project_declares_what_is_filled_in():
    for name, text in find_set(None, PROJECT_SET).templates.items():
        fields = placeholders_of(name)
        assert fields is not None, name
        parse_template(text, name, fields)
