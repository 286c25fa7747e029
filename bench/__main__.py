"""Every benchmark, one after the other: `python -m bench`, or some of them: `python -m bench runs report`."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*"))


def main() -> None:
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"\n{name}", flush=True)
        subprocess.run([sys.executable, "-m", f"bench.{name}"], check=True)


if __name__ == "__main__":
    main()
