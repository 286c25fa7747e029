"""A language model from a GGUF file, by llama.cpp in this process. Needs the extra `gguf`.

Much faster than the same library's server, which lays the whole vocabulary open for each token that it echoes.
"""

import atexit
import ctypes
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings

from factor.language_models.base import NotScorableError
from factor.language_models.borders import Span
from factor.language_models.folder import check_longest
from factor.language_models.local import Logits
from llm.weights import NotReadyError

BATCH = 512  # tokens that are read together
LONGEST_PIECE = 1024  # bytes of one token
WHOLE_MEMORY = 0  # the one text that is under way


class GgufWeights:
    """See factor.language_models.local.Weights. `library` is the package llama_cpp, `llama` its loaded model."""

    def __init__(self, library: Any, llama: Any) -> None:
        self._library = library
        self._llama = llama
        self._vocabulary = library.llama_model_get_vocab(llama.model)
        self._memory = library.llama_get_memory(llama.ctx)
        self._entries: int = llama.n_vocab()
        self._batch = library.llama_batch_init(BATCH, 0, 1)
        self._begun: list[int] = []
        first = llama.token_bos()
        self.opening: tuple[int, ...] = (first,) if first >= 0 else ()
        self.beginning: tuple[int, ...] = self.opening if library.llama_vocab_get_add_bos(self._vocabulary) else ()
        self.longest: int = llama.n_ctx()

    def tokenize(self, text: str) -> tuple[list[int], list[Span]]:
        written = text.encode()
        ids = self._llama.tokenize(written, add_bos=False, special=False)
        pieces = [self._piece(token) for token in ids]
        if b"".join(pieces) == b" " + written:  # some put a space before every text
            pieces[0] = pieces[0][1:]
        return ids, spans_of(pieces, written)

    def begin(self, ids: Sequence[int], rows: int) -> Logits:
        self._library.llama_memory_clear(self._memory, True)
        self._begun = list(ids)
        return self._read(ids, 0, rows)

    def go_on(self, ids: Sequence[int]) -> Logits:
        if not self._library.llama_memory_seq_rm(self._memory, WHOLE_MEMORY, len(self._begun), -1):
            self.begin(self._begun, 1)  # a memory of which no part can be taken away
        return self._read(ids, len(self._begun), len(ids))

    def _read(self, ids: Sequence[int], place: int, rows: int) -> Logits:
        logits = np.empty((rows, self._entries), dtype=np.float32)
        for each, row in enumerate(self._rows(ids, place, len(ids) - rows)):
            logits[each] = row
        return logits

    def _rows(self, ids: Sequence[int], place: int, first_kept: int) -> Iterator[Logits]:
        for start in range(0, len(ids), BATCH):
            part = ids[start : start + BATCH]
            is_kept = [start + each >= first_kept for each in range(len(part))]
            self._fill(part, place + start, is_kept)
            if self._library.llama_decode(self._llama.ctx, self._batch):
                raise NotScorableError(f"llama.cpp could not read {len(part)} tokens: is there memory enough?")
            for each, wanted in enumerate(is_kept):
                if wanted:
                    row = self._library.llama_get_logits_ith(self._llama.ctx, each)
                    yield np.ctypeslib.as_array(row, shape=(self._entries,))

    def _fill(self, ids: Sequence[int], place: int, is_kept: Sequence[bool]) -> None:
        batch = self._batch
        batch.n_tokens = len(ids)
        for each, token in enumerate(ids):
            batch.token[each] = token
            batch.pos[each] = place + each
            batch.n_seq_id[each] = 1
            batch.seq_id[each][0] = WHOLE_MEMORY
            batch.logits[each] = is_kept[each]

    def _piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(LONGEST_PIECE)
        length = self._library.llama_token_to_piece(self._vocabulary, token, buffer, LONGEST_PIECE, 0, False)
        return buffer.raw[: max(0, length)]


def spans_of(pieces: Sequence[bytes], written: bytes) -> list[Span]:
    """The characters of which each piece has a byte. Where the pieces are not those of the text, as far as they go: the
    check of the tokens against the text (factor/language_models/borders.py) finds it."""
    if b"".join(pieces) != written:
        return []
    begins = np.fromiter((byte & 0xC0 != 0x80 for byte in written), dtype=bool, count=len(written))
    character = np.cumsum(begins)  # of each byte, from 1
    ends = list(accumulate(map(len, pieces)))
    return [
        (int(character[end - len(piece)]) - 1, int(character[end - 1])) if piece else (0, 0)
        for piece, end in zip(pieces, ends, strict=True)
    ]


def find_gguf(name: str) -> Path:
    """The file of this name in WEIGHTS_DIR. Quick: nothing is loaded. Raises NotReadyError where there is none, or the
    extra is not installed."""
    if not find_spec("llama_cpp"):
        raise NotReadyError('This needs the extra "gguf", which is not installed: make gguf.')
    if settings.WEIGHTS_DIR is None:
        raise NotReadyError("This needs weights on this machine: the variable WEIGHTS_DIR names no folder of them.")
    path = Path(name)
    if not name or path.is_absolute() or ".." in path.parts or path.suffix != ".gguf":
        raise NotReadyError(f"The model is {name!r}; it must name a file in WEIGHTS_DIR that ends in .gguf.")
    file: Path = settings.WEIGHTS_DIR / path
    if not file.is_file():
        raise NotReadyError(f"The model is {name!r}; WEIGHTS_DIR has no such file.")
    return file


def load_gguf(name: str, context_length: int) -> GgufWeights:
    """The file of this name in WEIGHTS_DIR, with memory for so many tokens. Raises NotReadyError where it cannot be
    used."""
    return _load_once(find_gguf(name), context_length)


@lru_cache(maxsize=1)
def _load_once(file: Path, context_length: int) -> GgufWeights:
    import llama_cpp

    try:
        llama = llama_cpp.Llama(
            str(file), n_ctx=context_length, n_batch=BATCH, n_gpu_layers=-1, swa_full=True, verbose=False
        )
    except ValueError as error:
        raise NotReadyError(f"The weights {file.name} cannot be loaded: {error}") from error
    check_longest(file.name, context_length, llama_cpp.llama_model_n_ctx_train(llama.model))
    atexit.register(llama.close)  # while the library is there still
    return GgufWeights(llama_cpp, llama)
