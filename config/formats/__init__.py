"""How each language writes dates and thousands, in place of Django's own forms (FORMAT_MODULE_PATH).

Decimals keep their point here, since a figure in a template may stand in a drawing or a field, which know no other; the
filters of figures (`core/local_numbers.py`) set the comma where people read.
"""
