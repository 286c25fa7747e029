"""The contract of an evaluation method: its input, its outcomes, and its declaration.

A new method is one file beside this one, one line in `evaluators/methods/__init__.py`, and one test
(docs/methods.md). A method never touches the database and never talks to a model except through the `Tools` it is
handed.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from llm.answer import Answer
from llm.interfaces import CHAT, INTERFACES

SEGMENTS = "felm"
FACTS = "factscore"


@dataclass(frozen=True)
class Unit:
    """One thing to judge: a segment (`fact_id` None) or an atomic fact. `segment` and `fact` count from 0."""

    segment_id: int
    fact_id: int | None
    segment: int
    fact: int | None
    text: str


@dataclass(frozen=True)
class Reference:
    """A source the response comes with: either part may be missing."""

    url: str | None
    content: str | None


@dataclass(frozen=True)
class Case:
    """One response with all that a method may see of it.

    `units` are in reading order and never empty. `samples` are the subject's other answers to the same prompt, where
    the dataset has them. `evidence`: the passages that people linked to a unit, by its segment_id and fact_id, without
    their readings of them; only methods with a parameter for gold look at it.
    """

    index: str
    prompt: str
    response: str
    domain: str
    topic: str
    subject: str
    segments: tuple[str, ...]
    units: tuple[Unit, ...]
    references: tuple[Reference, ...] = ()
    samples: tuple[str, ...] = ()
    evidence: Mapping[tuple[int, int | None], tuple["EvidencePassage", ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class EvidencePassage:
    """A piece of a page of the dataset's knowledge source; `title` is the page's."""

    title: str
    text: str


@dataclass(frozen=True)
class Judgement:
    """A method's judgement of a unit.

    value: "supported", "not_supported", "irrelevant"; None: the output could not be parsed.
    score: the probability of *supported*, or None.
    calls: the ids of the answers it was read from (Answer.call_id).
    fallback: why the unit was judged by another method than the one named ("math", "no link"), in a few words; "" where
    it was not. The run counts the reasons.
    """

    unit: Unit
    value: str | None
    score: float | None = None
    rationale: str = ""
    calls: tuple[int, ...] = ()
    fallback: str = ""


@dataclass(frozen=True)
class Skip:
    """A unit that the method will not judge, and why in a few words ("no reference").

    It gets no prediction and counts as missing (coverage below 1): no decision is neither "correct" nor "unparsed". The
    run counts the reasons.
    """

    unit: Unit
    reason: str


Outcome = Judgement | Skip


class Tools(Protocol):
    """The means of a method. Every answer is kept: a repeated request costs nothing."""

    def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Awaitable[Answer]:
        """Put a chat request to the run's model. The n-th sample of the same messages (from 0) is another request.

        overrides: `temperature`, `max_tokens`, `stop`, `logprobs` (bool) and `top_logprobs` (alternatives a token) in
        place of the run's own. A base model (parameter `interface`) gets the messages as one text.
        """

    def embed(self, texts: Sequence[str]) -> Awaitable[list[list[float]]]:
        """One vector a text, from the run's parameter `embedding_model`."""

    def search(self, topic: str, query: str, k: int) -> Awaitable[list[EvidencePassage]]:
        """The best `k` passages of the topic's page in the dataset's knowledge source, best first; [] without one."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method: its type is that of its default; `choices`, `minimum` and `maximum` bound it."""

    name: str
    default: str | int | float | bool
    help: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None


PROFILES = ("repaired", "released-code", "paper")  # docs/methods.md, Profiles
AS_PROFILE = "profile"

# Parameters of every method that calls a model, besides its own (docs/methods.md, Methods that call a model).
MODEL_PARAMETERS = (
    Parameter("in_flight", 16, "Calls under way at once.", minimum=1, maximum=1024),
    Parameter("temperature", 0.0, "Sampling temperature.", minimum=0, maximum=2),
    Parameter("max_tokens", 1024, "Longest answer, in tokens.", minimum=1),
    Parameter(
        "samples",
        1,
        "Answers asked for each request; several are put to the vote (raise the temperature).",
        minimum=1,
        maximum=99,
    ),
    Parameter("profile", "repaired", "How answers are parsed.", choices=PROFILES),
    Parameter(
        "layout",
        AS_PROFILE,
        "How prompts are laid out: as the profile says, or as another one does whose answers are there to be read.",
        choices=(AS_PROFILE, *PROFILES),
    ),
    Parameter("prompts", "touchstone", "The set of prompt templates."),
    Parameter("interface", CHAT, "What the model speaks: chat, or plain completion of a text.", choices=INTERFACES),
    Parameter("endpoint", "", "The endpoint that serves the model, by name; empty: the default one."),
)


Judge = Callable[[Case, Tools], Awaitable[list[Outcome]]]
"""Gives every unit of the case exactly one outcome: a judgement, or a skip with its reason."""


@dataclass(frozen=True)
class Method:
    """A declared method. `build` takes the checked parameters (parameters.py) and returns the judge. It raises
    NotReadyError where its requirements are not there.

    prompt: the name of the template it uses from the set that the parameter `prompts` names; "" where it has none.
    calls: how many answers a case takes at most, under the checked parameters; None where what it asks for does not
    depend on an answer, so that a rehearsal without a model counts them (evaluators/runs/estimate.py).
    rehearsal: stands in for the judge in an estimate: it asks for as much, but does nothing heavy; None: the judge.
    """

    name: str
    title: str
    description: str
    build: Callable[[Mapping[str, Any]], Judge]
    schemes: tuple[str, ...] = (SEGMENTS, FACTS)
    needs_model: bool = False
    needs_source: bool = False  # a knowledge source of the dataset, whose pages it searches
    sourceless: tuple[str, str] | None = None  # the parameter and its value with which it searches none all the same
    prompt: str = ""
    own_parameters: tuple[Parameter, ...] = field(default=())
    calls: Callable[[Case, Mapping[str, Any]], int] | None = None
    rehearsal: Callable[[Mapping[str, Any]], Judge] | None = None

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its own, then the shared ones of methods that call a model, unless it declares one of the same name."""
        own = {parameter.name for parameter in self.own_parameters}
        shared = MODEL_PARAMETERS if self.needs_model else ()
        return self.own_parameters + tuple(parameter for parameter in shared if parameter.name not in own)
