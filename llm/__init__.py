"""The only room that calls language models: endpoints, calls, answer cache, prices, limits and budget."""
