"""The papers' figures, reproduced from the published files and compared with the printed ones."""
