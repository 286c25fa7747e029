"""Files of the published layout, in the fewest words."""

from pathlib import Path

HEADER = (
    ",full_prefix,doc_id,completion,contradiction_0,contradiction_1,contradiction_2,longest_completions,"
    "turncated_prefixes"
)
BEES = '0,"Bees live in hives.\n",bees,They dance.,They sing.,They swim.,"They, too, read.",5.0,"Bees live in hives.\n"'
ANTS = "1,Ants live in hills. ,ants,They march.,They fly.,They sing.,They rest.,3.0,In hills. "


def write(folder: Path, *lines: str, end: str = "\n") -> Path:
    path = folder / "insects.csv"
    path.write_bytes("".join(f"{line}{end}" for line in lines).encode())
    return path
