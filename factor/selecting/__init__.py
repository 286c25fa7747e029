"""The first stage of a build: documents of a knowledge source, and one sentence of each (FACTOR §3.2.1)."""
