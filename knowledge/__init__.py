"""Documents and passages: safe fetching of links, cutting, indexes and search."""
