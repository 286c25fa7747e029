"""A run of `nli` over FELM beside a bare loop of the same model over the same pairs; needs PyTorch (`make neural`).

    python -m bench.entailment [FILE] [--responses 100] [--turns 8] [--layers 6] [--wide 384]

The weights are random and of the size of a small model (by default MiniLM's: 6 layers, 384 wide), its tokens are
trained on the file, so that only the time means anything. Every segment is held against three passages of its
response's references; a response whose references have too little text is given that of others. The bare loop does
tokens, model and softmax in batches of 16 and keeps nothing. The responses are dealt into as many parts as there are
turns; in each turn both go over one part, the one that goes first changing. Prints seconds of each, and the ratio
bare/run over all turns with the least and the greatest of one turn (at least 0.95 is asked for). All 847 responses of
FELM take a quarter of an hour on two cores.
"""

import argparse
import os
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from knowledge.passages import cut

if TYPE_CHECKING:
    from annotate.models import Dataset, Response

PUBLISHED = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "felm" / "all.jsonl"
PASSAGES, PASSAGE_WORDS = 3, 100  # for each segment, as `nli` reads them by default
POSITIONS = 514  # as RoBERTa has them: 512 tokens, and two that are not used
VOCABULARY = 30_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=PUBLISHED)
    parser.add_argument("--responses", type=int, default=100, help="spread over the file")
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--wide", type=int, default=384)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder) / "weights" / "small"
        make_weights(weights, options.file, options.layers, options.wide)
        os.environ |= {
            "DATA_DIR": str(Path(folder) / "data"),
            "WEIGHTS_DIR": str(weights.parent),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        compare(weights, prepare(options.file, options.responses, options.turns))


def make_weights(folder: Path, texts: Path, layers: int, wide: int) -> None:
    """A RoBERTa of random weights that tells entailment from the rest."""
    import tokenizers
    import torch
    import transformers

    folder.mkdir(parents=True)
    trained = tokenizers.ByteLevelBPETokenizer()
    trained.train(
        [str(texts)], VOCABULARY, show_progress=False, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    )
    trained.save_model(str(folder))
    files = {name: str(folder / file) for name, file in (("vocab", "vocab.json"), ("merges", "merges.txt"))}
    transformers.RobertaTokenizer(**files).save_pretrained(folder)
    torch.manual_seed(7)
    config = transformers.RobertaConfig(
        vocab_size=VOCABULARY,
        hidden_size=wide,
        num_hidden_layers=layers,
        num_attention_heads=wide // 32,
        intermediate_size=4 * wide,
        max_position_embeddings=POSITIONS,
        num_labels=2,
        id2label={0: "not_entailment", 1: "entailment"},
        label2id={"not_entailment": 0, "entailment": 1},
    )
    transformers.RobertaForSequenceClassification(config).save_pretrained(folder)


def prepare(source: Path, responses: int, parts: int) -> list["Dataset"]:
    """So many of the file's responses, each with at least PASSAGES passages in its references, in so many datasets."""
    import django

    django.setup()
    from django.core.management import call_command

    from annotate.models import ReferenceLink, Response

    call_command("migrate", verbosity=0)
    call_command("import_dataset", "felm", str(source), format="felm", stdout=sys.stderr)
    written = ReferenceLink.objects.filter(response__isnull=False, content__gt="").order_by("pk")
    others = cycle(list(written.values_list("content", flat=True)))
    every = list(Response.objects.order_by("pk").values_list("pk", flat=True))
    kept = every[:: max(1, len(every) // responses)][:responses]
    Response.objects.exclude(pk__in=kept).delete()
    for response in Response.objects.order_by("pk"):
        while len(passages_of(response)) < PASSAGES:
            position = response.references.count()
            response.references.create(position=position, content=next(others))
    return [deal(kept[first::parts], f"part {first + 1}") for first in range(parts)]


def deal(responses: list[int], name: str) -> "Dataset":
    from annotate.models import Dataset, Response

    dataset = Dataset.objects.create(name=name, scheme="felm")
    Response.objects.filter(pk__in=responses).update(dataset=dataset)
    return dataset


def passages_of(response: "Response") -> list[str]:
    contents = response.references.values_list("content", flat=True)
    return [passage for content in contents for passage in cut(content or "", PASSAGE_WORDS)]


def compare(weights: Path, parts: list["Dataset"]) -> None:
    pairs = [pairs_of_a_run(part, weights) for part in parts]
    taken = []
    for turn, (part, of_part) in enumerate(zip(parts, pairs, strict=True)):
        before = None if turn % 2 else loop(weights, of_part)
        ours = run_once(part)
        bare = before or loop(weights, of_part)
        taken.append((bare, ours))
        print(f"{len(of_part):,} pairs   bare loop {bare:.2f} s   run {ours:.2f} s   {bare / ours:.3f}", flush=True)
    ratios = [bare / ours for bare, ours in taken]
    bare, ours = (sum(column) for column in zip(*taken, strict=True))
    print(
        f"{sum(map(len, pairs)):,} pairs   bare loop {bare:.2f} s   run {ours:.2f} s   {bare / ours:.3f} of the bare "
        f"loop's speed, {min(ratios):.3f} to {max(ratios):.3f} in a turn (load of the machine {os.getloadavg()[0]:.1f})"
    )


def pairs_of_a_run(dataset: "Dataset", weights: Path) -> list[tuple[str, str]]:
    """What a run puts to the model, in its order, found without asking it; the model is loaded and warm afterwards."""
    from llm.pair_classifier import PairClassifier, load_pair_classifier

    pairs: list[tuple[str, str]] = []
    plain = PairClassifier.probabilities

    def noting(self: PairClassifier, wanted: Any, at_once: int) -> Any:
        pairs.extend(wanted)
        return [[0.5, 0.5] for _ in wanted]

    PairClassifier.probabilities = noting  # type: ignore[method-assign]
    try:
        run_once(dataset)
    finally:
        PairClassifier.probabilities = plain  # type: ignore[method-assign]
    load_pair_classifier(weights).probabilities(pairs[:16])
    return pairs


def loop(weights: Path, pairs: list[tuple[str, str]]) -> float:
    """Seconds that the bare loop takes."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(weights)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(weights).eval()
    began = time.monotonic()
    with torch.inference_mode():
        for first in range(0, len(pairs), 16):
            texts, hypotheses = zip(*pairs[first : first + 16], strict=True)
            read = tokenizer(list(texts), list(hypotheses), padding=True, return_tensors="pt")
            torch.softmax(model(**read).logits, dim=1).tolist()
    return time.monotonic() - began


def run_once(dataset: "Dataset") -> float:
    """Seconds that a whole run takes, from its build to its last prediction."""
    from evaluators.models import Prediction, Run
    from evaluators.runs.create import create_run
    from evaluators.runs.run_job import RunJob
    from jobs.work import work_on

    Run.objects.all().delete()
    began = time.monotonic()
    run = create_run(dataset, "nli", parameters={"nli_weights": "small"}).run
    work_on(RunJob(), run.pk)
    seconds = time.monotonic() - began
    assert Prediction.objects.filter(run=run, value__isnull=False).exists()
    return seconds


if __name__ == "__main__":
    main()
