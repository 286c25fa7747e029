"""People validate a sample of false completions: rated one by one, blind, then summed up (FACTOR §3.3.1)."""
