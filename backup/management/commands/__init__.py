"""The commands of the room backup, one file each."""
