"""The figures of a benchmark (docs/statistics.md, FACTOR): plain data in, no Django."""
