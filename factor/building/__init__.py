"""Benchmark builds: the four stages as one piece of work that can stop and go on (FACTOR §3.2)."""
