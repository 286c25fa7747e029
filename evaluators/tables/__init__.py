"""Tables for download: CSV, Markdown and LaTeX."""
