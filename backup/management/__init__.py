"""The commands of the room backup."""
