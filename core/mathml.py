"""TeX in texts, and as MathML, which browsers draw without a script.

TeX stands between \\( and \\), \\[ and \\], $$ and $$, or $ and $. Prices stand between dollars too: as in Pandoc, an
opening $ has no space behind it, a closing one has none before it and no digit behind it.
"""

import re
import xml.etree.ElementTree as ET
from functools import lru_cache

LONGEST = 1000
DEEPEST = 40

TEX = re.compile(
    r"\$\$(?P<shown>[^$]+?)\$\$"
    r"|\\\[(?P<block>.+?)\\\]"
    r"|\\\((?P<inline>.+?)\\\)"
    r"|(?<![\\$0-9A-Za-z_])\$(?![\s$])(?P<dollars>(?:[^$\\\n]|\\.|\n(?!\s*\n))+?)(?<![\s\\])\$(?!\d|\$|<<)",
    re.DOTALL,
)
# What a comment sign of TeX leaves out would be lost.
COMMENT = re.compile(r"(?<!\\)%")

# fmt: off
ELEMENTS = frozenset((
    "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msup", "msub", "msubsup", "mover", "munder", "munderover",
    "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "mmultiscripts", "mprescripts",
    "none", "menclose",
))
ATTRIBUTES = frozenset((
    "display", "stretchy", "fence", "form", "displaystyle", "scriptlevel", "linethickness", "accent", "accentunder",
    "mathvariant", "largeop", "movablelimits", "minsize", "maxsize", "columnalign", "separator", "symmetric", "lspace",
    "rspace",
))
# fmt: on
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"


@lru_cache(maxsize=4096)
def mathml(tex: str, display: bool = False) -> str:
    """A math element, escaped; "" where the TeX is not understood, or is too long."""
    if len(tex) > LONGEST or COMMENT.search(tex) or tex.count("{") > LONGEST // 8:
        return ""
    # Here: pages without TeX need not load it.
    from latex2mathml.converter import convert

    try:
        root = ET.fromstring(convert(tex))  # noqa: S314 - an element: no document type, no entities
    # The converter raises errors of any kind for TeX that it does not expect.
    except Exception:  # noqa: BLE001
        return ""
    drawn = _rebuilt(root, 0)
    if drawn is None or "\\" in "".join(drawn.itertext()):
        return ""
    drawn.attrib.clear()
    if display:
        drawn.set("display", "block")
    return ET.tostring(drawn, encoding="unicode")


def _rebuilt(element: ET.Element, depth: int) -> ET.Element | None:
    """The element of known elements with known attributes; None where another one is among them: the converter escapes
    nothing, so what comes out of it is built anew."""
    name = element.tag.removeprefix(NAMESPACE)
    if name not in ELEMENTS or depth > DEEPEST:
        return None
    attributes = {key: value for key, value in element.attrib.items() if key in ATTRIBUTES}
    if name == "menclose":  # no browser draws it by now
        name, attributes = "mrow", {"class": "boxed"}
    copy = ET.Element(name, attributes)
    copy.text = element.text
    for child in element:
        part = _rebuilt(child, depth + 1)
        if part is None:
            return None
        copy.append(part)
    return copy
