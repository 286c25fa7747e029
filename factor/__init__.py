"""FACTOR: benchmarks of true and false completions made from a corpus, and language models scored on them."""
