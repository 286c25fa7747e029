"""The figures of evaluators: plain functions over arrays."""
