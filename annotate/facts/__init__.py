"""The atomic facts of a response: asked of a model, written by people, and which of them are judged."""
