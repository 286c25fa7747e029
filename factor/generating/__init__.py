"""The second stage: contradictions of a sentence that a language model writes (FACTOR §3.2.2, appendix D)."""
