"""An endpoint whose tokens are the bytes of a text: three of each Chinese or Japanese character."""

import asyncio
from types import SimpleNamespace

from llm.echo import read_echo
from llm.errors import RequestRefusedError


class ByteServer:
    """Refuses a text of more than `most` tokens; keeps what it was sent. parts: into how many tokens a character goes,
    its bytes unless told otherwise. Each token is as likely as the others: -1."""

    def __init__(self, most=10_000, parts=lambda character: len(character.encode())):
        self.most = most
        self.parts = parts
        self.sent = []

    async def __call__(self, messages):
        await asyncio.sleep(0)  # so that who asks for ever can be stopped
        text = messages[0]["content"]
        self.sent.append(text)
        # As llama-cpp-python writes them: of parts no text, and the offset of the character.
        tokens = [
            ("" if self.parts(each) > 1 else each, place)
            for place, each in enumerate(text)
            for _ in range(self.parts(each))
        ]
        if len(tokens) > self.most:
            raise RequestRefusedError(f"{len(tokens)} tokens are too many")
        texts, offsets = zip(*tokens, strict=True)
        logprobs = {"tokens": texts, "text_offset": offsets, "token_logprobs": [None, *[-1.0] * (len(texts) - 1)]}
        return SimpleNamespace(echoed=read_echo({"text": text, "logprobs": logprobs}, text))
