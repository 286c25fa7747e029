"""The figures of a benchmark (definitions.md §8): plain data in, no Django."""
