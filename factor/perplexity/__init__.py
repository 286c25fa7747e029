"""Perplexity of language models over a corpus, compared with their accuracy (FACTOR §4.1, §5.3)."""
