"""The fourth stage: which of the candidates that passed the filters become an example's completions (FACTOR §3.2.4)."""
