"""Which candidates are kept: those that contradict the original and are as fluent as it is (FACTOR §3.2.3).

Settings (settings.py) are prepared (prepare.py) and opened (open.py) by whoever makes a benchmark, and measure an
item's candidates (measure.py); the decision is pure (decide.py).
"""
