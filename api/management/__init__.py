"""The commands of the room api."""
