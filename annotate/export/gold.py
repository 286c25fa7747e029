"""Every judged unit with its gold, as a row of a table: that of the format csv with details, in every kind of file."""

from annotate.export.export_format import table_format
from annotate.export.judged_units import TABLE

FORMAT = table_format("gold", TABLE)
