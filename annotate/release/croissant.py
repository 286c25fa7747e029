"""Croissant metadata of a release (MLCommons, 1.0): its files with their hashes, and the columns of its tables."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotate.release.contents import Frozen
from annotate.release.people import suggestions_of
from annotate.release.tables import FLAG, NUMBER, RESPONSES, TEXT, TEXTS, UNITS, Columns

KINDS = {TEXT: "sc:Text", TEXTS: "sc:Text", NUMBER: "sc:Integer", FLAG: "sc:Boolean"}
ENCODINGS = {
    ".parquet": "application/x-parquet",
    ".csv": "text/csv",
    ".jsonl": "application/jsonlines",
    ".md": "text/markdown",
}
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def describe_release(frozen: Frozen, folder: Path, files: Sequence[str], licence: str) -> dict[str, Any]:
    """The document of croissant.json; files: names below the folder, which are there."""
    version, dataset = frozen.version, frozen.dataset
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": dataset.name,
        "description": dataset.description or f"Factuality judgements of {dataset.name}, frozen as {version.name}.",
        "citeAs": f"{dataset.name}, {version.name}, {version.created_at:%Y}. SHA-256 of gold: {version.hash}",
        "version": "1.0.0",
        "alternateName": version.name,
        "identifier": version.hash,
        "datePublished": f"{version.created_at:%Y-%m-%d}",
        **({"license": licence} if licence else {}),
        **_suggestions(frozen),
        "distribution": [_file(folder, name) for name in files],
        "recordSet": [_record_set("units", UNITS), _record_set("responses", RESPONSES)],
    }


def _suggestions(frozen: Frozen) -> dict[str, Any]:
    """The runs that annotators saw suggestions of, in the words of the vocabulary for responsible use."""
    shown = [each.name for each in suggestions_of(frozen.version) if each.before or each.after]
    if not shown:
        return {}
    bias = "Annotators saw what these tools say of units: labels may lean towards it."
    return {"rai:machineAnnotationTools": shown, "rai:dataBiases": [bias]}


def hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _file(folder: Path, name: str) -> dict[str, Any]:
    path = folder / name
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": ENCODINGS[path.suffix],
        "sha256": hash_file(path),
    }


def _record_set(name: str, columns: Columns) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "description": what,
                "dataType": KINDS[kind],
                **({"repeated": True} if kind == TEXTS else {}),
                "source": {"fileObject": {"@id": f"{name}.parquet"}, "extract": {"column": column}},
            }
            for column, (kind, what) in columns.items()
        ],
    }
