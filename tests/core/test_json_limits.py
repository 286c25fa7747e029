"""JSON that would take far more memory than it has bytes is refused before it is built."""

import json
import subprocess
import sys

import pytest

from core.errors import RowError
from core.json_limits import DEEPEST, MOST_VALUES, count_values, parse_json
from tests.config.test_start import ROOT

# 10 MB each; the limit leaves them 150 MB more than the process has once it has them.
BOMBS = """
import json, resource, sys, time
from core.errors import RowError
from core.json_lines import parse_object
SIZE = 10_000_000
bombs = {
    "empty lists": b'{"a":[' + b"[]," * (SIZE // 3) + b"[]]}",
    "a deep nest": b'{"a":' + b"[" * SIZE,
    "an open text of quotes": b'{"a":[[],"' + b'\\\\"' * (SIZE // 2),
    "keys, the last twice": b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b',"0":2}',
    "texts of commas": b'{"a":["' + b'","'.join([b","] * (SIZE // 4)) + b'"]}',
}
space = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (space + 150_000_000, resource.RLIM_INFINITY))
for name, bomb in bombs.items():
    began = time.process_time()
    try:
        parse_object(bomb)
    except RowError as error:
        print(json.dumps([name, str(error), time.process_time() - began]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the size of the process is read from /proc")
def test_bombs_are_refused_in_bounded_memory_and_time():
    done = subprocess.run([sys.executable, "-c", BOMBS], cwd=ROOT, capture_output=True, text=True, check=True)
    refused = {name: (sentence, seconds) for name, sentence, seconds in map(json.loads, done.stdout.splitlines())}
    assert {name: sentence for name, (sentence, _) in refused.items()} == {
        "empty lists": "more than 200,000 values",
        "a deep nest": "more than 200,000 values",
        "an open text of quotes": "not JSON: Unterminated string starting at (character 10); the file may be cut off "
        "here",
        "keys, the last twice": "the key '0' stands twice",
        "texts of commas": "more than 200,000 values",
    }
    assert max(seconds for _, seconds in refused.values()) < 5


def test_brackets_may_be_nested_so_deep_and_no_deeper():
    assert parse_json("[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(RowError, match="nested too deeply"):
        parse_json("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))


def test_brackets_and_commas_in_a_text_are_no_values():
    text = '[,{:"\\' * MOST_VALUES
    assert parse_json(json.dumps({"text": text})) == {"text": text}
    assert count_values(json.dumps([text, text]).encode()) == 3


@pytest.mark.parametrize("document", ["[]", "[1]", '{"a": 1, "b": [2, {"c": "x,[", "d": null}]}', '"a"', "[[[[]]]]"])
def test_at_least_as_many_are_counted_as_there_are(document: str):
    def values(parsed: object) -> int:
        inner = parsed.values() if isinstance(parsed, dict) else parsed if isinstance(parsed, list) else ()
        return 1 + sum(map(values, inner))

    assert count_values(document.encode()) >= values(json.loads(document))
