"""ChEF's helpers one by one, and its metrics on answers that are there already."""

import json
import os
import tempfile

from ChEF.metric import build_metric
from ChEF.metric.utils import (
    Cleaner,
    cal_iou,
    cal_iou_3d,
    check_inside_bbox,
    ennum2numerical,
    parse_bbox,
    parse_caption_sentence,
    parse_keypoints,
    parse_kosmos_bbox,
)
from ChEF.metric.vqa import Answer_Extractor
from ChEF.scenario.vqa_dataset import ScienceQADataset

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def plain(value):
    """Lists of floats, whatever kind of array a helper gives."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def helpers():
    clean = Cleaner().clean
    return {
        "clean": [
            clean(text)
            for text in [
                "The (two) dogs, and a cat!",
                "black-and-white.",
                "dog-like - fish",
                "3.5 cats.",
                "None",
            ]
        ],
        "number": [
            ennum2numerical(text)
            for text in [
                "There are twenty birds",
                "I see 3 dogs and 4 cats",
                "No 5",
                "many of them",
                "3.",
            ]
        ],
        "bbox": [
            plain(parse_bbox(text))
            for text in [
                "at [0.1, 0.2, 0.3, 0.4] and (0.5, 0.6, 0.7, 0.8)",
                "from 0.1 0.2 to 0.3 0.4",
                "[0.3, 0.4, 0.1, 0.2]",
                "[0.3, 0.2, 0.1, 0.4]",
            ]
        ],
        "kosmos": plain(parse_kosmos_bbox("<object><patch_index_0033><patch_index_0100></object>")),
        "keypoints": plain(parse_keypoints("the left one [0.1, 0.2]")),
        "inside": [
            bool(check_inside_bbox([[0.2, 0.2]], [0.1, 0.1, 0.3, 0.3])),
            bool(check_inside_bbox([[0.1, 0.2]], [0.1, 0.1, 0.3, 0.3])),
        ],
        "iou": float(cal_iou([0, 0, 2, 2], [1, 1, 3, 3])),
        "iou_3d": float(cal_iou_3d([0, 0, 0, 2, 2, 2], [1, 0, 0, 2, 2, 2])),
        "caption": [
            parse_caption_sentence('It says "a red car" here'),
            parse_caption_sentence("a red car"),
        ],
    }


def options():
    extractor = Answer_Extractor()
    choices = ["red", "blue", "green"]
    return [
        plain(extractor.fetch_answer(text, choices))
        for text in [
            "(B)",
            "The answer is B.",
            "blue",
            "it looks blue to me",
            "it is neither",
            "(A) or (B)",
        ]
    ]


def metric(metric_type, dataset_name, answers, **kwargs):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "answers.json")
        with open(path, "w") as f:
            json.dump(answers, f)
        return build_metric(metric_type=metric_type, dataset_name=dataset_name, **kwargs).metric(
            path
        )


def metrics():
    return {
        "counting": metric(
            "basic",
            "FSC147",
            [
                {"id": "0", "answer": "I count 3 of them.", "gt_answers": 3},
                {"id": "1", "answer": "seven", "gt_answers": 5},
                {"id": "2", "answer": "There are nine", "gt_answers": 4},
            ],
            inference_type="direct",
        ),
        "vqa": metric(
            "basic",
            "ScienceQA",
            [
                {"id": "0", "answer": "(A", "choices": ["red", "blue"], "gt_choice": 0},
                {"id": "1", "answer": "(B", "choices": ["red", "blue"], "gt_choice": 0},
            ],
        ),
        "mme": metric(
            "basic",
            "MME",
            [
                {
                    "id": "0",
                    "answer": "Yes",
                    "gt_answers": "Yes",
                    "image_path": "a.png",
                    "task_type": "color",
                },
                {
                    "id": "1",
                    "answer": "No",
                    "gt_answers": "No",
                    "image_path": "a.png",
                    "task_type": "color",
                },
                {
                    "id": "2",
                    "answer": "Yes",
                    "gt_answers": "Yes",
                    "image_path": "b.png",
                    "task_type": "color",
                },
                {
                    "id": "3",
                    "answer": "Yes",
                    "gt_answers": "No",
                    "image_path": "b.png",
                    "task_type": "color",
                },
            ],
        ),
        "pope": metric(
            "Hallucination",
            "POPE_COCO_random",
            [
                {"id": "0", "answer": "Yes", "gt_answers": "yes"},
                {"id": "1", "answer": "Yes", "gt_answers": "no"},
                {"id": "2", "answer": "No", "gt_answers": "no"},
                {"id": "3", "answer": "No", "gt_answers": "yes"},
                {"id": "4", "answer": "Yes", "gt_answers": "yes"},
            ],
        ),
    }


def scenario():
    dataset = ScienceQADataset(base_data_path=os.path.join(HERE, "data", "science"))
    item = dataset[0]
    return {
        "length": len(dataset),
        "task_name": dataset.task_name,
        "dataset_name": dataset.dataset_name,
        "question": item["question"],
        "options": item["options"],
        "gt_answers": item["gt_answers"],
    }


if __name__ == "__main__":
    print(
        json.dumps(
            {
                "helpers": helpers(),
                "options": options(),
                "metrics": metrics(),
                "scenario": scenario(),
            }
        )
    )
