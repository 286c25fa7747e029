"""Language models scored on benchmarks (FACTOR §3.1, §4.2)."""
