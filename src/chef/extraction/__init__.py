"""Extract answers from free text, with evidence of what matched and where.

Nothing is guessed: a text with two different answers, or with none, is unparsed. `POLICY` names the
version of these rules and is stored with the results.
"""

from chef.common.boxes import Box
from chef.extraction.boxes import parse_boxes
from chef.extraction.labels import option_names
from chef.extraction.numbers import extract_number
from chef.extraction.options import extract_option
from chef.extraction.text import POLICY, Extraction, evidence, final_text
from chef.extraction.yes_no import extract_verdict

__all__ = [
    "POLICY",
    "Box",
    "Extraction",
    "evidence",
    "extract_number",
    "extract_option",
    "extract_verdict",
    "final_text",
    "option_names",
    "parse_boxes",
]
