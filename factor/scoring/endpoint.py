"""A model at an endpoint that gives the log-probabilities of a text that it is sent."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from factor.language_model import NotScorableError, Scored
from factor.scoring.borders import Joined, Span, checked, first_of_continuation, join, scored
from llm.answer import EchoedToken
from llm.asker import Asker
from llm.errors import AccessRefusedError, RequestRefusedError
from llm.models import Endpoint

LOOPBACK = {"localhost", "127.0.0.1", "::1"}
REMOTE_IN_FLIGHT = 8
# Of a prefix so many characters for each token of the context are sent, to learn from what comes back where to cut; a
# server that refuses them as too many gets fewer.
CHARACTERS_A_TOKEN = (6, 4.5, 3, 2)
# What stands before a text that nothing stands before: endpoints give its first token no log-probability.
OPENING = "\n"


def in_flight_at(endpoint: Endpoint) -> int:
    """How many examples are with the endpoint at once: one where it is on this machine, whose prompt cache is of one
    text."""
    return 1 if urlsplit(endpoint.base_url).hostname in LOOPBACK else REMOTE_IN_FLIGHT


@dataclass(frozen=True)
class Tokens:
    """A joined text as the endpoint's tokens. first: the place of the continuation's first."""

    joined: Joined
    echoed: Sequence[EchoedToken]
    spans: list[Span]
    first: int


class EndpointModel:
    """`ask` is told to ask texts back (factor/scoring/ready.py); `at_once` examples are with it at a time.

    The texts of an example go one after the other, the longest first: where the server keeps what it has read, only the
    first pays for the prefix; and by it alone, mostly, it is found out how much of the prefix there is room for.
    """

    def __init__(self, ask: Asker, at_once: int) -> None:
        self._ask = ask
        self._places = asyncio.Semaphore(at_once)

    async def score(
        self, prefix: str, continuations: Sequence[str], context_length: int
    ) -> list[Scored | NotScorableError]:
        async with self._places:
            left = await self._roughly_cut(prefix or OPENING, continuations, context_length)
            longest_first = sorted(set(continuations), key=len, reverse=True)
            read: dict[str, Tokens | NotScorableError] = {}
            while len(read) < len(longest_first):
                following = longest_first[len(read)]
                tokens = await self._read(join(left, following), context_length)
                read[following] = tokens
                too_many = _too_many(tokens, context_length)
                if too_many > 0:
                    left, read = left[_start_of(read, too_many) :], {}
        return [_scored(read[each], counted=bool(prefix)) for each in continuations]

    async def tokens(self, text: str) -> list[tuple[int, int]]:
        """Costs as much as scoring the text."""
        return checked([(token.start, token.end) for token in await self._asked_back(text)], text)

    async def _roughly_cut(self, prefix: str, continuations: Sequence[str], context_length: int) -> str:
        """The prefix with no more at its left than the endpoint takes, or than could be needed."""
        longest = max(continuations, key=len)
        for characters in CHARACTERS_A_TOKEN:
            sent = prefix[-int(characters * context_length) :]
            try:
                await self._asked_back(join(sent, longest).text)
            except AccessRefusedError:
                raise
            except RequestRefusedError:
                continue
            except NotScorableError:
                pass
            return sent
        return prefix

    async def _read(self, joined: Joined, context_length: int) -> Tokens | NotScorableError:
        try:
            tokens = await self._asked_back(joined.text)
            spans = checked([(token.start, token.end) for token in tokens], joined.text)
        except AccessRefusedError:
            raise
        except RequestRefusedError as refused:
            return NotScorableError(str(refused))
        except NotScorableError as why:
            return why
        first = first_of_continuation(spans, joined.border)
        if len(tokens) - first >= context_length:
            return NotScorableError(
                f"The completion has {len(tokens) - first:,} tokens, too many for a context of {context_length:,}."
            )
        return Tokens(joined, tokens, spans, first)

    async def _asked_back(self, text: str) -> Sequence[EchoedToken]:
        answer = await self._ask([{"role": "user", "content": text}])
        if not answer.echoed:
            raise NotScorableError("The tokens that the endpoint gave back are not those of the text that was sent.")
        return answer.echoed


def _too_many(read: Tokens | NotScorableError, context_length: int) -> int:
    return len(read.echoed) - context_length if isinstance(read, Tokens) else 0


def _start_of(read: Mapping[str, Tokens | NotScorableError], place: int) -> int:
    """The first character of the token with this place, by the text that has most tokens: it decides how much of the
    prefix is cut, so that each is read after the same."""
    most = max((each for each in read.values() if isinstance(each, Tokens)), key=lambda each: len(each.echoed))
    return most.spans[min(place, most.first - 1)][0]


def _scored(read: Tokens | NotScorableError, *, counted: bool) -> Scored | NotScorableError:
    """counted: whether what stands before the continuation is a prefix of somebody's."""
    if isinstance(read, NotScorableError):
        return read
    logprobs = [token.logprob for token in read.echoed[read.first :]]
    try:
        return scored(read.joined, read.spans[read.first :], logprobs, read.first if counted else 0)
    except NotScorableError as why:
        return why
