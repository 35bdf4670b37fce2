"""Stops a script whose Python lacks chef, with one line that says what to type instead.

It has no annotations and nothing newer than Python 3.6, because the line has to reach those who
started an old Python too.
"""

import importlib.util
import os
import sys
from pathlib import Path

#: Packages that every command needs; a Python that lacks one of them has no complete chef.
_NEEDED = ("chef", "msgspec", "omegaconf", "numpy")
_ROOT = Path(__file__).resolve().parents[1]


def need_chef():
    """Exit with code 2 and one line on standard error unless chef can be imported."""
    version = sys.version_info
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if version < (3, 11):
        reason = f"chef needs Python 3.11 or later, and this is {version[0]}.{version[1]}"
    elif missing:
        reason = f"this Python ({sys.executable}) has no {missing[0]}"
    else:
        return
    activate = _ROOT / ".venv" / "bin" / "activate"
    if activate.exists():
        hint = f"type `. {os.path.relpath(str(activate))}`, then the command again"
    else:
        hint = "type `make demo` and then `. .venv/bin/activate`, or `pip install .`"
    sys.stderr.write(f"error: {reason}; {hint}\n")
    sys.exit(2)
