"""How often intervals hold, by simulation: `python -m bench.coverage`."""
