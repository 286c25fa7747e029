"""A causal language model to be scored with: an endpoint, a folder of weights, or a GGUF file."""
