"""The commands of the room evaluators."""
