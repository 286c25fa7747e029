"""The commands of the room health."""
