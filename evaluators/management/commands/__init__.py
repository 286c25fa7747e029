"""The commands of the room evaluators, one file each."""
