"""The commands of the room factor."""
