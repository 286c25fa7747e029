"""The figures of benchmarks (docs/statistics.md, FACTOR): plain functions without Django."""
