"""Functions of ``vlmeval.dataset.utils``: answers read, judged and scored by its rules."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Any, Literal

from chef.common.circular import circular_group
from chef.common.options import list_literal
from chef.errors import ChefError
from chef.fronts.vlmeval.files import prediction_table
from chef.fronts.vlmeval.misc import build_option_str
from chef.metric import METRICS
from chef.metric.vlmevalkit import scores as rules
from chef.metric.vlmevalkit.table import accuracy_table, mme_rating, pope_rating, vsr_rating
from chef.metric.vlmevalkit.table import default_rating as rating_of
from chef.metric.vqa import open_answers
from chef.metric.vqa.hallusionbench import hallusion_place
from chef.reading.rules.vlmevalkit import NONE_OF_THEM, can_infer, yes_no
from chef.reading.rules.vqa_normal import process_answer
from chef.scenario.hooks.vlmevalkit.files import as_indices, index_text, is_missing
from chef.stats.estimate import Estimate

#: How often a judge is asked about an answer.
_TRIES = 3
_PROMPT = (
    "Which option did this answer choose? Reply with its letter alone, and with Z where it chose "
    "none of them.\nQuestion: {question}\n{options}Answer: {answer}"
)


def choices_of(item: Mapping[str, Any]) -> dict[str, str]:
    """The options of a row by their letters; empty cells are none."""
    return {
        label: str(item[label])
        for label in string.ascii_uppercase
        if label in item and not is_missing(item[label])
    }


def prefetch_answer(item: Mapping[str, Any]) -> str | None:
    """The option that the prediction of a row names by VLMEvalKit's rules; None for none.

    >>> prefetch_answer({"prediction": "(B)", "A": "cat", "B": "dog"})
    'B'
    """
    return can_infer(item["prediction"], choices_of(item))


def extract_answer_from_item(
    model: Any, item: Mapping[str, Any], dataset_name: str | None = None
) -> dict[str, str]:
    """The option of a row by the rules, else by a judge: ``opt`` (``Z`` for none) and ``log``.

    Nothing is drawn at random where three replies of the judge cannot be read.
    """
    del dataset_name
    choices = choices_of(item)
    if (option := can_infer(item["prediction"], choices)) is not None:
        return {"opt": option, "log": str(item["prediction"])}
    if model is None:
        return {"opt": NONE_OF_THEM, "log": "No rule reads the answer, and there is no judge."}
    prompt = _PROMPT.format(
        question=item["question"], options=build_option_str(choices), answer=item["prediction"]
    )
    reply = ""
    for _ in range(_TRIES):
        reply = str(model.generate(prompt))
        if (option := can_infer(reply, choices)) is not None:
            return {"opt": option, "log": reply}
    return {"opt": NONE_OF_THEM, "log": f"The judge's replies name no option: {reply}"}


def eval_vanilla(
    model: Any, item: Mapping[str, Any], dataset_name: str | None = None
) -> dict[str, Any]:
    """``hit`` (1 or 0) and ``log`` of a row with its right letter in ``GT`` or ``answer``."""
    answer = extract_answer_from_item(model, item, dataset_name)
    truth = item["GT"] if "GT" in item else item["answer"]
    return {"hit": int(answer["opt"] == truth), "log": f"{answer['log']}. "}


def eval_circular_group(
    model: Any, sub_data: Any, dataset_name: str | None = None
) -> dict[str, Any]:
    """``hit`` and ``log`` of a question's rotations: all right or 0; judged until one fails."""
    rows = [dict(row) for row in sub_data.to_dict("records")]
    truths = [row["GT"] if "GT" in row else row["answer"] for row in rows]
    read = [prefetch_answer(row) for row in rows]
    for option, truth in zip(read, truths, strict=True):
        if option is not None and option != truth:
            return {"hit": 0, "log": f"A rotation chose {option}, and {truth} is right."}
    for row, option, truth in zip(rows, read, truths, strict=True):
        if option is None:
            answer = extract_answer_from_item(model, row, dataset_name)
            if answer["opt"] != truth:
                return {"hit": 0, "log": answer["log"]}
    return {"hit": 1, "log": "Every rotation is right."}


def mcq_vanilla_eval(  # noqa: PLR0917 (VLMEvalKit's order)
    model: Any,
    data: Any,
    meta: Any,
    nproc: int = 4,
    result_file: str | None = None,
    dataset_name: str | None = None,
) -> Any:
    """The rows (a pandas frame) with ``hit`` and ``log``, each scored alone by ``meta``."""
    from chef.scenario.hooks.vlmevalkit.helpers import track_progress_rich

    rows = _with_truths(data, meta)
    tasks = [(model, row, dataset_name) for row in rows]
    keys = [row["index"] for row in rows]
    scored = track_progress_rich(eval_vanilla, tasks, nproc=nproc, save=result_file, keys=keys)
    return data.assign(hit=[item["hit"] for item in scored], log=[item["log"] for item in scored])


def mcq_circular_eval(  # noqa: PLR0917 (VLMEvalKit's order)
    model: Any,
    data: Any,
    meta: Any,
    nproc: int = 4,
    result_file: str | None = None,
    dataset_name: str | None = None,
) -> Any:
    """The main row of each question with ``hit`` and ``log`` of its rotations; see above.

    Rows are read in the order of their indices. A question without its main row is left out, as
    that row carries the score.
    """
    import pandas as pd

    from chef.scenario.hooks.vlmevalkit.helpers import track_progress_rich

    parts = _questions(pd.DataFrame(_with_truths(data, meta)))
    tasks = [(model, part, dataset_name) for part in parts]
    keys = [part["index"].iloc[0] for part in parts]
    scored = track_progress_rich(
        eval_circular_group, tasks, nproc=nproc, save=result_file, keys=keys
    )
    first = pd.DataFrame([part.iloc[0] for part in parts]).drop(columns="GT")
    return first.assign(hit=[item["hit"] for item in scored], log=[item["log"] for item in scored])


def _questions(table: Any) -> list[Any]:
    """The rows of each question that has its main row, by index, so that the main row is first."""
    texts = list(map(index_text, table["index"]))
    cells = map(index_text, table["g_index"]) if "g_index" in table else repeat("")
    names = [circular_group(*pair, is_circular=True) for pair in zip(texts, cells, strict=False)]
    indices, groups = as_indices(texts), dict[str | None, list[int]]()
    for place in sorted(range(len(texts)), key=indices.__getitem__):
        groups.setdefault(names[place] or texts[place], []).append(place)
    return [table.iloc[places] for name, places in groups.items() if texts[places[0]] == name]


def _with_truths(data: Any, meta: Any) -> list[dict[str, Any]]:
    """The rows with the right letter of the data set in ``GT``; `ChefError` for an unknown row."""
    truths = dict(zip(map(str, meta["index"]), meta["answer"], strict=True))
    rows: list[dict[str, Any]] = data.to_dict("records")
    if lacking := [row["index"] for row in rows if str(row["index"]) not in truths]:
        raise ChefError(
            f"the data set has no row '{lacking[0]}'",
            hint="evaluate the answers with the table that they were asked from",
        )
    return [{**row, "GT": truths[str(row["index"])]} for row in rows]


def extract_characters_regex(
    s: str, choices: Sequence[str] = ("(A)", "(B)", "(C)", "(D)", "(E)")
) -> str:
    """The first letter A to E that stands alone in a short answer, or of the choice it repeats.

    What introduces it ("the answer is") does not count. Empty for none.

    >>> extract_characters_regex("The best answer is: (C)"), extract_characters_regex("none")
    ('C', '')
    """
    text = re.sub(r"(?i)\b(?:the )?(?:best |correct )?(?:answer|option)(?: is)?\b:?", "", s.strip())
    if match := re.search(r"(?<![A-Za-z])[A-E](?![A-Za-z])", text):
        return match[0]
    named = [choice for choice in choices if choice.lower() in text.lower()]
    return re.sub(r"[^A-E]", "", named[0])[:1] if named else ""


def report_acc_MMT(df: Any) -> Any:  # noqa: N802 (VLMEvalKit's name)
    """As `report_acc`, with a row ``ALL``: an l2-category is the mean of its categories there."""
    return _accuracies(df, "MMT-Bench")


def report_acc_MMSci(df: Any) -> Any:  # noqa: N802 (VLMEvalKit's name)
    """As `report_acc`, with a column for each ``setting``."""
    return _accuracies(df, "MMSci")


def _accuracies(df: Any, dataset_name: str) -> Any:
    import pandas as pd

    return pd.DataFrame(accuracy_table(_rows(df), "hit", dataset_name))


def report_acc_MMVP(df: Any) -> Any:  # noqa: N802 (VLMEvalKit's name)
    """The share of the pairs of rows, in the order of their indices, of which both are right."""
    import pandas as pd

    hits = list(df.sort_values("index")["hit"])
    pairs = [bool(one and two) for one, two in zip(hits[::2], hits[1::2], strict=False)]
    mean = sum(pairs) / len(pairs) if pairs else None
    return pd.DataFrame([{"split": "none", "Overall": mean}])


def get_dimension_rating(data_path: str) -> dict[str, float]:
    """The accuracy of each category in a file of scored rows, in 0..1, and overall."""
    table = prediction_table(data_path)
    column = "hit" if "hit" in table else "score"
    found = {"overall": float(table[column].mean())}
    if "category" in table:
        means = table.groupby("category", sort=True)[column].mean()
        found |= {str(name): float(mean) for name, mean in means.items()}
    return found


def can_infer_sequence(answer: str, choices: Mapping[str, object] | None = None) -> str | None:
    """The only run of two or more different capitals of a text, as an order of options.

    >>> can_infer_sequence("The order is BDAC."), can_infer_sequence("none")
    ('BDAC', None)
    """
    known = set(choices or string.ascii_uppercase[:8])
    runs = {run for run in re.findall(r"\b[A-Z]{2,}\b", answer) if set(run) <= known}
    found = [run for run in runs if len(set(run)) == len(run)]
    return found[0] if len(found) == 1 else None


def can_infer_lego(answer: str, question_type: str, choices: Mapping[str, object]) -> str | None:
    """The option, or for questions of the type ``sort`` the order, that an answer names."""
    if question_type == "sort":
        return can_infer_sequence(answer, choices)
    return can_infer(answer, choices)


#: How often a judge is asked whether an answer says yes or no.
_YES_NO_TRIES = 5
_YES_NO_PROMPT = (
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
    prompt = _YES_NO_PROMPT.format(question=line["question"], answer=line["prediction"])
    for attempt in range(_YES_NO_TRIES):
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
    figures = _metric("HallusionBench").metric_func
    return _rated(
        data_file,
        lambda rows: figures([{**row, "place": hallusion_place(row)} for row in rows]),
    )


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
    for row in _rows(prediction_table(data_file)):
        said = str(row.get("extracted") or yes_no(row.get("prediction", "")))
        truth = str(row.get("answer", ""))
        shown = {"image_path": str(row["image_path"])} if pairs and "image_path" in row else {}
        kind = {"task_type": str(row["category"])} if row.get("category") else {}
        records.append(
            {
                **row,
                **kind,
                **shown,
                "id": str(row["index"]),
                "parsed": said.lower() if said in {"Yes", "No"} else None,
                "truth": truth.lower(),
                "metric_result": float(said.lower() == truth.lower()),
            }
        )
    return records


def _rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a frame without their empty cells."""
    return [
        {str(name): cell for name, cell in row.items() if not is_missing(cell)}
        for row in frame.to_dict("records")
    ]


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
    pred = str(line["prediction"])
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
