"""The rebuttal: annotators see each other's evidence, and each answers it once."""
