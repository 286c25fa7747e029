"""Scoring the completions of an example, their prefix read once: `python -m bench.factor_scoring [TOKENS]`.

A GPT-2 of random weights, four completions after a prefix. The comparison: each completion with its prefix by itself.
"""

import sys
import time

import numpy as np
import torch
import transformers

from factor.language_models.folder import FolderWeights
from factor.language_models.local import logprobs_of

PREFIX = 480
COMPLETION, COMPLETIONS = 30, 4


class Tokenizer:
    """As much of one as the weights ask for at the start."""

    bos_token_id = 0

    def __call__(self, text, **_):
        return {"input_ids": [1], "special_tokens_mask": [0]}


def main() -> None:
    prefix = int(sys.argv[1]) if len(sys.argv) > 1 else PREFIX
    torch.set_num_threads(1)
    torch.manual_seed(7)
    config = transformers.GPT2Config(n_layer=6, n_embd=384, n_head=6, vocab_size=20_000, bos_token_id=0, eos_token_id=0)
    weights = FolderWeights(Tokenizer(), transformers.GPT2LMHeadModel(config).eval())
    drawn = np.random.default_rng(7).integers(1, 20_000, (COMPLETIONS, prefix + COMPLETION)).tolist()
    texts = [drawn[0][:prefix] + each[prefix:] for each in drawn]
    firsts = [prefix] * COMPLETIONS
    seconds, scores = {}, {}
    for name, groups in (("warm", [texts]), ("apart", [[text] for text in texts]), ("together", [texts])):
        begun = time.process_time()
        scores[name] = [each for group in groups for each in logprobs_of(weights, group, firsts[: len(group)])]
        seconds[name] = time.process_time() - begun
    apart = max(float(np.abs(one - two).max()) for one, two in zip(scores["apart"], scores["together"], strict=True))
    ratio = seconds["apart"] / seconds["together"]
    print(f"{COMPLETIONS} completions of {COMPLETION} tokens after {prefix}, seconds of one processor:")
    print(f"apart {seconds['apart']:.2f}, together {seconds['together']:.2f}, {ratio:.1f} times as fast;", end=" ")
    print(f"log-probabilities differ by {apart:.0e} at most")


if __name__ == "__main__":
    main()
