"""Safe fetching of cited pages: addresses, redirects, limits, and text from HTML and PDF."""
