"""The commands of the room health, one file each."""
