"""A model at an endpoint that gives the log-probabilities of a text that it is sent."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from factor.language_models.base import NotScorableError, ScoredContinuation
from factor.language_models.borders import Joined, Span, checked, first_of_continuation, join, scored
from factor.language_models.tokens import tokens_of
from llm.answer import EchoedToken
from llm.asker import Asker
from llm.errors import AccessRefusedError, RequestRefusedError
from llm.models import Endpoint

LOOPBACK = {"localhost", "127.0.0.1", "::1"}
REMOTE_IN_FLIGHT = 8
# Of a prefix and a completion so many characters for each token of the context are sent, to learn from what
# comes back where to cut; a server that refuses them as too many gets fewer. Of Chinese and Japanese one token is a
# character or a part of one, down to one of its three bytes.
CHARACTERS_A_TOKEN = (6, 4.5, 3, 2, 1, 0.5, 0.3)
# So many tokens less are tried where two parts of a text have more tokens together than each by itself.
FEWER = (0, 1, 2, 4, 8, 16)
# What stands before a text that nothing stands before: endpoints give its first token no log-probability.
OPENING = "\n"


def in_flight_at(endpoint: Endpoint) -> int:
    """How many examples are with the endpoint at once: one where it is on this machine, whose prompt cache is of one
    text."""
    return 1 if urlsplit(endpoint.base_url).hostname in LOOPBACK else REMOTE_IN_FLIGHT


@dataclass(frozen=True)
class EndpointTokens:
    """A joined text as the endpoint's tokens. first: the place of the continuation's first."""

    joined: Joined
    echoed: Sequence[EchoedToken]
    spans: list[Span]
    first: int


class EndpointModel:
    """`ask` is told to ask texts back (factor/language_models/ready.py); `at_once` examples are with it at a time.

    The texts of an example go one after the other, the longest first: where the server keeps what it has read, only the
    first pays for the prefix; and by it alone, mostly, it is found out how much of the prefix there is room for.
    """

    def __init__(self, ask: Asker, at_once: int) -> None:
        self._ask = ask
        self._places = asyncio.Semaphore(at_once)

    async def score(
        self, prefix: str, continuations: Sequence[str], context_length: int
    ) -> list[ScoredContinuation | NotScorableError]:
        async with self._places:
            left = prefix or OPENING
            longest_first = sorted(dict.fromkeys(continuations), key=len, reverse=True)
            read: dict[str, EndpointTokens | NotScorableError] = {}
            while len(read) < len(longest_first):
                following = next(each for each in longest_first if each not in read)
                tokens, shorter = await self._fitted(left, following, context_length)
                if shorter != left:  # what was read stood after more than this one has room for
                    left, read = shorter, {}
                read[following] = tokens
        return [_scored(read[each], counted=bool(prefix)) for each in continuations]

    async def tokens(self, text: str) -> list[tuple[int, int]]:
        """Costs as much as scoring the text."""
        return checked([(token.start, token.end) for token in await self._asked_back(text)], text)

    async def _roughly_cut(self, prefix: str, continuation: str, context_length: int) -> str:
        """The prefix with no more at its left than the endpoint takes, or than could be needed."""
        refused = ""
        for characters in CHARACTERS_A_TOKEN:
            sent = prefix[-max(1, int(characters * context_length) - len(continuation)) :]
            if sent == refused:
                continue
            try:
                count = await self._count(join(sent, continuation).text)
                if count is not None:
                    missing = context_length - count if refused else 0
                    return await self._lengthened(sent, refused, continuation, missing, context_length)
            except NotScorableError:
                return sent
            refused = sent
        return prefix

    async def _lengthened(self, end: str, refused: str, continuation: str, missing: int, context_length: int) -> str:
        """The end of a prefix with what it is missing in tokens, from the longer one that was refused: what comes
        before it there is read by itself. Some tokens less where even that is refused."""
        if missing <= 0:
            return end
        try:
            spans = await tokens_of(self, refused[: -len(end)], context_length)
        except AccessRefusedError:
            raise
        except RequestRefusedError:
            return end
        for fewer in FEWER:
            if (count := min(missing, len(spans)) - fewer) <= 0:
                break
            longer = refused[spans[-count][0] :]
            if await self._count(join(longer, continuation).text) is not None:
                return longer
        return end

    async def _count(self, text: str) -> int | None:
        """The tokens of a text; None where the endpoint refuses it."""
        try:
            return len(await self._asked_back(text))
        except AccessRefusedError:
            raise
        except RequestRefusedError:
            return None

    async def _fitted(
        self, prefix: str, continuation: str, context_length: int
    ) -> tuple[EndpointTokens | NotScorableError, str]:
        """The continuation after as much of the prefix's end as there is room for, and that end; the prefix as it is
        where the continuation has no score."""
        left = await self._roughly_cut(prefix, continuation, context_length)
        while isinstance(read := await self._read(join(left, continuation), context_length), EndpointTokens):
            too_many = len(read.echoed) - context_length
            if too_many <= 0:
                return read, left
            start = _character_from(read, too_many)
            if start is None:
                return NotScorableError(
                    "No part of the prefix that its tokens tell apart fits beside the completion into a context of "
                    f"{context_length:,}."
                ), prefix
            left = left[start:]
        return read, prefix

    async def _read(self, joined: Joined, context_length: int) -> EndpointTokens | NotScorableError:
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
        return EndpointTokens(joined, tokens, spans, first)

    async def _asked_back(self, text: str) -> Sequence[EchoedToken]:
        answer = await self._ask([{"role": "user", "content": text}])
        if not answer.echoed:
            raise NotScorableError("The tokens that the endpoint gave back are not those of the text that was sent.")
        return answer.echoed


def _character_from(read: EndpointTokens, place: int) -> int | None:
    """Where the first character begins that belongs to no token before this place (1 or later), and that has tokens
    before the continuation's; None where there is none.

    Of a character that several tokens share each has the start: cut there, the text would begin with all of it again.
    """
    spans = read.spans
    starts = (spans[each][0] for each in range(place, read.first) if spans[each][0] >= spans[each - 1][1])
    return next(starts, None)


def _scored(read: EndpointTokens | NotScorableError, *, counted: bool) -> ScoredContinuation | NotScorableError:
    """counted: whether what stands before the continuation is a prefix of somebody's."""
    if isinstance(read, NotScorableError):
        return read
    logprobs = [token.logprob for token in read.echoed[read.first :]]
    try:
        return scored(read.joined, read.spans[read.first :], logprobs, read.first if counted else 0)
    except NotScorableError as why:
        return why
