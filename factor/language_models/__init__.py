"""A causal language model to be scored with, wherever it runs: an endpoint, a folder of weights, a GGUF file."""
