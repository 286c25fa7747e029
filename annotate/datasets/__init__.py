"""A dataset is created, described, archived and deleted; the steps of its set-up."""
