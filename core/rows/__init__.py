"""Files of rows in any of the forms that people have: JSON lines, a JSON array, CSV, Parquet; read within limits."""
