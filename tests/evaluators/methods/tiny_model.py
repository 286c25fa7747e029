"""A masked language model small enough to be made in a test: two layers, 32 wide, a word a token."""

from pathlib import Path

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "fact : ada ben was born in 1815 london she wrote rode letters horses and . ##s"
VOCABULARY = {word: place for place, word in enumerate([*SPECIAL, *WORDS.split()])}
WINDOW = 24  # tokens that it takes


def ids_of(words: str) -> list[int]:
    return [VOCABULARY[word] for word in words.split()]


def make_weights(folder: Path) -> None:
    """A BERT of random weights, the same each time."""
    import torch
    import transformers

    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=WINDOW + 1,  # one is left free, for models that count from behind the padding's
        initializer_range=0.5,  # so wide that the vectors of different words are told apart
    )
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    transformers.BertTokenizer(vocab=VOCABULARY).save_pretrained(folder)


def make_byte_weights(folder: Path, positions: int, kind: str = "MaskedLM") -> None:
    """A RoBERTa of random weights, the same each time, whose tokens are bytes and what often follows one another. kind:
    of transformers' heads; SequenceClassification tells entailment, neutral and contradiction."""
    import tokenizers
    import torch
    import transformers

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained = tokenizers.ByteLevelBPETokenizer()
    trained.train_from_iterator(
        ["Ada was born in London. She wrote letters."], 300, 1, show_progress=False, special_tokens=special
    )
    trained.save_model(str(folder))
    files = {name: str(folder / file) for name, file in (("vocab", "vocab.json"), ("merges", "merges.txt"))}
    transformers.RobertaTokenizer(**files).save_pretrained(folder)
    torch.manual_seed(7)
    config = transformers.RobertaConfig(
        vocab_size=300,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=positions,
        id2label=dict(enumerate(("entailment", "neutral", "contradiction"))),
    )
    getattr(transformers, f"RobertaFor{kind}")(config).save_pretrained(folder)
