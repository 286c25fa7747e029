"""The fourth stage of a build: the candidates that become an example's completions (FACTOR §3.2.4)."""
