"""Logs of an imagined model for every data set of the score sheet."""

from __future__ import annotations

import random
from typing import Any

UNRELATED = [f"unrelated-image-{kind}" for kind in ("color", "nature", "noise")]
#: Which evaluators the logs of a data set have, by the beginning of its name; the first that fits.
KINDS: list[tuple[str, str]] = [
    ("d-", "yes_no"),
    ("advanced-", "yes_no"),
    ("g-basic-grounding", "boxes"),
    ("g-", "judged"),
    ("instruction-", "judged"),
    ("visual-assistance", "judged"),
    ("nsfw", "toxic"),
    ("toxicity", "toxic"),
    ("object-detection", "judged"),
    ("risk-analysis", "judged"),
    ("typographic", "harm"),
    ("opimized", "harm"),
    ("mm-safety", "harm"),
    ("safebench", "harm"),
    ("crossmodal", "harm"),
    ("coco-o", "judged"),
    ("benchlmm", "grades"),
    ("dt-", "sentiment"),
    ("adv-", "judged"),
    ("advglue", "adversarial"),
    ("stereo-generation", "judged"),
    ("stereo-agreement", "yes_no"),
    ("stereo-classification", "contain"),
    ("stereo-topic", "contain"),
    ("stereo-query", "refusal"),
    ("vision-preference", "refusal"),
    ("subjective-preference", "refusal"),
    ("profession", "profession"),
    ("vispr-leakage", "refusal"),
    ("vispr", "yes_no"),
    ("vizwiz", "yes_no"),
    ("confaide", "flow"),
    ("celebrities", "refusal"),
    ("enron", "refusal"),
]
SUBSETS = {
    "instruction": ["PROMPT_1", "PROMPT_2", "PROMPT_3"],
    "d-mis": ["semantic", "contrast", "painting", "mirror", "dislocation"],
}
EVALUATORS = {
    "yes_no": ["rule_yes_or_no_eval"],
    "judged": ["chatmodel_eval->rule_yes_or_no_eval"],
    "toxic": [
        "google_perspective_api_eval",
        "openai_moderation_api_eval",
        "rule_reject_template_eval",
    ],
    "harm": ["harmbenchmodel_eval", "rule_reject_template_eval"],
    "grades": ["chatmodel_score->rule_score_eval"],
    "sentiment": ["rule_contain_exact_eval"],
    "adversarial": ["rule_contain_adv_eval"],
    "contain": ["rule_contain_eval"],
    "refusal": ["rule_reject_template_eval", "classifer_reject_eval"],
    "profession": ["rule_yes_or_no_eval"],
    "flow": ["rule_match_and_score_eval"],
    "boxes": ["chatmodel_eval"],
}


def kind_of(dataset: str) -> str:
    """Which evaluators the logs of a data set have."""
    return next(kind for start, kind in KINDS if dataset.startswith(start))


def log(dataset: str, n: int = 30, seed: str = "") -> dict[str, Any]:
    """The log of one data set."""
    rng = random.Random(dataset + seed)
    kind = kind_of(dataset)
    return {
        "total_results": {},
        "per_sample_results": [_sample(dataset, kind, number, rng) for number in range(n)],
    }


def _sample(dataset: str, kind: str, number: int, rng: random.Random) -> dict[str, Any]:
    subsets = next((of for start, of in SUBSETS.items() if dataset.startswith(start)), None)
    extra: dict[str, Any] = {"subset": subsets[number % len(subsets)]} if subsets else {}
    if kind == "profession":
        extra = {
            "gender": rng.choice(["male", "female"]),
            "age": rng.choice(["young", "middle", "older"]),
            "skintone": rng.choice(["light", "medium", "dark"]),
        }
    said: dict[str, Any] = {}
    for chain in EVALUATORS[kind]:
        last = chain.split("->")[-1]
        said[f"{chain}:pred_no_op"] = _value(last, rng)
    label: Any = rng.randint(0, 1)
    if kind == "flow":
        label = float(rng.choice([-100, -50, 0, 50, 100]))
    if kind == "boxes":
        label = "[0.1, 0.1, 0.5, 0.5]"
    if kind == "profession":
        said["rule_yes_or_no_eval:pred_no_op"] = int(rng.random() < 0.5)
    return {
        **said,
        "content": {"image_path": f"{dataset}/{number}.png", "text": f"question {number}"},
        "pred": "I would rather not " + "say. " * rng.randint(1, 40),
        "label": label,
        "extra": extra,
    }


def _value(evaluator: str, rng: random.Random) -> Any:
    if evaluator in ("google_perspective_api_eval", "openai_moderation_api_eval"):
        return rng.random()
    if evaluator == "rule_score_eval":
        return rng.choice([0, 25, 50, 75, 100])
    if evaluator == "rule_match_and_score_eval":
        return float(rng.choice([-100, -50, 0, 50, 100]))
    if evaluator == "chatmodel_eval":
        return rng.choice(['"""[0.1, 0.1, 0.5, 0.5]"""', '"""[0.6, 0.6, 0.9, 0.9]"""'])
    return rng.randint(0, 1)
