DATE_FORMAT = "j. F Y"
SHORT_DATE_FORMAT = "j. M Y"
# With the name of the time zone; the short one to the second.
DATETIME_FORMAT = "j. F Y, H:i T"
SHORT_DATETIME_FORMAT = "j. F Y, H:i:s T"
# What a field of the type "date" takes.
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = "\u202f"
NUMBER_GROUPING = 3
