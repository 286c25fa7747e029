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


def nll_of(folder: Path, text: str) -> tuple[float, int]:
    """The summed log-probability of a text's tokens but the first, straight from transformers, and how many."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    ids = tokenizer(text, return_tensors="pt", add_special_tokens=False).input_ids
    with torch.inference_mode():
        loss = model(ids, labels=ids).loss
    return -float(loss) * (ids.shape[1] - 1), ids.shape[1] - 1
