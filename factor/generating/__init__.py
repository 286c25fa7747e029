"""The second stage of a build: contradictions that a language model writes (FACTOR §3.2.2, appendix D)."""
