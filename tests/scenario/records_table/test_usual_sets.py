"""Tables as the field has them: each is opened as it is, with no key of the recipe."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from scenario.records_table.conftest import png

from chef.errors import ChefError
from chef.image import Image
from chef.instruction.examples import parts_of
from chef.scenario.table.scenario import Records
from chef.types import Sample, Text

RED, BLUE = png("red"), png("blue")
YES, NO = "Yes", "No"
IS_RED = [("red.png", "Is this red?"), ("blue.png", "In this image, is there a red square?")]


@pytest.fixture(autouse=True)
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "red.png").write_bytes(RED)
    (tmp_path / "blue.png").write_bytes(BLUE)
    monkeypatch.chdir(tmp_path)


def opened(name: str, content: Any, **keys: Any) -> Records:
    """The scenario of a file with this content: a text, or what is written as JSON."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, str):
        lines = name.endswith("jsonl")
        content = "\n".join(map(json.dumps, content)) if lines else json.dumps(content)
    path.write_text(content)
    return Records(path=name, **keys)


def shown(sample: Sample) -> list[str]:
    """What a model gets of a question: texts, and the color of an image where it stands."""
    colors = {Image(RED).digest: "[red]", Image(BLUE).digest: "[blue]"}
    parts = parts_of(sample.question, sample.images, sample.image_marks)
    return [part.text if isinstance(part, Text) else colors[part.digest] for part in parts]


def talk(question: Any, answer: Any, form: str = "llava") -> list[dict[str, Any]]:
    if form == "llava":
        return [{"from": "human", "value": question}, {"from": "gpt", "value": answer}]
    return [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]


@pytest.mark.parametrize("form", ["llava", "chat"])
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("<image>\nWhich color?", ["[red]", "Which color?"]),
        ("Which color?\n<image>", ["Which color?\n", "[red]"]),
        ("Which color?", ["[red]", "Which color?"]),
    ],
)
def test_a_conversation_shows_its_image_where_it_stands(
    form: str, question: str, wanted: list[str]
) -> None:
    column = "conversations" if form == "llava" else "messages"
    rows = [{"id": "a", "image": "red.png", column: talk(question, "red", form)}]
    scenario = opened("a.json", rows)
    assert (shown(scenario[0]), scenario[0].answer) == (wanted, ["red"])
    use = scenario.column_use()
    assert (use.unused, use.kind, use.roles["images"]) == ((), "free answers", ("image",))


def test_messages_with_parts_hold_their_images() -> None:
    parts = [{"type": "text", "text": "Is this"}, {"type": "image", "image": "red.png"},
             {"type": "text", "text": "or this"},
             {"type": "image_url", "image_url": {"url": "blue.png"}},
             {"type": "text", "text": "blue?"}]  # fmt: skip
    system = {"role": "system", "content": "Be brief."}
    scenario = opened("a.jsonl", [{"messages": [system, *talk(parts, "the second", "chat")]}])
    assert shown(scenario[0]) == [
        "Be brief.\nIs this\n", "[red]", "\nor this\n", "[blue]", "\nblue?",
    ]  # fmt: skip
    assert scenario[0].answer == ["the second"]


def test_several_questions_of_a_conversation_are_refused_with_a_remedy() -> None:
    turns = [*talk("Which?", "red"), *talk("And?", "blue")]
    with pytest.raises(ChefError, match="a conversation with 2 questions") as caught:
        opened("a.json", [{"image": "red.png", "conversations": turns}])
    assert "conversations.0.value" in str(caught.value.hint)
    named = {"question": "conversations.2.value", "answer": "conversations.3.value"}
    scenario = opened("a.json", [{"image": "red.png", "conversations": turns}], columns=named)
    assert (shown(scenario[0]), scenario[0].answer) == (["[red]", "And?"], ["blue"])


@pytest.mark.parametrize(
    ("question", "images", "wanted"),
    [
        ("Is <image> redder than <image>?", 2, ["Is ", "[red]", " redder than ", "[blue]", "?"]),
        ("Is <image 2> redder than <image 1>?", 2,
         ["Is ", "[blue]", " redder than ", "[red]", "?"]),
        ("Which of <image>?", 2, ["Which of ", "[red]", "[blue]", "?"]),
        ("<image><image>\nWhich?", 2, ["[red]", "[blue]", "Which?"]),
        ("<image>\nWhich?", 2, ["[red]", "[blue]", "Which?"]),
    ],
)  # fmt: skip
def test_texts_of_own_tables_name_places(question: str, images: int, wanted: list[str]) -> None:
    files = ["red.png", "blue.png"][:images]
    row = {"question": question, "images": files, "answer": "a"}
    assert shown(opened("a.jsonl", [row])[0]) == wanted
    assert shown(opened("a.jsonl", [row], template="{question}")[0]) == wanted
    if question.startswith("Is"):
        sample = opened("b.jsonl", [{**row, "options": ["a", "b"]}])[0]
        assert shown(sample)[:2] == [f"Question: {wanted[0]}", wanted[1]]


def test_an_image_that_a_row_does_not_have_is_an_error_of_its_sample() -> None:
    rows = [{"question": "Is <image> redder than <image>?", "image": "red.png", "answer": "a"},
            {"question": "Which?", "image": "red.png", "answer": "red"}]  # fmt: skip
    scenario = opened("a.jsonl", rows)
    with pytest.raises(ChefError, match="names image 2, and the row has one image"):
        scenario[0]
    assert shown(scenario[1]) == ["[red]", "Which?"]
    # Without a column of images a text names none.
    assert opened("b.jsonl", [{"q": "What is <image> in HTML?"}])[0].image_marks == ()


@pytest.mark.parametrize(
    ("questions", "answers", "kind"),
    [
        (IS_RED, (1, 0), "yesno"),
        (IS_RED, ("1", "0"), "yesno"),
        (IS_RED, (True, False), "yesno"),
        (IS_RED, ("true", "false"), "yesno"),
        (IS_RED, (1, 2), "vqa"),
        ([("red.png", "How many are red?"), IS_RED[1]], (1, 0), "vqa"),
        ([("red.png", "Ist das rot?"), ("blue.png", "Red? Answer yes or no.")], (1, 0), "yesno"),
        ([("red.png", "这是红色的吗？"), ("blue.png", "Est-ce rouge ?")], (1, 0), "yesno"),
        ([("red.png", "In the image, how many dogs are there?"), IS_RED[1]], (1, 0), "vqa"),
    ],
)
def test_answers_0_and_1_to_yes_no_questions(
    questions: list[tuple[str, str]], answers: tuple[Any, Any], kind: str
) -> None:
    rows = [
        {"image": image, "question": text, "answer": answer}
        for (image, text), answer in zip(questions, answers, strict=True)
    ]
    scenario = opened("a.jsonl", rows)
    assert scenario.kind == kind
    if kind == "yesno":
        assert [scenario[0].answer, scenario[1].answer] == [YES, NO]
    said = "1 and 0 are yes and no" in scenario.column_use().kind
    assert said == (kind == "yesno" and str(answers[0]) == "1")


def test_captions_of_coco() -> None:
    captions = [(1, "a red square"), (1, "red"), (2, "blue")]
    images = [{"id": 1, "file_name": "red.png"}, {"id": 2, "file_name": "blue.png"}]
    document = {"info": {}, "images": images, "licenses": [{"id": 1}], "annotations": [
        {"id": 10 + n, "image_id": image, "caption": text}
        for n, (image, text) in enumerate(captions)
    ]}  # fmt: skip
    scenario = opened("captions.json", document)
    assert (scenario.kind, scenario.sample_id(1)) == ("caption", "2")
    assert [sample.answer for sample in (scenario[0], scenario[1])] == [
        ["a red square", "red"], ["blue"],
    ]  # fmt: skip
    assert scenario[1].images[0].digest == Image(BLUE).digest
    before = scenario.row_digests()
    document["annotations"][2]["caption"] = "green"  # type: ignore[index]
    after = opened("captions.json", document).row_digests()
    assert (before["1"] == after["1"], before["2"] == after["2"]) == (True, False)


def test_boxes_of_coco_are_no_captions() -> None:
    document = {"images": [{"id": 1, "file_name": "red.png"}],
                "annotations": [{"image_id": 1, "bbox": [0, 0, 1, 1]}]}  # fmt: skip
    with pytest.raises(ChefError, match="several lists of objects"):
        opened("boxes.json", document)


def test_questions_and_annotations_of_vqa() -> None:
    asked = [{"image_id": n, "question": f"Which color is {n}?", "question_id": 1000 * n}
             for n in (1, 2)]  # fmt: skip
    told = [{"question_id": 1000 * n, "image_id": n, "multiple_choice_answer": color,
             "answers": [{"answer": color, "answer_id": k} for k in (1, 2)]}
            for n, color in ((2, "blue"), (1, "red"))]  # fmt: skip
    for n, content in ((1, RED), (2, BLUE)):
        Path(f"vqa/COCO_val2014_{n:012}.png").parent.mkdir(exist_ok=True)
        Path(f"vqa/COCO_val2014_{n:012}.png").write_bytes(content)
    Path("vqa/annotations.json").write_text(json.dumps({"info": {}, "annotations": told}))
    opened("vqa/questions.json", {"info": {}, "questions": asked})
    scenario = Records(path="vqa")
    for number, color in enumerate(("red", "blue")):
        sample = scenario[number]
        assert (sample.id, sample.answer) == (str(1000 * (number + 1)), [color, color])
        assert shown(sample) == [f"[{color}]", f"Which color is {number + 1}?"]
    before = scenario.row_digests()
    told[0]["answers"] = [{"answer": "navy"}]
    Path("vqa/annotations.json").write_text(json.dumps({"info": {}, "annotations": told}))
    after = Records(path="vqa").row_digests()
    assert (before["1000"] == after["1000"], before["2000"] == after["2000"]) == (True, False)


def test_ids_name_images_only_where_there_are_such_files() -> None:
    scenario = opened("gqa.json", {"7": {"imageId": "red", "question": "Which?", "answer": "red"}})
    assert shown(scenario[0]) == ["[red]", "Which?"]
    for value in ("green", 3):
        other = opened("b.json", [{"image_id": value, "question": "Which?", "answer": "red"}])
        use = other.column_use()
        assert (use.unused, use.lacking) == (("image_id",), {"images": ""})
    # A word that is the name of a file by chance is no image.
    rows = [{"question": "Which?", "answer1": "red", "answer2": "blue"}]
    assert opened("c.json", rows).column_use().lacking["images"] == ""


def test_questions_of_llava_bench_and_pope() -> None:
    bench = [{"question_id": 0, "image": "red.png", "text": "Describe it.", "category": "detail"}]
    sample = opened("bench.jsonl", bench)[0]
    assert (shown(sample), sample.answer) == (["[red]", "Describe it."], None)
    pope = [{"question_id": 1, "image": "red.png", "text": "Is there a dog?", "label": "no"}]
    scenario = opened("pope.jsonl", pope)
    assert (scenario.kind, scenario[0].answer) == ("yesno", NO)


def test_mmmu_has_numbered_images_and_open_questions() -> None:
    pandas = pytest.importorskip("pandas")
    images = ({"bytes": RED, "path": "a.png"}, {"bytes": BLUE, "path": "b.png"})
    rows = [
        {"id": "v_1", "question": "Which is <image 1>?", "options": "['red', '<image 2>']",
         "image_1": images[0], "image_2": images[1], "answer": "A", "subfield": "x"},
        {"id": "v_2", "question": "Name <image 1>.", "options": "[]",
         "image_1": images[1], "image_2": None, "answer": "blue", "subfield": "x"},
    ]  # fmt: skip
    pandas.DataFrame(rows).to_parquet("mmmu.parquet")
    scenario = Records(path="mmmu.parquet")
    assert shown(scenario[0]) == [
        "Question: Which is ", "[red]", "?\nOptions:\n(A) red\n(B) ", "[blue]",
    ]  # fmt: skip
    assert (scenario[0].answer, scenario[1].answer) == ("(A)", ["blue"])
    assert shown(scenario[1]) == ["Name ", "[blue]", "."]


def test_folders_of_images_with_metadata() -> None:
    Path("pets/train").mkdir(parents=True)
    Path("pets/train/0.png").write_bytes(RED)
    Path("pets/train/metadata.jsonl").write_text('{"file_name": "0.png", "text": "a red square"}')
    scenario = Records(path="pets")
    assert (scenario.kind, scenario[0].answer) == ("caption", ["a red square"])
    assert scenario[0].images[0].digest == Image(RED).digest
    Path("pets/train/metadata.jsonl").write_text(
        '{"file_name": "0.png", "question": "Which?", "answer": "red"}'
    )
    assert shown(Records(path="pets")[0]) == ["[red]", "Which?"]


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ([{"label": "A", "text": "red"}, {"label": "B", "text": "blue"}], "B"),
        ([{"label": "1", "text": "red"}, {"label": "2", "text": "blue"}], "2"),
        ([{"text": "red"}, {"text": "blue"}], "blue"),
        ("red|blue", "blue"),
        ("red; blue", "B"),
        ("A. red\nB. blue", "B. blue"),
        ("red\nblue", "(b) blue"),
    ],
)
def test_forms_of_options_and_their_answers(options: Any, answer: str) -> None:
    row = {"image": "red.png", "question": "Which?", "choices": options, "answerKey": answer}
    sample = opened("a.json", [row])[0]
    assert (sample.fields["choices"], sample.answer) == (["red", "blue"], "(B)")


def test_a_question_that_is_a_mapping_names_its_parts() -> None:
    row = {"image": "red.png", "question": {"stem": "Which?", "note": ""}, "answer": "red"}
    with pytest.raises(ChefError) as caught:
        opened("a.json", [row])[0]
    assert "question.stem or question.note" in str(caught.value.hint)


def test_a_table_without_a_header_is_told_so() -> None:
    with pytest.raises(ChefError) as caught:
        opened("a.csv", "red.png,Which color?,red\nblue.png,Which?,blue\n")
    assert "first line is a row" in str(caught.value.hint)


def test_a_tsv_with_base64_shows_images_in_their_places() -> None:
    cell = base64.b64encode(RED).decode()
    scenario = opened("a.tsv", f"question\tanswer\timage\nIs <image> red?\t1\t{cell}\n")
    assert (shown(scenario[0]), scenario[0].answer) == (["Is ", "[red]", " red?"], YES)
