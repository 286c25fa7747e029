"""A model of natural-language inference small enough to be made in a test: two layers, 32 wide, a word a token."""

import json
from collections.abc import Sequence
from pathlib import Path

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "the ferry left arrived at seven nine in morning evening it was late early cold . bells rang"
VOCABULARY = {word: place for place, word in enumerate([*SPECIAL, *WORDS.split()])}
POSITIONS = 33  # of which 32 are used: one is left free, for models that count from behind the padding's
LABELS = ("entailment", "neutral", "contradiction")


def make_nli(folder: Path, labels: Sequence[str] = LABELS) -> None:
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
        max_position_embeddings=POSITIONS,
        initializer_range=0.5,
        num_labels=len(labels),
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizer(vocab=VOCABULARY).save_pretrained(folder)
    name_labels(folder, labels)


def name_labels(folder: Path, labels: Sequence[str]) -> None:
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config["id2label"] = {str(place): label for place, label in enumerate(labels)}
    config["label2id"] = {label: place for place, label in enumerate(labels)}
    path.write_text(json.dumps(config))
