"""How each language writes dates and thousands, in place of Django's own forms (FORMAT_MODULE_PATH)."""

# Decimals keep their point in every language, as in the tables that people paste from here; a figure in a template may
# also stand in a drawing or a field, which know no other. So no language separates thousands by a point.
