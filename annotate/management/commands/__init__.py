"""The commands of the room annotate, one file each."""
