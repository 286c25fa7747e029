"""The list "Needs your attention": one function for each kind of item, the items of a person, and those dismissed."""
