"""Panels as runs: over HTTP, with prices, budgets, grants and endpoints of their own."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotate.models import EndpointGrant
from evaluators.methods import METHODS
from evaluators.methods.base import Judgement, Method
from evaluators.models import Run
from evaluators.run_page.models_asked import models_asked
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.limits import Limits
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.errors import EndpointAddressError
from llm.models import Call, Endpoint, Price
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab():
    """One response with a right and a wrong segment."""
    dataset = make_dataset()
    make_response(dataset, ["Ada sang.", "This is wrong."])
    return dataset


@pytest.fixture
def elsewhere(model):
    """The same server under another address, which no dataset may use yet."""
    return Endpoint.objects.create(name="elsewhere", base_url=model.base_url.replace("127.0.0.1", "localhost"))


def make(lab, others="b, c", **options):
    parameters = {"other_models": others, **options.pop("parameters", {})}
    return create_run(lab, "panel", model="a", parameters=parameters, **options).run


def worked(run):
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def values(run):
    return list(run.predictions.in_reading_order().values_list("value", "score"))


def asked():
    return sorted(Call.objects.values_list("model", flat=True))


def test_two_models_decide_and_the_third_is_not_asked(lab, model):
    run = worked(make(lab))
    assert (run.state, values(run)) == ("finished", [("supported", 1.0), ("not_supported", 0.0)])
    assert asked() == ["a", "a", "b", "b"]
    rationales = set(run.predictions.values_list("rationale", flat=True))
    assert rationales == {f"{said}: the run's model, b; 1 call saved" for said in ("True", "False")}


def test_the_third_is_asked_where_they_do_not_agree(lab, model):
    model.control(answer_of={"b": "False"})
    run = worked(make(lab))
    assert values(run) == [("supported", pytest.approx(2 / 3)), ("not_supported", 0.0)]
    assert asked() == ["a", "a", "b", "b", "c"]


def test_every_call_costs_what_its_model_costs(lab, model):
    for name, usd in (("a", 1000), ("b", 5000), ("c", 9000)):
        Price.objects.create(endpoint=default_endpoint(), model=name, prompt_usd=usd, completion_usd=usd)
    run = worked(make(lab, parameters={"ask_all": "true"}, limits=Limits(cost_usd=Decimal(100))))
    price = {"a": Decimal("0.001"), "b": Decimal("0.005"), "c": Decimal("0.009")}
    expected = sum(
        price[name] * (prompt + completion)
        for name, prompt, completion in Call.objects.values_list("model", "prompt_tokens", "completion_tokens")
    )
    assert Call.objects.count() == 6
    assert run.spent_usd == expected
    assert progress_of(run).cost_usd == pytest.approx(float(expected))


def test_the_page_says_what_each_model_took(lab, model, client):
    model.control(answer_of={"b": "False"})
    Price.objects.create(endpoint=default_endpoint(), model="a", prompt_usd=10, completion_usd=10)
    run = worked(make(lab))
    cost = sum(call.cost_usd for call in Call.objects.filter(model="a"))
    found = [(each.model, each.units, each.answers, each.cost_usd) for each in models_asked(run)]
    assert found == [("a", 2, 2, pytest.approx(float(cost))), ("b", 2, 2, None), ("c", 1, 1, None)]

    client.force_login(make_person("rhea", lab, "researcher"))
    page = client.get(reverse("run", args=[run.pk])).content.decode()
    assert (
        page.count("<tr>", page.index('id="models-asked"'), page.index("</table>", page.index('id="models-asked"')))
        == 4
    )


def test_a_run_of_one_model_has_no_such_table(lab, model, client):
    run = worked(create_run(lab, "felm-segment", model="a").run)
    assert models_asked(run) == ()


def test_a_run_stops_before_its_limit_whichever_model_would_exceed_it(lab, model):
    for name, usd in (("a", 0), ("b", 0), ("c", 900_000)):
        Price.objects.create(endpoint=default_endpoint(), model=name, prompt_usd=usd, completion_usd=usd)
    limits = Limits(cost_usd=Decimal(1))
    assert worked(make(lab, limits=limits)).state == "finished"
    model.control(answer_of={"b": "Hm."})
    run = worked(make(lab, limits=limits, anew=True))
    assert (run.state, run.spent_usd) == ("out_of_budget", 0)
    assert "c" not in asked()


def test_a_limit_in_dollars_needs_the_price_of_every_model(lab, model):
    Price.objects.create(endpoint=default_endpoint(), model="a", prompt_usd=1, completion_usd=1)
    with pytest.raises(RunError, match="What b costs is not known"):
        make(lab, limits=Limits(cost_usd=Decimal(1)))


def test_the_estimate_counts_every_model_at_its_price(lab, model):
    options = {"other_models": "b, c", "max_tokens": "50"}
    for name, usd in (("a", 10), ("b", 20)):
        Price.objects.create(endpoint=default_endpoint(), model=name, prompt_usd=0, completion_usd=usd)
    assert estimate(lab, "panel", model="a", parameters=options, limit=None).cost_usd is None
    Price.objects.create(endpoint=default_endpoint(), model="c", prompt_usd=0, completion_usd=50)

    found = estimate(lab, "panel", model="a", parameters=options, limit=None)

    assert (found.calls, found.completion_tokens, found.likely_tokens) == (6, 6 * 50, 6 * 5)
    assert found.cost_usd == Decimal("0.008")  # 100 tokens of each at $10, $20 and $50 a million
    assert found.likely_usd == Decimal("0.0008")
    assert model.stats()["total"] == 0


def test_after_a_run_the_estimate_knows_that_the_vote_is_decided(lab, model):
    worked(make(lab))
    found = estimate(lab, "panel", model="a", parameters={"other_models": "b, c"}, limit=None)
    assert (found.known, found.calls) == (4, 0)


def test_a_judge_at_another_endpoint_needs_its_grant(lab, model, elsewhere):
    for attempt in (
        make,
        lambda lab, others: estimate(lab, "panel", model="a", parameters={"other_models": others}, limit=1),
    ):
        with pytest.raises(EndpointAddressError, match="There is no endpoint named 'elsewhere'"):
            attempt(lab, others="elsewhere::a")
    assert not Run.objects.exists()

    grant = EndpointGrant.objects.create(endpoint=elsewhere, dataset=lab)
    run = worked(make(lab, others="elsewhere::a"))
    assert run.state == "finished"
    assert run.manifest["other_models"] == {"elsewhere::a": elsewhere.base_url}
    assert sorted(Call.objects.values_list("endpoint__name", flat=True)) == sorted(
        [default_endpoint().name] * 2 + ["elsewhere"] * 2
    )

    grant.delete()
    again = make(make_granted(lab, elsewhere), others="elsewhere::a", force=True)
    EndpointGrant.objects.all().delete()
    assert worked(again).state == "failed"
    assert again.error.startswith("The endpoint elsewhere is not granted to lab")


def make_granted(dataset, endpoint):
    EndpointGrant.objects.create(endpoint=endpoint, dataset=dataset)
    return dataset


def test_a_run_keeps_to_the_endpoints_it_began_with(lab, model, elsewhere):
    run = make(make_granted(lab, elsewhere), others="elsewhere::a")
    Endpoint.objects.filter(pk=elsewhere.pk).update(name="renamed")
    assert worked(run).state == "finished"
    with pytest.raises(EndpointAddressError, match="'elsewhere'"):
        make(lab, others="elsewhere::a", force=True)


@pytest.mark.parametrize("others", ["a", "b, here::b", "here::a"])
def test_no_model_has_two_votes(lab, model, others):
    default_endpoint()
    Endpoint.objects.update(name="here")
    with pytest.raises(RunError, match=r"^The model [ab] at here is named twice"):
        make(lab, others=others)
    with pytest.raises(RunError, match="named twice"):
        estimate(lab, "panel", model="a", parameters={"other_models": others}, limit=None)


def test_a_panel_of_one_is_refused_on_the_page(lab, model, client):
    client.force_login(make_person("rhea", lab, "researcher"))
    address = f"{reverse('run-new', args=[lab.pk])}?method=panel"
    form = client.get(address).context["form"]
    fields = {name: field.initial or "" for name, field in form.fields.items()}
    page = client.post(address, fields | {"model": "a"}).content.decode()
    assert "panel needs other_models: name at least one model besides the run&#x27;s." in page
    assert not Run.objects.exists()


def test_asked_anew_no_model_gives_a_known_answer(lab, model):
    worked(make(lab))
    run = worked(make(lab, anew=True))
    assert (run.asking, progress_of(run).paid, progress_of(run).cached) == (1, 4, 0)


def test_a_method_reaches_no_model_that_its_run_does_not_name(lab, model, monkeypatch):
    async def judge(case, tools):
        answer = await tools.ask([{"role": "user", "content": "?"}], model="b")
        return [Judgement(unit, None, calls=(answer.call_id,)) for unit in case.units]

    method = Method("reaching", "Reaching", "Reaches.", lambda parameters: judge, needs_model=True)
    monkeypatch.setitem(METHODS, "reaching", method)
    run = create_run(lab, "reaching", model="a").run
    run = worked(run)
    assert run.state == "failed"
    assert "asks the model 'b', which its run does not name in other_models" in run.error
    assert model.stats()["total"] == 0
