"""The labels of boxes in prose: the words before each box, behind it, or of the box before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.boxes.found import BoxMatch
from chef.reading.boxes.phrases import begins_a_description, thing_named

_QUOTES = " \"',*"
#: The largest distance of a label from its box, in characters.
_REACH = 200
_TAGGED = re.compile(
    r"<\|?(?:ref|p|phrase|object_ref_start|obj|label|name|g?cls)\|?>\s*([^<>]{1,120}?)\s*"
    r"<[|/]{0,2}(?:/?(?:ref|p|phrase|obj|label|name|g?cls)|object_ref_end)\|?>"
)
#: A tag around the box that is named after the thing: ``<dog>[1, 2, 3, 4]</dog>``.
_WRAPPED = re.compile(r"<([A-Za-z][A-Za-z _]{1,30})>\s{0,9}\Z")
#: Tags, and the commands of LaTeX.
_TAG = re.compile(r"<[|/]{0,2}[A-Za-z][\w \"=/-]{0,40}\|?>|\\[A-Za-z]{2,20}")
_SENTENCES = re.compile(r"[.!?;](?=\s|\Z)|\n")
_CLAUSES = re.compile(r",(?=\s|\Z)|\b(?:and|while|but)\b")
#: A key with the label as its value, on a line of its own: ``label: dog``.
_KEYED = re.compile(
    r"^[\s*\"'-]*(?:label|class|name|category|object)[\"'*]*\s*[:=]\s*([^\n]{1,80})",
    re.IGNORECASE | re.MULTILINE,
)
#: What joins a box to the label behind it.
_LINK = re.compile(
    r"[\s\])}>*`$\"'|]*(?:(?:is|are|=|:|-+>?|–|—|→|=>|\(|contains?|shows?|represents?|marks?"
    r"|corresponds\s+to|for|belongs?\s+to)\s*)?(?:the\s+(?:box|location|position)\s+(?:of|for)\s+)?",
    re.IGNORECASE,
)
_SAYS = re.compile(r"[\s\])}>*`$]*(?:is|are|contains?|shows?|represents?|marks?)\s", re.IGNORECASE)
_ENDS_OPEN = re.compile(r"(?:[,;&]|\band)\s*[\[(]*\s*\Z")


def with_labels(text: str, boxes: Sequence[BoxMatch]) -> list[BoxMatch]:
    """The boxes with their labels; a box without its own takes that of the box before it.

    Args:
        text: the text.
        boxes: its boxes, in order. Those with a label keep it.
    """
    starts = [0, *(box.end for box in boxes)]
    ends = [*(box.start for box in boxes), len(text)]
    gaps = [text[start : max(start, end)] for start, end in zip(starts, ends, strict=True)]
    behind = _labels_stand_behind(gaps)
    labelled = []
    label = ""
    for i, box in enumerate(boxes):
        label = box.label if box.label is not None else _label_of(gaps, i, behind) or label
        labelled.append(BoxMatch(box.corners, box.start, box.end, label, box.order))
    return labelled


def _label_of(gaps: Sequence[str], i: int, behind: bool) -> str:
    """The label of box ``i`` by the words before it (``gaps[i]``) and behind it."""
    if behind:
        return label_behind(_next_words(gaps, i), keyed=True)
    own = label_before(gaps[i], inside=i > 0)
    if not own and _SAYS.match(gaps[i + 1]):
        return label_behind(gaps[i + 1])
    return own


def _labels_stand_behind(gaps: Sequence[str]) -> bool:
    """Whether the labels follow the boxes: the first has none on its line, but one behind it."""
    if len(gaps) < 2:
        return False
    line = gaps[0].rpartition("\n")[2]
    if label_before(line):
        return False
    words = _next_words(gaps, 0)
    return bool(label_behind(words)) or (
        not label_before(gaps[0]) and bool(label_behind(words, keyed=True))
    )


def _next_words(gaps: Sequence[str], i: int) -> str:
    """The first words behind box ``i``: those of "[1, 2, 3, 4], [5, 6, 7, 8]: dogs" for both."""
    return next((gap for gap in gaps[i + 1 : i + 20] if re.search(r"\w", gap)), "")


def label_before(gap: str, inside: bool = False) -> str:
    """The thing that the text before a box names, or "".

    Where another box comes before it (``inside``), what only describes that one is no label.

    >>> label_before("I see no cat. There is a small dog at")
    'small dog'
    """
    tagged = _TAGGED.findall(gap)
    if tagged:
        return str(tagged[-1]).strip()
    near = gap[-_REACH:]
    wrapped = _WRAPPED.search(near)
    if wrapped and thing_named(wrapped[1]):
        return thing_named(wrapped[1])
    keyed = _KEYED.findall(near)
    if keyed:
        return thing_named(keyed[-1]) or str(keyed[-1]).strip(_QUOTES)
    if inside and begins_a_description(near) and _ENDS_OPEN.search(near):
        return ""
    sentences = _SENTENCES.split(_TAG.sub(" ", near))
    for number, sentence in enumerate(reversed(sentences)):
        described = inside and number == len(sentences) - 1
        label = _of_sentence(sentence, described)
        if label:
            return label
    return ""


def label_behind(gap: str, keyed: bool = False) -> str:
    """The thing that the text behind a box names on its line, or ""; ``label: dog`` if ``keyed``.

    >>> label_behind(" is a dog."), label_behind(" in the corner")
    ('dog', '')
    """
    tagged = _TAGGED.match(gap.lstrip())
    if tagged:
        return tagged[1].strip()
    line = gap[:_REACH].lstrip(" \t\r")
    first = line.partition("\n")[0]
    link = _LINK.match(first)
    rest = first[link.end() :] if link else first
    key = _KEYED.search(line) if keyed else None
    if key:
        return thing_named(key[1]) or key[1].strip(_QUOTES)
    if first.startswith(".") or begins_a_description(rest):
        return ""
    sentence = _SENTENCES.split(_TAG.sub(" ", rest))[0]
    return thing_named(_CLAUSES.split(sentence)[0])


def _of_sentence(sentence: str, described: bool) -> str:
    """The last clause of a sentence that names a thing; ``described`` if a box comes before."""
    clauses = [clause for clause in _CLAUSES.split(sentence) if clause.strip()]
    names = [(clause, thing_named(clause)) for clause in reversed(clauses)]
    named = [(clause, name) for clause, name in names if name]
    plain = [name for clause, name in named if not begins_a_description(clause)]
    if described and named and begins_a_description(named[0][0]):
        return named[0][1]
    return plain[0] if plain else named[0][1] if named else ""
