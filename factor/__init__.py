"""FACTOR: a corpus becomes a benchmark of true against false completions, and language models are scored on it."""
