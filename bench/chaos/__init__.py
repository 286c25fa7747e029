"""Kill rounds under work that goes on: `python -m bench.chaos`."""
