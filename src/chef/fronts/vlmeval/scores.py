"""Functions of ``vlmeval.dataset.utils``: scores of yes/no and of free answers by its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from chef.common.options import list_literal
from chef.fronts.vlmeval.files import prediction_table
from chef.metric import METRICS
from chef.metric.vlmevalkit import scores as rules
from chef.metric.vlmevalkit.table import default_rating as rating_of
from chef.metric.vlmevalkit.table import mme_rating, pope_rating, vsr_rating
from chef.metric.vqa import open_answers
from chef.reading.rules.vlmevalkit import yes_no
from chef.reading.rules.vqa_normal import process_answer
from chef.stats.estimate import Estimate

#: How often a judge is asked whether an answer says yes or no.
_TRIES = 5
_PROMPT = (
    "Does this answer to the question say yes or no? Reply with Yes, No or Unknown.\n"
    "Question: {question}\nAnswer: {answer}"
)


def _metric(name: str) -> Any:
    return METRICS.get(name, compat="vlmevalkit")(name)


def YOrN_Extraction(output: str) -> Literal["Yes", "No", "Unknown"]:  # noqa: N802 (VLMEvalKit's name)
    """What an answer says, by VLMEvalKit's rule."""
    return yes_no(output)


def YOrN_auxeval(model: Any, line: Mapping[str, Any]) -> str:  # noqa: N802 (as above)
    """What a judge says that the answer of a row says; ``Unknown`` after five replies."""
    prompt = _PROMPT.format(question=line["question"], answer=line["prediction"])
    for attempt in range(_TRIES):
        reply = model.generate(prompt, temperature=0.5 * attempt)
        if (found := yes_no(str(reply))) != "Unknown":
            return found
    return "Unknown"


def MME_rating(data_file: str) -> Any:  # noqa: N802 (as above)
    """Perception, reasoning and the score of each category, as a frame of one row."""
    return _rated(data_file, mme_rating, pairs=True)


def POPE_rating(data_file: str) -> Any:  # noqa: N802 (as above)
    """F1 (``Overall``), accuracy, precision and recall in %, as a frame of a row a category."""
    import pandas as pd

    found = pope_rating(_records(data_file))
    whole = {name: item for name, item in found.items() if isinstance(item, Estimate)}
    parts = {"Overall": whole, **{key: found[key] for key in found if key not in whole}}
    return pd.DataFrame([{"split": name, **_values(part)} for name, part in parts.items()])


def Hallusion_rating(data_file: str) -> Any:  # noqa: N802 (as above)
    """``aAcc``, ``fAcc`` and ``qAcc`` in %, as a frame of one row."""
    return _rated(data_file, _metric("HallusionBench").metric_func)


def AMBER_rating(data_file: str) -> Any:  # noqa: N802 (as above)
    """The mean of the kinds' accuracies, and each of them, in %, as a frame of one row."""
    return _rated(data_file, _metric("AMBER").metric_func)


def VSR_rating(data_file: str) -> Any:  # noqa: N802 (as above)
    """Precision, recall and accuracy in %, F1 in 0..1, as a frame of one row."""
    return _rated(data_file, vsr_rating)


def default_rating(data_file: str) -> Any:
    """The share of right answers in %, overall and of each category, as a frame of one row."""
    return _rated(data_file, rating_of)


def _rated(
    data_file: str, rating: Callable[[list[dict[str, Any]]], Mapping[str, Any]], **how: bool
) -> Any:
    import pandas as pd

    return pd.DataFrame([_values(rating(_records(data_file, **how)))])


def _values(figures: Mapping[str, Any]) -> dict[str, float | None]:
    return {name: item.value for name, item in figures.items() if isinstance(item, Estimate)}


def _records(data_file: str, *, pairs: bool = False) -> list[dict[str, Any]]:
    """The rows of a file as metrics read them; with ``pairs`` those of one image are one."""
    records = []
    for row in prediction_table(data_file).to_dict("records"):
        said = str(row.get("extracted") or yes_no(row.get("prediction", "")))
        truth = str(row["answer"])
        shown = {"image_path": str(row["image_path"])} if pairs and "image_path" in row else {}
        cells = {str(name): item for name, item in row.items()}
        kind = {"task_type": str(row["category"])} if row.get("category") else {}
        records.append(
            {
                **cells,
                **kind,
                **shown,
                "id": str(row["index"]),
                "parsed": said.lower() if said in {"Yes", "No"} else None,
                "truth": truth.lower(),
                "metric_result": float(said.lower() == truth.lower()),
            }
        )
    return records


def levenshtein_distance(s1: str, s2: str) -> int:
    """How many characters must be inserted, removed or exchanged to make one text the other."""
    return open_answers.levenshtein(s1, s2)


def process_line(line: Mapping[str, Any], method: rules.Method = "vqa_score") -> dict[str, Any]:
    """The references of a row (``gt``), its answer (``pred``) and how well each fits (``match``).

    ``match`` has an item for each reference: whether it fits, for ``anls`` the normalised edit
    distance, for ``vqa_score`` the score with that reference left out.

    >>> process_line({"answer": "['red', 'blue']", "prediction": "Red"}, "accuracy")["match"]
    [1.0, 0.0]
    """
    answer = str(line["answer"])
    references = list_literal(answer) if answer.startswith("[") else None
    texts = [answer] if references is None else [str(item) for item in references]
    pred = str(line["prediction"]).strip()
    if method == "vqa_score":
        match = _left_out(pred, texts)
    elif method == "anls":
        match = [1 - rules.anls(pred, [text], threshold=0.0) for text in texts]
    else:
        match = [rules.SCORES[method](pred, [text]) for text in texts]
    return {"gt": texts, "pred": pred, "match": match}


def _left_out(pred: str, references: Sequence[str]) -> list[float]:
    """For each reference the share of three others that the answer equals, at most 1."""
    equal = [process_answer(text) == process_answer(pred) for text in references]
    return [min(1.0, (sum(equal) - own) / 3) for own in equal]


def hit_calculate(
    result: Sequence[Mapping[str, Any]],
    dataset_name: str,
    anls_threshold: float = rules.ANLS_THRESHOLD,
) -> list[float]:
    """The score in 0..1 of each row of `process_line`, as its data set combines references."""
    method = rules.method_of(dataset_name)
    matches = [list(map(float, row["match"])) for row in result]
    if method == "anls":
        scores = [1 - min(match) for match in matches]
        return [0.0 if score < anls_threshold else score for score in scores]
    if method == "relaxed_accuracy" or "OCRVQA" in dataset_name:
        return [max(match) for match in matches]
    return [sum(match) / len(match) for match in matches]
