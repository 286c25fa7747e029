DATE_FORMAT = "Y年n月j日"
SHORT_DATE_FORMAT = "Y年n月j日"
# With the name of the time zone; the short one to the second.
DATETIME_FORMAT = "Y年n月j日, H:i T"
SHORT_DATETIME_FORMAT = "Y年n月j日, H:i:s T"
# What a field of the type "date" takes.
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
