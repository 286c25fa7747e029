"""Validation of a sample of false completions: blind ratings, settling, results (FACTOR §3.3.1)."""
