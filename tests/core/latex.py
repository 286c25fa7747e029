"""Whether a LaTeX table is well formed, without a TeX: braces, environments, cells a row, and characters to escape."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

from django.test import Client

ESCAPED = re.compile(r"\\[\\{}$&#%_]")
COMMAND = re.compile(r"\\[a-zA-Z]+")


def rows_of(table: str) -> list[list[str]]:
    """The cells of each row of the one tabular; AssertionError where the table is not well formed."""
    check(table)
    body = table.split(r"\begin{tabular}", 1)[1].split(r"\end{tabular}", 1)[0]
    spec, rest = re.match(r"\{([lrc]+)\}(.*)", body, re.DOTALL).groups()
    lines = [
        line for line in rest.splitlines() if line and not line.startswith((r"\toprule", r"\midrule", r"\bottomrule"))
    ]
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)&", line.removesuffix(r"\\"))] for line in lines]
    assert all(line.endswith(r"\\") for line in lines), "a row does not end"
    assert {len(row) for row in rows} == {len(spec)}, "a row has not a cell for each column"
    return rows


def check(table: str) -> None:
    text = "\n".join(line for line in table.splitlines() if not line.startswith("%"))
    _check_environments(text)
    bare = ESCAPED.sub("", text)
    depth = 0
    for character in bare:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0, "a brace closes nothing"
    assert depth == 0, "a brace is not closed"
    outside = re.sub(r"\\(begin|end|label)\{[^}]*\}", "", bare)
    words = COMMAND.sub("", outside.replace("$-$", "")).replace("$$", "")
    assert not re.search(r"[#%_^~$]", words), "a special character is not escaped"
    for name in ("toprule", "midrule", "bottomrule"):
        assert text.count(f"\\{name}") == 1


def _check_environments(text: str) -> None:
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{([^}]+)\}", text):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened and opened.pop() == name, f"{name} ends and did not begin"
    assert opened == []


def caption_of(table: str) -> str:
    """The caption of a float, as it is read."""
    found = re.search(r"\\caption\{(.*)\}\n", table)
    assert found is not None, "it has no caption"
    return re.sub(r"\\([{}$&#%_])", r"\1", found[1])


def printed_tables(client: Client, page: str) -> dict[str, str]:
    """The LaTeX of each table that the page offers, by name; AssertionError where one has no caption, or a column that
    can be chosen has no title in words."""
    html = client.get(page).content.decode()
    forms = re.findall(r'<form method="get" class="printed">(.*?)</form>', html, re.DOTALL)
    titles = [
        " ".join(text.split()) for form in forms for text in re.findall(r"<input[^>]*name=\"print\"[^>]*>([^<]*)", form)
    ]
    assert [title for title in titles if re.search(r"[a-z]_[a-z]", title)] == []
    links = [unescape(link) for link in re.findall(r'href="([^"]*)"', html) if "as=latex" in link]
    assert len(links) == len(forms) > 0, "a table has no columns to choose, or the page has no table"
    tables = {}
    for link in links:
        answer = client.get(urljoin(page, link))
        assert answer.status_code == 200, link
        text = answer.content.decode()
        assert not any(re.search(r"[a-z]\\_[a-z]", head) for head in rows_of(text)[0])
        assert caption_of(text).endswith(".")
        tables[parse_qs(urlsplit(link).query)["table"][0]] = text
    return tables


def compile_where_tex_is(tables: Iterable[str], folder: Path) -> None:
    """One document of all tables, where a pdflatex is to be had; AssertionError where it does not take them."""
    head = (
        r"\documentclass{article}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{booktabs}",
        r"\begin{document}",
    )
    document = "\n".join((*head, *(f"{table}\\clearpage" for table in tables), r"\end{document}"))
    (folder / "tables.tex").write_text(document, encoding="utf-8")
    tex = shutil.which("pdflatex")
    if tex is not None:
        command = [tex, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        assert (folder / "tables.pdf").stat().st_size > 1000
