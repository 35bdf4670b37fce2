"""How one answer to a question with options is read (section 9.3, with section 15)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from upstream_rules.text import normalise

LETTERS = "ABCDEFG"
NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Step 2 of 9.3, after the bare letters.
AFFIXES = (
    ("(", ")"),
    ("(", ")."),
    ("", "."),
    ("", ","),
    ("", ":"),
    ("", ")"),
    ("", ")."),
    (":", ""),
    (":", ","),
    (":", "."),
    (":", ")"),
    (":", ")."),
)


def last_statement(answer: str) -> str:
    """9.3 step 1: up to the first `###`, then after the last `Assistant:`."""
    return answer.partition("###")[0].rpartition("Assistant:")[2]


def bracketed_letter(text: str) -> str | None:
    """9.3 step 1: the first letter with a full stop, else the first after a bracket, as `(X)`."""
    stopped = re.search(r"[A-Z]\.", text)
    if stopped:
        return f"({stopped[0][0]})"
    opened = re.search(r"\([A-Z]", text)
    if opened:
        return f"({opened[0][1]})"
    return None


def only_one(names: Sequence[str], tokens: Sequence[str], prefix: str, suffix: str) -> str | None:
    """The one name that is among the tokens with its affixes, if it is the only such."""
    present = [name for name in names if prefix + name + suffix in tokens]
    return present[0] if len(present) == 1 else None


def inferred_letter(text: str, letters: str = LETTERS) -> str | None:
    """9.3 step 2: option inference over white-space tokens, letters A to G."""
    tokens = text.split()
    # Open: "exactly one" counts different letters, not how often one is repeated.
    bare = only_one(letters, tokens, "", "")
    if bare is not None and not ("A" in tokens and len(tokens) >= 3):
        return bare
    for prefix, suffix in AFFIXES:
        letter = only_one(letters, tokens, prefix, suffix)
        if letter is not None:
            return letter
    return None


def matched_content(text: str, choices: Sequence[str]) -> str | None:
    """9.3 step 3: equality, else exactly one choice contained, without regard to case."""
    for place, choice in enumerate(choices):
        if text == choice:
            return NAMES[place]
    held = [place for place, choice in enumerate(choices) if choice.lower() in text.lower()]
    return NAMES[held[0]] if len(held) == 1 else None


def fetch_answer(
    answer: str, choices: Sequence[str], content_only: bool = False, letters: str = LETTERS
) -> tuple[str | None, int, int]:
    """9.3: the letter, whether it was read as an option, whether as content.

    Content is 1 even when nothing was read. With `content_only` (15) the answer is taken as it
    is and only step 3 is done.
    """
    text = answer
    if not content_only:
        stated = last_statement(answer).strip()
        # Open: without a letter in it the text stays cut and stripped (Instruct_Follow alone
        # is said to go back to the whole answer).
        text = bracketed_letter(stated) or stated
        letter = inferred_letter(text, letters)
        if letter is not None:
            return letter, 1, 0
    # Open: step 3 looks at what step 1 left, which may be `(X)`.
    return matched_content(text, choices), 0, 1


def followed_option(answer: str, options: Sequence[str]) -> str | None:
    """9.7 and 15, Instruct_Follow: the option string that the answer names."""
    text = bracketed_letter(last_statement(answer)) or answer
    tokens = text.split()
    option = only_one(options, tokens, "", "")
    if option is not None and option != "A":
        return option
    for prefix, suffix in AFFIXES:
        option = only_one(options, tokens, prefix, suffix)
        if option is not None:
            return option
    return None


def mme_reading(answer: str) -> str:
    """9.3, MMEVQA: `yes`, `no` or `other`."""
    lowered = answer.lower()
    if lowered in ("yes", "no"):
        return lowered
    text = normalise(lowered)
    if ("yes" in text) == ("no" in text):
        return "other"
    return "yes" if "yes" in text else "no"


def lamm_vqa_right(text: str, choices: Sequence[str], gt_choice: int) -> bool:
    """9.3 and 15, LAMM_VQA on CoT and answer together: the first rule that finds anything."""
    letter = LETTERS[gt_choice]
    stated = re.findall(r"[Tt]he answer is \(?[A-E]\)?\W", text)
    if stated:
        return all(letter in statement for statement in stated)
    announced = re.search(r"ANSWER: [A-E]", text)
    if announced:
        # Open: the letter behind the colon is meant; "contains" read on the whole hit would
        # make A and E right whatever is said.
        return announced[0].endswith(letter)
    bracketed = re.findall(r"\([A-E]\)", text)
    if bracketed:
        return all(letter in hit for hit in bracketed)
    lowered = text.lower()
    others = [choice for place, choice in enumerate(choices) if place != gt_choice]
    if any(choice.lower() in lowered for choice in others):
        return False
    return choices[gt_choice].lower() in lowered
