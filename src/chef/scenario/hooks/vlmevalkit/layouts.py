"""How a family words a row where its class does not: the layouts of VLMEvalKit, chef's wordings.

`question_of` is what a recipe's instruction words; `text_of` is worded already, by the first prompt
of the same pool, for classes that build on ``super().build_prompt(line)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase

from chef.scenario.questions.family import LAYOUTS
from chef.scenario.questions.family import text_of as laid_out

#: The pool of wordings for each kind of question, and its first prompt.
POOLS: Mapping[str, tuple[str, str]] = {
    "mcq": (
        "vlmevalkit_mcq",
        "{question}\nWhich of the options above is right? Choose one. \n",
    ),
    "vqa": ("vlmevalkit_vqa", "{question}\nReply with one word or a short phrase."),
    "caption": (
        "vlmevalkit_caption",
        "Describe in general what can be seen here. Start with what is seen, not with words about "
        "the picture itself.",
    ),
}
_PLAIN = "vlmevalkit_plain", "{question}"
#: The form of a multiple-choice question without options, in the pool, and how it is worded.
OPEN = "open", "{question}\n"


def pool_of(kind: str) -> str:
    """The name of the pool for a kind of question."""
    return POOLS.get(kind, _PLAIN)[0]


def question_of(kind: str, cells: Mapping[str, str]) -> str:
    """What a row asks, before it is worded; empty for a caption. SampleError without a question."""
    if kind == "caption":
        return ""
    return laid_out(LAYOUTS["mcq" if kind == "mcq" else "plain"], cells, choices_of(cells))


def form_of(kind: str, cells: Mapping[str, str]) -> str:
    """The form in which the pool words a row; empty for the usual one."""
    return OPEN[0] if kind == "mcq" and not choices_of(cells) else ""


def text_of(kind: str, cells: Mapping[str, str]) -> str:
    """The text of a row as the pool's first prompt words it; SampleError without a question."""
    prompt = OPEN[1] if form_of(kind, cells) else POOLS.get(kind, _PLAIN)[1]
    return prompt.replace("{question}", question_of(kind, cells))


def choices_of(cells: Mapping[str, str]) -> dict[str, str]:
    """The texts of the options of a row; only an empty cell is a missing option.

    >>> choices_of({"A": "None", "B": "", "C": "NA", "D2": "x"})
    {'A': 'None', 'C': 'NA'}
    """
    return {letter: cells[letter] for letter in ascii_uppercase if cells.get(letter, "") != ""}
