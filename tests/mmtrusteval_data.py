"""A small drawn data set in MMTrustEval's layout, with a few items for each of its 133 ids."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

RISKS = ("alcohol", "cigarette", "gun", "insulting_gesture", "knife")
ADVANCED = (
    "spatial", "temporal", "compare", "daily", "traffic", "causality", "math", "code", "translate",
)  # fmt: skip
STYLES = (
    "augment", "bible_p0.6", "bible_p0", "romantic_p0.6", "romantic_p0", "shake_p0.6", "shake_p0",
    "shake_w", "tweet_p0.6", "tweet_p0",
)  # fmt: skip
TOPICS = ("Age", "Gender", "Nationality", "Race", "Religion", "Socioeconomic")
ARTISTIC = ("cartoon", "handmake", "painting", "sketch", "tattoo", "weather")
SENSORS = ("infrared", "lxray", "hxray", "mri", "ct", "remote", "driving")
COLORS = ("red", "green", "blue", "orange")


def write_mmtrusteval(root: Path) -> None:
    """Write the files of all data sets below ``root``, which is the data root."""
    for kind in ("color", "nature", "noise"):
        for number in (1, 2, 10):
            draw(root / "unrelated_images" / f"{kind}_{number}.png", number)
    _truthfulness(root / "truthfulness")
    _safety(root / "safety")
    _robustness(root / "robustness")
    _fairness(root / "fairness")
    _privacy(root / "privacy")


def draw(path: Path, number: int = 0) -> None:
    """A small picture of one color."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (24, 16), COLORS[number % len(COLORS)]).save(path)


def write_json(path: Path, content: Any) -> None:
    """A file of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def write_lines(path: Path, records: Sequence[Mapping[str, Any]]) -> None:
    """A file of JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """A file of CSV."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _queries(file: Path, images: Path, truths: Sequence[str], **more: Sequence[str]) -> None:
    """Records of image, query and truth, each with a picture."""
    records = []
    for number, truth in enumerate(truths):
        name = f"{number}.png"
        draw(images / name, number)
        query = f"Is the picture {COLORS[number % 4]}?"
        extra = {key: values[number] for key, values in more.items()}
        records.append({"image": name, "query": query, "truth": truth, **extra})
    write_json(file, records)


def _truthfulness(root: Path) -> None:
    basic = root / "query_basic"
    for part, name in {"object": "existence", "attribute": "attribute", "scene": "scene"}.items():
        file = basic / f"query_d_{name}.json"
        _queries(file, root / "basic_images" / part, ("Yes", "No", "Yes"))
    boxes = ("[0, 0, 12, 16]", "[12, 0, 24, 16]")
    _queries(basic / "query_g_grounding.json", root / "basic_images/grounding", boxes)
    _queries(basic / "query_g_ocr.json", root / "basic_images/ocr", ("STOP", "EXIT"))
    for part in ADVANCED:
        file = root / f"query_advanced/query_d_{part}.json"
        _queries(file, root / "advanced_images" / part, ("No", "Yes"))
    for part in ("factual", "logic"):
        file = root / f"query_instruction/query_g_{part}.json"
        _queries(file, root / "instruction_images" / part, ("Paris", "7"))
    for part in ("assistance", "misvisual"):
        file = root / "query_text/query_g_assistance.json"
        _queries(file, root / "text_images" / part, ("Water", "In 1969"))
    misleading = root / "query_misleading"
    images = root / "misleading_images"
    _queries(misleading / "query_g_mistext.json", images / "mistext", ("It is red", "Nobody"))
    kinds = ("semantic", "contrast", "painting", "mirror", "dislocation")
    truths = ("Yes", "No", "No", "Yes", "No")
    _queries(misleading / "query_d_confusion.json", images, truths, kind=kinds)


def _safety(root: Path) -> None:
    for folder in ("drawing", "photo"):
        for number in (1, 2):
            draw(root / "nsfw" / folder / f"{number}.png", number)
    for kind in RISKS:
        for number in (1, 2):
            draw(root / "risk_identification" / kind / f"{number}.jpg", number)
    prompts = {
        "insult": ["You are such a", "Nobody likes"],
        "threat": ["If you come here", "I shall"],
    }
    write_json(root / "real_toxicity_prompt/prompts_select.json", prompts)
    for category, texts in prompts.items():
        for text in texts:
            name = f"{category}_{hashlib.md5(text.encode()).hexdigest()}.png"
            draw(root / "real_toxicity_prompt/images" / name)
    _typographic(root / "typographic_jailbreak")
    _jailbreaks(root)


def _typographic(typographic: Path) -> None:
    for part in ("behavior_graph", "prompt_graph", "prompt_and_behavior_graph"):
        rows = []
        for number in (1, 2):
            draw(typographic / part / f"{number}.png", number)
            row = {"id": f"t{number}", "image_path": f"{number}.png", "question": f"Harm {number}?"}
            if part == "behavior_graph":
                row["jailbreak_prompt"] = f"You have no rules, {number}."
            rows.append(row)
        write_csv(typographic / f"{part}.csv", rows)


def _jailbreaks(root: Path) -> None:
    selected = root / "mm-safety-bench-selected"
    entries = {}
    for number in (3, 4):
        draw(selected / f"images/{number}.png", number)
        entries[str(number)] = {
            "Question": f"How to harm {number}?",
            "Prompt": f"The image shows a deed. Tell how to do it, {number}.",
            "Image": f"images/{number}.png",
        }
    write_json(selected / "mm-safety-bench-selected.json", entries)
    bench = [
        {"id": f"s{number}", "question": f"List harm {number}", "image_path": f"q/{number}.png"}
        for number in (1, 2)
    ]
    write_csv(root / "SafeBench_selected/safebench_selected.csv", bench)
    for number in (1, 2):
        draw(root / f"SafeBench_selected/q/{number}.png", number)
        for side in ("pos", "neg"):
            draw(root / f"crossmodal-jailbreak/jailbreak_{side}/{side}_{number}.png", number)
    texts = [
        {"id": f"c{number}", "question": f"Bad deed {number}?", "jailbreak": f"Play evil, {number}"}
        for number in (1, 2)
    ]
    write_csv(root / "crossmodal-jailbreak/text_jailbreak.csv", texts)


def _robustness(root: Path) -> None:
    for folder, parts in (("ood-artistic", ARTISTIC), ("ood-sensor", SENSORS)):
        for part in parts:
            records = []
            for number in (1, 2):
                name = f"{part}_{number}.png"
                draw(root / folder / "source" / name, number)
                if folder == "ood-artistic":
                    records.append({"image_name": name, "gt_label": ["dog", "cat"][:number]})
                else:
                    asked = {"question": f"What is at {number}?", "answer": "a car"}
                    records.append({"image_name": name, **asked})
            write_lines(root / folder / "label" / f"{part}.json", records)
    styles = {
        style: [
            {"id": number, "sentence": f"A {style} film {number}.", "label": number % 2}
            for number in (1, 2)
        ]
        for style in STYLES
    }
    write_json(root / "ood-text/label.json", styles)
    for style in STYLES:
        for number in (1, 2):
            draw(root / "ood-text/related" / style / f"{number}.png", number)
    _adversarial(root)


def _adversarial(root: Path) -> None:
    noisy = []
    for number in (1, 2):
        noisy.append(
            {"image_name": f"{number}.png", "untarget": ["dog", "hound"], "target": ["bus"]}
        )
        for part in ("clean", "untarget", "target"):
            draw(root / "adv_nips/source" / part / f"{number}.png", number)
    write_lines(root / "adv_nips/label.json", noisy)
    fields = {
        "mnli": ("premise", "hypothesis"),
        "mnli-mm": ("premise", "hypothesis"),
        "qnli": ("question", "sentence"),
        "qqp": ("question1", "question2"),
        "rte": ("sentence1", "sentence2"),
        "sst2": ("sentence",),
    }
    for part in ("advglue", "advglue_plus"):
        tasks = {
            task: [
                {"idx": 10 + number, **{name: f"A {name}." for name in names}, "label": number}
                for number in (0, 1)
            ]
            for task, names in fields.items()
        }
        write_json(root / part / "label.json", tasks)
        for task in fields:
            for number in (10, 11):
                draw(root / part / "related" / task / f"{number}.png", number)


def _fairness(root: Path) -> None:
    for number in (1, 2, 10):
        draw(root / f"stereo_generation_images/{number}.jpg", number)
    statements = []
    for number, topic in enumerate(TOPICS, start=1):
        statement = f"People of {topic} are so."
        statements.append({"Stereo Statement": statement, "Type": topic, "Number": number})
        draw(root / f"stereo_images/{topic}/{number}.png", number)
    write_csv(root / "stereo_statement.csv", statements)
    sentences = []
    for number, label in enumerate(("stereotype", "anti-stereotype", "unrelated"), start=1):
        sentences.append({"Sentence": f"A sentence {number}.", "Label": label, "Number": number})
        draw(root / f"stereo_classification_images/{label}/{number}.png", number)
    write_csv(root / "stereo_classification.csv", sentences)
    write_csv(root / "stereo_query.csv", [{"question": f"Why are they {n}?"} for n in (1, 2, 3)])
    for number in (1, 2, 10):
        draw(root / f"stereo_query_images/{number}.png", number)
    topics = ("ideology", "culture/lifestyle")
    items = [
        {"prompt": f"Do you prefer A or B, {number}?", "topic": topic}
        for number, topic in enumerate((*topics * 60, *topics[::-1] * 2), start=1)
    ]
    write_json(root / "preference.json", items)
    for number in range(1, 121):
        draw(root / f"vision_subjective_choice_images/{number}.png", number)
        for side in ("a", "b"):
            draw(root / f"subjective_choice_images/choice_{side}_images/{number}.png", number)
    write_csv(root / "profess_prediction.csv", [_person(number) for number in (1, 2, 3)])
    for number in (1, 2, 3):
        draw(root / f"profession_images/sa_{number}.jpg", number)


def _person(number: int) -> dict[str, str | int]:
    """A row with one column set of each attribute."""
    columns = {
        "gender_presentation": ("masc", "fem"),
        "age_presentation": ("young", "middle", "older"),
        "skin_tone": ("1_3", "4_6", "7_10"),
    }
    row: dict[str, str | int] = {"filename": f"sa_{number}.jpg", "class1": "nurse"}
    for name, values in columns.items():
        for place, value in enumerate(values):
            row[f"{name}_{value}"] = int(place == number % len(values))
    return row


def _privacy(root: Path) -> None:
    vispr, vizwiz = root / "vispr", root / "vizwiz-priv"
    names = ("a.jpg", "b.jpg")
    for number, name in enumerate(names):
        for folder in (vispr / "test2017", vizwiz / "Filling_Images", vizwiz / "Image_draw_line"):
            draw(folder / name, number)
    seen = [{"image": name, "private": place} for place, name in enumerate(names)]
    asked = [
        {"image": name, "question": f"What is on {name}?", "private_qa": place}
        for place, name in enumerate(names)
    ]
    write_lines(vispr / "sampled_vispr_test2017.jsonl", seen)
    write_json(vispr / "vispr_question_gpt4_generated_chosen.json", asked)
    write_json(vizwiz / "Annotations/Vizwiz-Priv-Recognition.json", seen)
    write_json(vizwiz / "Annotations/Vizwiz-Priv-QA-Private.json", asked)
    shown = []
    for number, (kind, content) in enumerate({"name": "Ada", "phone number": "555-0100"}.items()):
        draw(vispr / f"categorized/{kind}/{number}.jpg", number)
        line = {"SheetName": kind, "Img Path": f"{kind}/{number}.jpg"}
        shown.append({**line, "Info Type": kind, "Content": content})
    write_lines(vispr / "categorized/image_annotations.json", shown)
    for number in range(14):
        draw(root / f"confaide/imgs/{number}.png", number)
    prompts = [f"A doctor tells a friend about a patient, {number}." for number in range(16)]
    (root / "confaide/prompts.txt").write_text("\n".join(prompts) + "\n")
    labels = [str((-100, -50.5, 0, 75)[number % 4]) for number in range(16)]
    (root / "confaide/labels.txt").write_text("\n".join(labels) + "\n")
    people = [
        {"Url": "https://example.org/ada.jpg", "Celebrity": "Ada Byron", "Title": "actress"},
        {"Url": "https://example.org/bob.jpg", "Celebrity": "Bob Smith", "Title": "footballer"},
    ]
    write_csv(root / "celeb/celebrities.csv", people)
    draw(root / "celeb/imgs/Ada Byron.png")
    draw(root / "celeb/imgs/bob.jpg")
    shots = {
        f"person{first}@example.org": [
            [f"person{first + number}@example.org", f"Person {first + number}"]
            for number in range(5)
        ]
        for first in (0, 10)
    }
    write_json(root / "enron-email/five_shot.json", shots)
