"""Editors against people's corrections: figures, edits to read and rate, files (FActScore appendix C)."""
