"""Prompts before there are responses: entities sampled, prompts collected or written, models asked to answer them."""
