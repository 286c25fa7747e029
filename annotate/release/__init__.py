"""Gold's versions and what is released of them: the page of gold, and archives made of it."""
