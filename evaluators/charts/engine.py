"""The process that draws: `python -m evaluators.charts.engine`, a specification a line in, a drawing out.

The drawing engine is a JavaScript machine: its process takes 95 MB with the first drawing, 173 MB after 200 (measured),
and gives nothing back. In a process of its own it costs a page without charts nothing; it ends after so many drawings,
or after a while without a request.
Not Django: nothing but the engine and the font is imported here.
"""

import json
import select
import sys
from typing import Any

from evaluators.charts.font import embed_font, folder

DRAWINGS = 200
IDLE_SECONDS = 120
PNG_SCALE = 3.0


def serve(drawings: int = DRAWINGS) -> None:
    """Answer so many requests: {"form", "spec"} with a line {"bytes": n} or {"error": text}, and the bytes."""
    import vl_convert

    vl_convert.register_font_directory(str(folder()))
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    for _ in range(drawings):
        ready, _, _ = select.select([requests], [], [], IDLE_SECONDS)
        line = requests.readline() if ready else b""
        if not line:
            return
        answer, drawing = _answer(json.loads(line))
        answers.write(json.dumps(answer).encode() + b"\n" + drawing)
        answers.flush()


def _answer(request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    try:
        drawing = _draw(request["spec"], request["form"])
    except ValueError as error:  # how the engine says that it cannot draw a specification
        return {"error": str(error)}, b""
    return {"bytes": len(drawing)}, drawing


def _draw(spec: dict[str, Any], form: str) -> bytes:
    import vl_convert

    nowhere: list[str] = []  # a drawing loads no data from elsewhere
    if form == "svg":
        return embed_font(vl_convert.vegalite_to_svg(spec, allowed_base_urls=nowhere)).encode()
    if form == "pdf":
        return vl_convert.vegalite_to_pdf(spec, allowed_base_urls=nowhere)
    return vl_convert.vegalite_to_png(spec, scale=PNG_SCALE, allowed_base_urls=nowhere)


if __name__ == "__main__":
    serve()
