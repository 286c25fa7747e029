"""A GPT-2 small enough to be made in a test: two layers, 32 wide, of random weights, the same each time."""

from pathlib import Path

POSITIONS = 64


def make_gpt(folder: Path) -> None:
    import tokenizers
    import torch
    import transformers

    text = "Bees dance on combs. Ants march in lines. Wasps dance on paper combs and fly far again."
    trained = tokenizers.ByteLevelBPETokenizer()
    trained.train_from_iterator([text], 320, 1, special_tokens=["<|endoftext|>"])
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=trained._tokenizer, bos_token="<|endoftext|>", eos_token="<|endoftext|>"
    )
    wrapped.save_pretrained(folder)
    torch.manual_seed(7)
    config = transformers.GPT2Config(
        vocab_size=320, n_positions=POSITIONS, n_embd=32, n_layer=2, n_head=2, initializer_range=0.3
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)


def logprobs_of(folder: Path, text: str, border: int) -> list[float]:
    """Straight from transformers: the log-probabilities of the text's tokens that reach over the border, but for its
    very first."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    read = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
    ids = torch.tensor([read["input_ids"]])
    with torch.inference_mode():
        logprobs = model(ids).logits[0].double().log_softmax(-1)
    ends = [end for _, end in read["offset_mapping"]]
    return [float(logprobs[n - 1, ids[0, n]]) for n in range(1, ids.shape[1]) if ends[n] > border]


def nll_of(folder: Path, text: str) -> tuple[float, int]:
    """The summed log-probability of a text's tokens but the first, and how many they are."""
    found = logprobs_of(folder, text, 0)
    return sum(found), len(found)
