"""Reading answers out of free text, with evidence of what was matched, and where.

Nothing is guessed: a text that names two different answers is unparsed, and so is one that names
none. `POLICY` names the version of these rules and is stored with the results.
"""

from chef.metric.extraction.boxes import Box, parse_boxes
from chef.metric.extraction.labels import letters, option_names
from chef.metric.extraction.numbers import extract_number
from chef.metric.extraction.options import extract_option
from chef.metric.extraction.text import POLICY, Extraction, final_text
from chef.metric.extraction.verdict import extract_verdict

__all__ = [
    "POLICY",
    "Box",
    "Extraction",
    "extract_number",
    "extract_option",
    "extract_verdict",
    "final_text",
    "letters",
    "option_names",
    "parse_boxes",
]
