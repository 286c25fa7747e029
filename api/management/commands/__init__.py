"""The commands of the room api, one file each."""
