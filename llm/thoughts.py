"""What a model said, apart from what it thought.

Reasoning models write their thought before the answer, in marks of their own, and some servers pass it on as text. The
forms known here: tags (`<think>`, `[THINK]`, `◁think▷`, `<|channel>thought`) with or without an opening one or an end,
the channels of Harmony also where its marks were stripped, and Granite's sentences. Control tokens around an answer,
such as `</s>`, are no part of it, nor is what follows one that ends a turn.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from llm.answer import Token

Span = tuple[int, int]  # characters [start, end) of the raw text

# Without one of these a text is all answer, as nearly every text is.
SIGNS = ("<", "[", "◁", "&lt;")
OPENINGS = ("analysis", "assistantfinal", "Here")

NAME = (
    r"(?:\w{1,12}[:_])?(?:think|thinking|thoughts?|reason|reasoning|reflection|scratchpad|analysis|rationale|cot"
    r"|monologue|antthinking)(?:_\w{1,60})?"
)
MARK = re.compile(
    rf"`\s*<\s*/?\s*{NAME}\s*>\s*`"  # a tag that is quoted is spoken of
    rf"|(?P<open><\s*{NAME}(?:\s[^<>/]*)?>|&lt;{NAME}&gt;|\[THINK(?:ING)?\]|◁think▷|<unused94>(?:thought\b)?"
    rf"|<\|channel>(?:\w+\b)?"
    rf"|<\|(?:begin_of_thought|start_thinking|thinking|think|thought)\|>)"
    rf"|(?P<close><\s*/\s*{NAME}\s*>|&lt;/{NAME}&gt;|\[/THINK(?:ING)?\]|◁/think▷|<unused95>|<channel\|>"
    rf"|<\|(?:end_of_thought|end_thinking|/thinking|/think|/thought)\|>)",
    flags=re.IGNORECASE,
)
# Harmony (gpt-oss): <|start|>assistant<|channel|>final<|message|>True.<|return|>
HARMONY = re.compile(r"<\|(?:channel|message)\|>")
MESSAGE = re.compile(
    r"(?:<\|start\|>[^<>]*)?(?:<\|channel\|>)?(?P<channel>[^<>]{0,80})(?:<\|constrain\|>[^<>]*)?<\|message\|>"
    r"(?P<body>.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    flags=re.DOTALL,
)
# The same where the server has stripped the marks: "analysisThey ask ...assistantfinalTrue.". No word of English goes
# on so.
STRIPPED = re.compile(r"\s*(?:analysis.*)?assistantfinal|\s*analysis(?=[A-Z])(?P<unended>.*)\Z", flags=re.DOTALL)
GRANITE = re.compile(
    r"\s*Here(?: is|['’]s) my (?:thought process|thinking)\W.*?Here(?: is|['’]s) my response:?", flags=re.DOTALL
)

# Before an answer, and after it.
LEADING = re.compile(
    r"(?:\s*(?:<s>|<bos>|<\|begin_of_text\|>|<\|(?:im_start|start|turn)\|?>\s*(?:assistant|model)?|<\|assistant\|>"
    r"|<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>|<start_of_turn>\s*model"
    r"|<\|(?:begin_of_solution|begin_of_box|start_response)\|>))+\s*",
    flags=re.IGNORECASE,
)
ENDING = re.compile(
    r"<\|(?:im_end|im_start|eot_id|eom_id|eot|end_of_text|endoftext|end|return|end_of_turn|end_of_turn_token|user"
    r"|start_header_id|end_of_solution|end_of_box|end_response|end_of_sentence)\|>"
    r"|<end_of_turn>|<start_of_turn>|<turn\|>|<\|turn>|<｜[^<>｜]{1,40}｜>",
    flags=re.IGNORECASE,
)
TRAILING = re.compile(
    r"(?:\s*(?:</?s>|<(?:\w+:)?eos>|<pad>|\[end of text\]|\[EOS\]|\[/?INST\]))+\s*\Z", flags=re.IGNORECASE
)
# Some models put their answer into such tags after a thought.
WRAPPED = re.compile(
    r"\s*<(answer|response|final_answer)>(?P<said>.*?)(?:</\1>\s*)?\Z", flags=re.DOTALL | re.IGNORECASE
)


@dataclass(frozen=True)
class Apart:
    """A raw text taken apart: what was said, and what was thought. is_cut_off: it ended in a thought."""

    said: tuple[Span, ...]
    thought: tuple[Span, ...] = ()
    is_cut_off: bool = False

    def text(self, raw: str) -> str:
        return "".join(raw[start:end] for start, end in self.said)

    def thought_in(self, raw: str) -> str:
        return "\n".join(filter(None, (raw[start:end].strip() for start, end in self.thought)))


def take_apart(raw: str) -> Apart:
    if not (any(sign in raw for sign in SIGNS) or raw.lstrip().startswith(OPENINGS)):
        return Apart(((0, len(raw)),))
    return _without_tokens(raw, _by_channels(raw) or _by_sentences(raw) or _by_tags(raw))


def _by_channels(raw: str) -> Apart | None:
    """None where the text has no channels."""
    if not HARMONY.search(raw):
        return None
    said: list[Span] = []
    thought: list[Span] = []
    for message in MESSAGE.finditer(raw):
        channel = message["channel"].split()
        (said if not channel or "final" in channel else thought).append(message.span("body"))
    return (
        Apart(tuple(said), tuple(thought), is_cut_off=not said)
        if said or thought
        else Apart((), ((0, len(raw)),), True)
    )


def _by_sentences(raw: str) -> Apart | None:
    """None where none of the sentences is there that part a thought from the answer."""
    match = STRIPPED.match(raw) or GRANITE.match(raw)
    if match is None:
        return None
    if match.groupdict().get("unended") is not None:
        return Apart((), (match.span(),), is_cut_off=True)
    return Apart(((match.end(), len(raw)),), (match.span(),))


def _by_tags(raw: str) -> Apart:
    said: list[Span] = []
    thought: list[Span] = []
    place, is_open = 0, False
    for mark in MARK.finditer(raw):
        if mark["open"] and not is_open:
            said.append((place, mark.start()))
            place, is_open = mark.end(), True
        elif mark["close"] and is_open:
            thought.append((place, mark.start()))
            place, is_open = mark.end(), False
        elif mark["close"] and (raw[mark.end() :].strip() or not thought):
            # Its beginning was in the prompt: all before it is thought.
            thought = [(0, mark.start())]
            said, place = [], mark.end()
        elif mark["close"]:
            said.append((place, mark.start()))
            place = mark.end()
    (thought if is_open else said).append((place, len(raw)))
    return Apart(tuple(said), tuple(thought), is_open)


def _without_tokens(raw: str, apart: Apart) -> Apart:
    said = [(start, end) for start, end in apart.said if raw[start:end].strip()] if apart.thought else list(apart.said)
    if not said:
        return replace(apart, said=())
    first, _ = said[0]
    if leading := LEADING.match(raw, first, said[0][1]):
        said[0] = (leading.end(), said[0][1])
    for number, (start, end) in enumerate(said):
        if ending := ENDING.search(raw, start, end):
            said = [*said[:number], (start, _stripped(raw, start, ending.start()))]
            break
    start, end = said[-1]
    if trailing := TRAILING.search(raw[start:end]):
        said[-1] = (start, start + trailing.start())
    if apart.thought:
        start, end = said[0]
        wrapped = WRAPPED.match(raw, start, end) if len(said) == 1 else None
        start, end = wrapped.span("said") if wrapped else (start, end)
        said[0] = (start + len(raw[start:end]) - len(raw[start:end].lstrip()), end)
    return replace(apart, said=tuple(said))


def _stripped(raw: str, start: int, end: int) -> int:
    return start + len(raw[start:end].rstrip())


def tokens_said(tokens: Sequence[Token], raw: str, text: str) -> tuple[Token, ...]:
    """The tokens of the answer `text` among those of all that was generated, of which the server gave `raw`.

    () where they cannot be laid over it. Of an answer without a thought, all.
    """
    whole = "".join(token.text for token in tokens)
    if not whole or (text == raw and (whole == raw or not take_apart(whole).thought)):
        return tuple(tokens)
    apart = take_apart(whole)
    if apart.text(whole).strip() != text.strip():
        # The marks of a thought may be in neither.
        place = whole.rfind(text) if text else -1
        apart = Apart(((place, place + len(text)),) if place >= 0 else ())
    return tuple(_within(tokens, apart.said))


def _within(tokens: Sequence[Token], spans: Sequence[Span]) -> list[Token]:
    """The tokens that have characters in the spans, with these characters alone."""
    kept, place = [], 0
    for token in tokens:
        end = place + len(token.text)
        parts = [token.text[max(a, place) - place : min(b, end) - place] for a, b in spans if a < end and b > place]
        if any(parts):
            kept.append(replace(token, text="".join(parts)))
        place = end
    return kept
