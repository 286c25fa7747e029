"""The first stage: documents of a knowledge source, and of each one sentence (FACTOR §3.2.1)."""
