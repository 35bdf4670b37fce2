"""Write the generated pages of docs/reference.

    python tools/write_reference.py            # all pages
    python tools/write_reference.py rooms      # one of them

The texts come from docstrings, constructors and the declared options, as those of `chef list NAME`
and `chef COMMAND --help` do; no data is read.
"""

from __future__ import annotations

import sys
from pathlib import Path

from guard import need_chef

need_chef()

from reference import commands, metrics, parts, rooms, scenarios  # noqa: E402

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
#: What writes each page, by its name.
PAGES = {
    "commands": commands.page,
    "metrics": metrics.page,
    "parts": parts.page,
    "rooms": rooms.page,
    "scenarios": scenarios.page,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        (FOLDER / f"{name}.md").write_text(PAGES[name](), encoding="utf-8")
