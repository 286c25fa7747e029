"""The commands of the room factor, one file each."""
