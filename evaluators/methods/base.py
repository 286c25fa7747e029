"""The contract of a method, an evaluator or an editor: its input, its outcomes, and its declaration.

A new method is one file beside this one, one line in `evaluators/methods/__init__.py`, and one test
(docs/methods.md). A method never touches the database and never talks to a model except through the `Tools` it is
handed.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from evaluators.methods.claim_alignment import AlignedUnit, align_to_units
from llm.answer import Answer
from llm.interfaces import CHAT, INTERFACES

SEGMENTS = "felm"
FACTS = "factscore"
CLAIMS = "claims"
EVERY_SCHEME = (SEGMENTS, FACTS, CLAIMS)


@dataclass(frozen=True)
class Unit:
    """One thing to judge: a segment or claim (`fact_id` None) or an atomic fact. `segment` and `fact` count from 0."""

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
    their readings of them; only methods with a parameter for gold look at it. Of claims against a source (`of_claims`)
    it is what each is to be judged by: its own passages, in the file's order.

    An editor's `units` are the sentences to correct, and `facts` those of each of them, by its segment_id, where they
    have labels.
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
    facts: Mapping[int, tuple["LabelledFact", ...]] = field(default_factory=dict)
    of_claims: bool = False

    @property
    def passages(self) -> list[tuple["EvidencePassage", ...]]:
        """The passages of each unit, in the order of the units; [] where they are no claims."""
        return [self.evidence.get((unit.segment_id, None), ()) for unit in self.units] if self.of_claims else []

    def passages_of(self, unit: Unit) -> list[str]:
        """The texts that a claim is judged by; [] where it has none."""
        return [passage.text for passage in self.evidence.get((unit.segment_id, unit.fact_id), ())]


@dataclass(frozen=True)
class LabelledFact:
    """An atomic fact of a sentence, and whether gold or a run calls it supported."""

    fact_id: int
    text: str
    supported: bool


@dataclass(frozen=True)
class EvidencePassage:
    """A piece of a page of the dataset's knowledge source, or a passage of a claim; `title` is the page's, "" where the
    file of the claims gives none."""

    title: str
    text: str


@dataclass(frozen=True)
class WebResult:
    """A page that a search engine found.

    text: the engine's snippet; where the run reads pages, the best passages of the page for the query.
    """

    title: str
    url: str
    text: str


@dataclass(frozen=True)
class Judgement:
    """A method's judgement of a unit.

    value: "supported", "not_supported", "irrelevant", of claims also "not_enough_evidence"; None: the output could not
    be parsed.
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


@dataclass(frozen=True)
class Edit:
    """An editor's correction of a sentence.

    text: the sentence as it reads now, "" where it is taken out; None: the output could not be parsed. calls: as of a
    Judgement.
    """

    unit: Unit
    text: str | None
    calls: tuple[int, ...] = ()


@dataclass(frozen=True)
class Claim:
    """A claim that a method extracts from the response by itself, with its own verdict.

    value, score, calls: as of a Judgement; value is None too where no call had room for the claim. segment: the number
    of the segment in the response, from 0, that it was taken from; None: of the response as a whole. Which units it
    says the site finds out (`align_claims`).
    """

    text: str
    value: str | None
    score: float | None = None
    rationale: str = ""
    calls: tuple[int, ...] = ()
    segment: int | None = None


UnitOutcome = Judgement | Edit | Skip
Outcome = UnitOutcome | Claim
NO_CLAIM = "no claim"


class Tools(Protocol):
    """The means of a method. Every answer is kept: a repeated request costs nothing."""

    def ask(self, messages: list[dict[str, str]], sample: int = 0, **overrides: Any) -> Awaitable[Answer]:
        """Put a chat request to the run's model. The n-th sample of the same messages (from 0) is another request.

        overrides: `temperature`, `max_tokens`, `stop`, `logprobs` (bool), `top_logprobs` (alternatives a token) and
        `response_format` (evaluators/methods/answer_forms.py) in place of the run's own; `model`, one of those that the
        parameter `other_models` names, in place of the run's. A base model (parameter `interface`) gets the messages as
        one text.
        """

    def embed(self, texts: Sequence[str]) -> Awaitable[list[list[float]]]:
        """One vector a text, from the run's parameter `embedding_model`."""

    def search(self, topic: str, query: str, k: int) -> Awaitable[list[EvidencePassage]]:
        """The best `k` passages of the topic's page in the dataset's knowledge source, best first; [] without one."""

    def web_search(self, query: str, k: int) -> Awaitable[list[WebResult]]:
        """The best `k` results of the run's search engine, best first; [] where it found nothing. A result list is
        frozen: the same query of the same engine gets the same one. For methods with `needs_search`."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method: its type is that of its default; `choices`, `minimum` and `maximum` bound it.

    released: the default under the profile released-code where that is another; None: it is not. label: what pages call
    it; "": its name in words. optional: an evaluator has it only where it is not the default.
    """

    name: str
    default: str | int | float | bool
    help: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    released: str | int | float | bool | None = None
    label: str = ""
    optional: bool = False

    @property
    def title(self) -> str:
        return self.label or self.name.replace("_", " ").capitalize()

    def default_under(self, profile: str) -> str | int | float | bool:
        return self.default if self.released is None or profile != RELEASED_CODE else self.released


RELEASED_CODE = "released-code"
PROFILES = ("repaired", RELEASED_CODE, "paper")  # docs/methods.md, Profiles
AS_PROFILE = "profile"
OF_JUDGES = ("samples",)  # the parameters of MODEL_PARAMETERS that editors do not take

# Parameters of every method that calls a model, besides its own (docs/methods.md, Methods that call a model).
MODEL_PARAMETERS = (
    Parameter("in_flight", 16, "Calls under way at once.", minimum=1, maximum=1024, label="Calls at once"),
    Parameter("temperature", 0.0, "Sampling temperature.", minimum=0, maximum=2, label="Temperature"),
    Parameter("max_tokens", 1024, "Longest answer, in tokens.", minimum=1, label="Longest answer, in tokens"),
    Parameter(
        "samples",
        1,
        "Answers asked for each request; several are put to the vote (raise the temperature).",
        minimum=1,
        maximum=99,
        label="Answers to each request",
    ),
    Parameter("profile", "repaired", "How answers are parsed.", choices=PROFILES, label="Answer parsing"),
    Parameter(
        "layout",
        AS_PROFILE,
        "How prompts are laid out: as the profile says, or as another one does whose answers are there to be read.",
        choices=(AS_PROFILE, *PROFILES),
        label="Prompt layout",
    ),
    Parameter("prompts", "touchstone", "The set of prompt templates.", label="Prompt set"),
    Parameter(
        "interface",
        CHAT,
        "What the model speaks: chat, or plain completion of a text.",
        choices=INTERFACES,
        label="Interface",
    ),
    Parameter("endpoint", "", "The endpoint that serves the model, by name; empty: the default one.", label="Endpoint"),
    Parameter(
        "reasoning_effort",
        "",
        "How much a reasoning model thinks, such as low; empty: as it does by itself.",
        label="Reasoning effort",
        optional=True,
    ),
    Parameter(
        "top_p",
        1.0,
        "Share of the probability that words are drawn from.",
        minimum=0,
        maximum=1,
        label="Top p",
        optional=True,
    ),
    Parameter(
        "extra_body",
        "",
        'Further fields of each request as a JSON object, such as {"seed": 7}.',
        label="Further fields of requests",
        optional=True,
    ),
)
SHARED = {parameter.name: parameter for parameter in MODEL_PARAMETERS}

# Parameters that some methods take, of which a run knows what they mean (evaluators/runs/create.py).
OTHER_MODELS = Parameter(
    "other_models",
    "",
    "The models that judge besides the run's, with commas between them; model m of another endpoint is endpoint::m.",
    label="Other models",
)
GUIDELINES = Parameter(
    "guidelines",
    0,
    "Version of the dataset's guidelines that the model is shown; 0: the newest.",
    minimum=0,
    label="Version of the guidelines",
)

# Parameters of every method that searches the web, besides its own (docs/web-search.md).
SEARCH_PARAMETERS = (
    Parameter(
        "search",
        "",
        "The search engine, by name; corpus searches the dataset's knowledge source instead of the web, and run:N "
        "takes the results that run N got.",
        label="Search engine",
    ),
    Parameter(
        "pages",
        0,
        "So many of the results are read as whole pages; 0: their snippets alone.",
        minimum=0,
        maximum=20,
        label="Pages read of a search",
    ),
)


Judge = Callable[[Case, Tools], Awaitable[list[Outcome]]]
"""Gives every unit of the case exactly one outcome: a judgement (of an editor an edit), or a skip with its reason. The
claims that it extracted by itself stand after them, in their order."""


def units_of(outcomes: Sequence[Outcome]) -> list[UnitOutcome]:
    """The outcomes of units, without the claims."""
    return [outcome for outcome in outcomes if not isinstance(outcome, Claim)]


def align_claims(case: Case, claims: Sequence[Claim]) -> list[tuple[Unit, ...]]:
    """For each claim the units that say it, in reading order; () where none does. By texts alone."""
    units = sorted(case.units, key=lambda unit: (unit.segment, unit.fact or 0))
    texts = [AlignedUnit(unit.segment, unit.text, unit.fact is None) for unit in units]
    aligned = align_to_units([(claim.text, claim.segment) for claim in claims], texts)
    return [tuple(units[place] for place in places) for places in aligned]


def with_claims(
    case: Case, claims: Sequence[Claim], unread: Mapping[int, tuple[int, ...]] | None = None
) -> list[Outcome]:
    """The outcomes of a method that extracts claims by itself: each unit's, then the claims.

    A unit is not supported where a claim aligned to it is not, else unparsed where one is, else without enough evidence
    where one is, irrelevant where all are, supported otherwise; without a claim it is skipped. Its score is the lowest
    of its claims, None where one has none.

    unread: the answers (call ids) by the number of a segment whose claims could not be read from them: its units
    without a claim are unparsed.
    """
    by_unit: dict[Unit, list[Claim]] = {unit: [] for unit in case.units}
    for claim, units in zip(claims, align_claims(case, claims), strict=True):
        for unit in units:
            by_unit[unit].append(claim)
    of_units = [_of_claims(unit, aligned, (unread or {}).get(unit.segment)) for unit, aligned in by_unit.items()]
    return [*of_units, *claims]


def _of_claims(unit: Unit, claims: Sequence[Claim], unread: tuple[int, ...] | None) -> Outcome:
    if not claims:
        return Skip(unit, NO_CLAIM) if unread is None else Judgement(unit, None, calls=unread)
    scores = [claim.score for claim in claims if claim.score is not None]
    return Judgement(
        unit,
        value_of_claims([claim.value for claim in claims]),
        min(scores) if len(scores) == len(claims) else None,
        "\n".join(f"{claim.text} – {said}" if (said := claim.rationale) else claim.text for claim in claims),
        tuple(dict.fromkeys(call for claim in claims for call in claim.calls)),
    )


def value_of_claims(values: Collection[str | None]) -> str | None:
    """The value of a unit by those of the claims aligned to it, of which there is one at least."""
    prevailing = ("not_supported", None, "not_enough_evidence", "supported", "irrelevant")
    return next(value for value in prevailing if value in values)


@dataclass(frozen=True)
class Method:
    """A declared method. `build` takes the checked parameters (parameters.py) and returns the judge. It raises
    NotReadyError where its requirements are not there.

    edits: it is an editor, and corrects sentences where others judge units.

    prompt: the name of the template it uses from the set that the parameter `prompts` names; "" where it has none.
    calls: how many answers a case takes at most, under the checked parameters; None where what it asks for does not
    depend on an answer, so that a rehearsal without a model counts them (evaluators/runs/estimate.py). searches: the
    same of searches, for a method that needs them.
    rehearsal: stands in for the judge in an estimate: it asks for as much, but does nothing heavy; None: the judge.
    answer_tokens: of a usual answer, for the estimate of a run where no answer is known yet.
    """

    name: str
    title: str
    description: str
    build: Callable[[Mapping[str, Any]], Judge]
    schemes: tuple[str, ...] = (SEGMENTS, FACTS)
    edits: bool = False
    needs_model: bool = False
    needs_search: bool = False  # a search engine, which the run's parameter `search` names
    needs_source: bool = False  # a knowledge source of the dataset, whose pages it searches
    sourceless: tuple[str, str] | None = None  # the parameter and its value with which it searches none all the same
    prompt: str = ""
    own_parameters: tuple[Parameter, ...] = field(default=())
    calls: Callable[[Case, Mapping[str, Any]], int] | None = None
    searches: Callable[[Case, Mapping[str, Any]], int] | None = None
    rehearsal: Callable[[Mapping[str, Any]], Judge] | None = None
    answer_tokens: float = 100.0

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its own, then the shared ones of methods that search and that call a model, unless it declares one of the
        same name."""
        own = {parameter.name for parameter in self.own_parameters} | set(OF_JUDGES if self.edits else ())
        shared = SEARCH_PARAMETERS * self.needs_search + MODEL_PARAMETERS * self.needs_model
        return self.own_parameters + tuple(parameter for parameter in shared if parameter.name not in own)
