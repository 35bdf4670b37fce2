"""Read labelled boxes from text, in every form in which models write them."""

from __future__ import annotations

from chef.common.boxes import Box
from chef.reading.boxes.labels import with_labels
from chef.reading.boxes.objects import json_boxes
from chef.reading.boxes.prose import prose_boxes
from chef.reading.boxes.settled import settled, without_corrections
from chef.reading.boxes.tables import table_boxes, token_boxes
from chef.reading.excerpt import excerpt
from chef.reading.leaks import answer_body, before_next_question


def parse_boxes(answer: str) -> list[Box]:
    """The boxes in a text, in order, with the labels that the text gives them.

    Read are, in this order, and only the first form that the text has:

    - tokens of locations, ``<loc0123>`` of PaliGemma (``y1 x1 y2 x2`` in 1024ths) and ``<loc_12>``
      of Florence-2 (``x1 y1 x2 y2`` in thousandths);
    - objects: JSON, also cut off. ``bbox``, ``bbox_2d``, ``box`` and other keys hold
      ``x1, y1, x2, y2``; ``box_2d`` is Gemini's key and holds ``y1, x1, y2, x2``. Numbers with
      names are read by them (``xmin``, ``left``, ``width``, ...; ``x, y`` is the corner);
    - tables whose head names the columns;
    - prose and XML: four numbers in brackets or alone, two points, numbers with names, ranges of
      both axes, a centre with width and height. If the text states another order, such as
      ``[x, y, w, h]``, it holds for the boxes after it, and for those before the first such
      statement.

    A label is the noun phrase before its box, or behind it if the text puts labels there. A box
    without its own label takes that of the box before it. Boxes that the text takes back are left
    out: those before "Wait, ..." that another one replaces, and those before a final answer.

    Returns:
        The boxes in the units of the text; percent and tokens are fractions of the image.

    >>> [box.label for box in parse_boxes("red circle [0.1, 0.2, 0.3, 0.4]; a star at [0 0 1 1]")]
    ['red circle', 'star']
    """
    text = before_next_question(answer_body(excerpt(answer)))
    readers = (token_boxes, json_boxes, table_boxes, prose_boxes)
    found = next(filter(None, (read(text) for read in readers)), [])
    labelled = settled(text, with_labels(without_corrections(text), found))
    return [Box(box.label or "", box.corners) for box in labelled]
