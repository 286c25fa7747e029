"""Before there are responses: entities sampled, prompts collected or written, and models asked to answer them."""
