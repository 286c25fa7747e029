"""A method with its own wording: a unit is supported where the model says yes."""

from annotate.prompt_sets.templates import read_template
from evaluators.methods.base import Judgement, Method, Parameter


def build(parameters):
    template = read_template(parameters["prompts"], "agreeing_ask")

    async def judge(case, tools):
        answers = [await tools.ask(template.messages(unit=unit.text)) for unit in case.units]
        if any("fail" in answer.text for answer in answers):
            raise SystemExit("I was told\nto fail.")
        return [
            Judgement(unit, "supported" if "yes" in answer.text else "not_supported", calls=(answer.call_id,))
            for unit, answer in zip(case.units, answers, strict=True)
        ]

    return judge


METHOD = Method(
    name="agreeing",
    title="Agreeing",
    description="Asks a model whether it agrees.",
    build=build,
    needs_model=True,
    own_parameters=(Parameter("prompts", "touchstone-agreeing", "The set of prompt templates."),),
)
