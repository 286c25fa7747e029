"""The font of charts: a package brings it, so that drawings look the same on every machine, on a page too.

The engine draws with it (PDF and PNG embed it themselves), and an SVG gets the letters that it uses. Not Django: the
process that draws imports it (engine.py).
"""

import base64
import html
import io
import re
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

FAMILY = "Source Sans Pro"
FILE = "SourceSansPro-Regular.ttf"
MARKUP = re.compile(r"<[^>]*>")


def folder() -> Path:
    """The folder with the font's file."""
    return Path(str(files("font_source_sans_pro") / "files"))


def embed_font(svg: str) -> str:
    """The drawing with the letters that it uses, as a font of its own."""
    head, rest = svg.split(">", 1)
    letters = "".join(sorted(set(html.unescape(MARKUP.sub("", rest)))))
    source = f"data:font/woff;base64,{base64.b64encode(_letters(letters)).decode()}"
    return f'{head}><style>@font-face{{font-family:"{FAMILY}";src:url({source})}}</style>{rest}'


@lru_cache(maxsize=64)
def _letters(letters: str) -> bytes:
    """A WOFF of these letters alone; those that the font lacks are left to the reader's machine."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options(hinting=False, layout_features=["kern"], notdef_outline=True, name_IDs=[])
    font = TTFont(folder() / FILE, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(text=letters)
    subsetter.subset(font)
    font.flavor = "woff"
    written = io.BytesIO()
    font.save(written)
    return written.getvalue()
