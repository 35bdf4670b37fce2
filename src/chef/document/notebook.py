"""What a notebook shows of a result that has a text."""

from __future__ import annotations

from html import escape


def shown_in_notebook(result: object) -> str:
    """The text of a result as HTML; a class has it as its ``_repr_html_``."""
    return f"<pre>{escape(str(result))}</pre>"
