"""Boxes in the forms in which models write them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.common.boxes import Box
from chef.reading.boxes import parse_boxes
from chef.reading.boxes.phrases import head_words

DOG, CAT = Box("dog", (1, 2, 3, 4)), Box("cat", (5, 6, 7, 8))


def test_several_boxes_with_their_labels():
    text = "red circle [0.1, 0.2, 0.3, 0.4]; blue star [0.5,0.5,0.6,0.7]"
    assert parse_boxes(text) == [
        Box("red circle", (0.1, 0.2, 0.3, 0.4)),
        Box("blue star", (0.5, 0.5, 0.6, 0.7)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "There is a dog at [1, 2, 3, 4] and a cat at (5, 6, 7, 8).",
        "1. dog: [1,2,3,4]\n2. cat: [5,6,7,8]",
        "- **dog**: [[1 2 3 4]]\n- **cat**: [[5 6 7 8]]",
        "dog [1;2;3;4], cat {5, 6, 7, 8}",
        "[1,2,3,4] dog, [5,6,7,8] cat",
        "[1,2,3,4] is a dog, and [5,6,7,8] is a cat.",
        "I found a fox and a hen:\n- [1,2,3,4] dog\n- [5,6,7,8] cat",
        "The dog is located at [3,4,1,2], the cat is at [5., 6., 7., 8.]",
        "dog [1e0, 2, 3, 0.4e1], cat [5, 60e-1, 7, 8]",
        "<p>dog</p>[1,2,3,4]<p>cat</p>[5,6,7,8]",
        "<p>dog</p> {<1><2><3><4>} <p>cat</p> {<5><6><7><8>}",
        "<ref>dog</ref><box>(1,2),(3,4)</box><ref>cat</ref><box>(5,6),(7,8)</box>",
        "<|object_ref_start|>dog<|object_ref_end|><|box_start|>(1,2),(3,4)<|box_end|>"
        "<|object_ref_start|>cat<|object_ref_end|><|box_start|>(5,6),(7,8)<|box_end|>",
        "<|ref|>dog<|/ref|><|det|>[[1,2,3,4]]<|/det|><|ref|>cat<|/ref|><|det|>[[5,6,7,8]]<|/det|>",
        "<think>cat [0,0,0,0]</think>dog [1,2,3,4], cat [5,6,7,8]",
        "dog: 1, 2, 3, 4\ncat: 5, 6, 7, 8",
        "dog,1,2,3,4;cat,5,6,7,8",
        "dog [[1,2],[3,4]], cat [[5,6],[7,8]]",
        "dog: top-left (1, 2), bottom-right (3, 4)\ncat: top-left (5, 6), bottom-right (7, 8)",
        "Dog corners: (1,2), (3,2), (3,4) and (1,4). Cat: [(5,6),(7,6),(7,8),(5,8)]".lower(),
        "dog\n- Top-left: (1, 2)\n- Bottom-right: (3, 4)\n\ncat\n- Top-left: (5, 6)\n"
        "- Bottom-right: (7, 8)",
        "The dog goes from (1, 2) to (3, 4), the cat from (5, 6) to (7, 8).",
        "dog: x1=1, y1=2, x2=3, y2=4; cat: left 5, top 6, right 7, bottom 8",
        "dog: x0=1, y0=2, x1=3, y1=4; cat: xmin: 5, ymin: 6, xmax: 7, ymax: 8",
        "The dog spans x from 1 to 3 and y from 2 to 4. The cat: x: 5-7, y: 6-8",
        "The dog is at x = 1, y = 2 and ends at x = 3, y = 4; cat: (x=5, y=6, w=2, h=2)",
        "dog: centre (2, 3), width 2, height 2. cat: centre (6, 7), size 2x2",
        "Boxes as [x, y, width, height]: dog [1,2,2,2], cat [5,6,2,2]",
        "In [ymin, xmin, ymax, xmax]: dog [2,1,4,3], cat [6,5,8,7]",
        "| # | object | box |\n|---|---|---|\n| 1 | dog | [1,2,3,4] |\n| 2 | cat | [5,6,7,8] |",
        "| object | y1 | x1 | y2 | x2 | score |\n|---|---|---|---|---|---|\n"
        "| **dog** | 2 | 1 | 4 | 3 | 0.9 |\n| cat | 6 | 5 | 8 | 7 | 0.8 |",
        "class,x1,y1,x2,y2\ndog,1,2,3,4\ncat,5,6,7,8",
        "- label: dog\n  bbox: [1,2,3,4]\n- label: cat\n  bbox: [5,6,7,8]",
        "- bbox: [1,2,3,4]\n  label: dog\n- bbox: [5,6,7,8]\n  label: cat",
        "The dog's box is $\\boxed{[1,\\ 2,\\ 3,\\ 4]}$, the cat's $\\boxed{[5, 6, 7, 8]}$",
        "dog [1,2,3,4] (confidence 0.9), cat [5,6,7,8,0.8]",
        "dog [1px, 2px, 3px, 4px], cat [5 px, 6 px, 7 px, 8 px",
        "dog [1,2,3,4], cat [5,6,7,8]<|im_end|>\nfox [1,1,2,2]",
        "dog [1,2,3,4], cat [5,6,7,8]\nUser: and the fox?\nAssistant: fox [1,1,2,2]",
    ],
)
def test_forms_of_boxes(text):
    assert parse_boxes(text) == [DOG, CAT]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n[{"bbox_2d": [1,2,3,4], "label": "dog"}, {"name": "cat", "box": [5,6,7,8]}]\n```',
        '[{"box_2d": [2,1,4,3], "label": "dog"}, {"box_2d": [6,5,8,7], "label": "cat"}]',
        '{"dog": [1,2,3,4], "cat": [[5,6,7,8]]}',
        '{"dog": {"bbox": [1,2,3,4]}, "cat": {"x1": 5, "y1": 6, "x2": 7, "y2": 8}}',
        '{"objects": [{"class": "dog", "bbox": [1,2,3,4], "score": 0.5}, '
        '{"object": "cat", "xmin": 5, "ymin": 6, "xmax": 7, "ymax": 8}]}',
        '[{"label": "dog", "left": 1, "top": 2, "right": 3, "bottom": 4}, '
        '{"label": "cat", "x": 5, "y": 6, "w": 2, "h": 2}]',
        "[{'category': 'dog', 'box': {'x': 1, 'y': 2, 'width': 2, 'height': 2}}, "
        "{'category': 'cat', 'bbox': '[5, 6, 7, 8]'}]",
        '{"labels": ["dog", "cat"], "bboxes": [[1,2,3,4], [5,6,7,8]]}',
        '[{"point1": [1,2], "point2": [3,4], "object": "dog"}, '
        '{"top_left": {"x": 5, "y": 6}, "bottom_right": {"x": 7, "y": 8}, "object": "cat"}]',
        '[{"label": "dog", "bbox": [1,2,3,4]}, {"label": "cat", "bbox": [5,6,7,8',
        '[{"label": "dog", "bbox": [1,2,3,4],}, {label: "cat", bbox: [5,6,7,8]},]',
        'The fox [9,9,9,9] is gone. {"dog": [1,2,3,4], "cat": [5,6,7,8]}',
        '[["dog", [1,2,3,4]], ["cat", [5,6,7,8]]]',
        "<object><name>dog</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax>"
        "</bndbox></object><object><name>cat</name><bndbox><xmin>5</xmin><ymin>6</ymin>"
        "<xmax>7</xmax><ymax>8</ymax></bndbox></object>",
    ],
)  # fmt: skip
def test_objects(text):
    assert parse_boxes(text) == [DOG, CAT]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The bounding box of the dog is {}", "dog"),
        ("The dog's bounding box is {}", "dog"),
        ("In the lower left there is a small dog {} looking up at a man.", "small dog"),
        ("A woman sits at a dining table {}", "dining table"),
        ("cat next to the dog {}", "cat"),
        ("The person holding the racket is at {}", "person"),
        ("The dog is lying on the sofa at {}", "dog"),
        ("If I had to guess, I'd say the mouse is inside {}.", "mouse"),
        ("I see no cat. The only animal is a dog: {}", "dog"),
        ("There is no dog, but there's a cat at {}.", "cat"),
        ("The red car [9,9,9,9] is parked behind the blue car {}", "blue car"),
        ("person 1: {}", "person"),
        ("Person (left): {}", "Person"),
        ("dog_1: {}", "dog"),
        ("**Dog**\n\n{}", "Dog"),
        ("1. **Dog**: On the left of the image.\n   - Bounding box: {}", "Dog"),
        ("Based on the image, the coordinates for the dog would be about {}.", "dog"),
        ("a woman's hat: {}", "woman's hat"),
        ("teddy bear → {}", "teddy bear"),
        ("the parking meter is at {}", "parking meter"),
        ("图中的猫位于{}", "图中的猫位于"),
        ('The dog: {{"bbox": {}}}', "dog"),
        ('<tool_call>{{"name": "zoom", "arguments": {{"bbox_2d": {}}}}}</tool_call>', ""),
        ("Sure! Here is the bounding box: {}", ""),
        ("The answer is {}.", ""),
        ("{} is the position in the image", ""),
        ("The umbrella held by the woman is at {}", "umbrella"),
        ("The dog is in the lower left. I would draw its box as {}.", "dog"),
        ("<dog>{}</dog>", "dog"),
        ("<answer>{}</answer>", ""),
        ("{}", ""),
    ],
)
def test_labels(text, label):
    assert parse_boxes(text.format("[1, 2, 3, 4]"))[-1] == Box(label, (1, 2, 3, 4))


def test_a_label_may_have_several_boxes():
    for text in (
        "dog [1,2,3,4], [5,6,7,8]", "dogs: [1,2,3,4,5,6,7,8]", "dog [[1,2,3,4],[5,6,7,8]]",
        "[[1,2,3,4], [5,6,7,8]] for the dogs", '{"dog": [[1,2,3,4],[5,6,7,8]]}',
        "<ref>dog</ref><box>(1,2),(3,4)</box><box>(5,6),(7,8)</box>",
        "Two dogs: the first one is at [1,2,3,4]; the second one is at [5,6,7,8].",
    ):  # fmt: skip
        assert [box.label.rstrip("s") for box in parse_boxes(text)] == ["dog", "dog"], text
        assert [box.bbox for box in parse_boxes(text)] == [DOG.bbox, CAT.bbox]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("74 102 433 349", [(74, 102, 433, 349)]),
        ("1 2 3 4\n5 6 7 8", [(1, 2, 3, 4), (5, 6, 7, 8)]),
        ("(233, 410) (581, 702)", [(233, 410, 581, 702)]),
        ("[1, 2, 3, 4", [(1, 2, 3, 4)]),
        ("[0,12; 0,30; 0,45; 0,88]", [(0.12, 0.3, 0.45, 0.88)]),
        ("[12%, 30%, 45%, 88 %]", [(0.12, 0.3, 0.45, 0.88)]),
        ("from 12% to 45% of the width", []),
        (
            "horizontally from 12% to 45% of the width, vertically from 30% to 88% of the height",
            [(0.12, 0.3, 0.45, 0.88)],
        ),
        ("<loc0256><loc0000><loc0512><loc0768> cat", [(0, 0.25, 0.75, 0.5)]),
        ("cat<loc_0><loc_250><loc_750><loc_500>", [(0, 0.25, 0.75, 0.5)]),
        ("[1, 2, 2, 2] in the format [x, y, w, h]", [(1, 2, 3, 4)]),
        (
            "The left edge of the dog is at 10%, the right edge at 50%, the top edge at 20% and "
            "the bottom edge at 90%.",
            [(0.1, 0.2, 0.5, 0.9)],
        ),
        ("bottom right (3, 4), top left (1, 2)", [(1, 2, 3, 4)]),
        ("top right (3, 2), bottom left (1, 4)", [(1, 2, 3, 4)]),
        ("The image is 640 by 480 pixels.", []),
        ("The dog at (1, 2), the cat at (3, 4).", []),
        ("e.g. [1, 2, 3, 4]", []),
        ("not [5, 6, 7, 8] but [1, 2, 3, 4]", [(1, 2, 3, 4)]),
        ("In 2019, 4 dogs and 10 cats, 5, 6, 7, 8 of them", []),
    ],
)
def test_numbers(text, numbers):
    assert [box.bbox for box in parse_boxes(text)] == numbers


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("dog [9,9,9,9]. Hmm, that leaves out the tail. Corrected dog: [1,2,3,4]", [DOG]),
        ("cat [1,2,3,4]. Wait, that is a dog: [1,2,3,4]", [DOG]),
        ("dog [1,2,3,4]. Wait, there is also a cat: [5,6,7,8]", [DOG, CAT]),
        ("dog [1,2,3,4], [5,6,7,7]. Actually the second one is [5,6,7,8].",
         [DOG, Box("dog", (5, 6, 7, 8))]),
        ("Maybe the dog is at [9,9,9,9]. <answer>dog [1,2,3,4]</answer>", [DOG]),
        ("dog [9,9,9,9], cat [9,9,9,9]. Final answer: dog [1,2,3,4], cat [5,6,7,8]", [DOG, CAT]),
        ("The dog may be at [9,9,9,9].\nAnswer: dog [1,2,3,4]", [DOG]),
        ("dog [1,2,3,4]. Final answer: see above.", [DOG]),
    ],
)  # fmt: skip
def test_what_is_taken_back_does_not_count(text, boxes):
    assert parse_boxes(text) == boxes


@pytest.mark.parametrize(
    "text",
    [
        "", "none", "[]", "bird: None", "[1,2,3]", "[a,b,c,d]", "dog [3,2,1,4]", '{"bbox": "x"}',
        '{"bbox": [1,2,3', "<think>dog [1,2,3,4]", "I cannot give coordinates.", "[1e999,2,3,4]",
        '{"image": {"width": 640, "height": 480}, "x": 1}',
        "<loc0001><loc0002><loc0003>",
    ],
)  # fmt: skip
def test_no_boxes(text):
    assert parse_boxes(text) == []


def test_head_nouns():
    assert head_words("a small potted plant on the table")[-2:] == ["potted", "plant"]
    assert head_words("man riding a horse") == ["man"]
    assert head_words("two pairs of scissors") == ["scissors"]
    assert head_words("Sleeping dog #2 (left)") == ["sleeping", "dog"]
    assert head_words("") == head_words("[1]") == []


@given(st.text(max_size=200) | st.text(alphabet='[](){}<>,;.:"0123456789 x\n|', max_size=200))
def test_any_text_is_read(text):
    for box in parse_boxes(text):
        assert box.bbox[0] <= box.bbox[2]
        assert box.bbox[1] <= box.bbox[3]


@given(st.lists(st.tuples(*[st.integers(0, 999)] * 4), min_size=1, max_size=4))
def test_every_form_is_read_back(items):
    boxes = [(min(a, b), min(c, d), max(a, b), max(c, d)) for a, b, c, d in items]
    for form in (
        "dog: [{}, {}, {}, {}]", "dog <box>({},{}),({},{})</box>", "dog ({} {} {} {})",
        "the dog is at [[{},{}],[{},{}]]", '{{"label": "dog", "bbox_2d": [{}, {}, {}, {}]}}',
    ):  # fmt: skip
        text = "\n".join(form.format(*box) for box in boxes)
        assert parse_boxes(text) == [Box("dog", box) for box in boxes]


@pytest.mark.parametrize(
    "text",
    [
        " " * 20000, "\n" * 20000, "(" * 20000, "[" * 20000, "{" * 20000, '{"a":' * 4000,
        "[" + "1" * 20000, "1 " * 10000, "1e" * 10000, "-" * 20000, "<" * 20000, "|" * 20000,
        "\\" * 20000, '"' * 20000, '"\\' * 10000, "猫" * 20000, "a, " * 7000, "<think>" * 3000,
        "[1,2,3,4]" * 2000, "(1,2)" * 4000, "dog (1,2), " * 2000, "x = 1 " * 3000, "x from " * 3000,
        "left " * 4000, "<p>" * 6000, "<loc0001>" * 2500, "<loc_1>" * 3000, "label:" * 3000,
        "wait [1,2,3,4] " * 1000, "top left " * 2500, "<object>" * 2500, "x1," * 6000,
        "word " * 4000 + "[1,2,3,4]", "[1,2,3,4]" + " " * 20000, "user:" * 4000,
    ],
)  # fmt: skip
def test_babble_costs_no_more_than_a_moment(text):
    start = time.process_time()
    parse_boxes(text)
    assert time.process_time() - start < 20
