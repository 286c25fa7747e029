"""The commands of the room annotate."""
