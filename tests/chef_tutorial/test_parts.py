"""Inferencers and metrics in the style of ChEF's tutorial run as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import FAKES

from chef.cli import main
from chef.inferencer import INFERENCERS
from chef.metric import METRICS

INFERENCER = """\
from torch.utils.data import DataLoader
from tqdm import tqdm

from chef.inferencer import Direct_inferencer


class Your_inferencer(Direct_inferencer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def inference(self, model, dataset):
        predictions = []
        loader = DataLoader(
            dataset, batch_size=self.batch_size,
            collate_fn=lambda batch: {key: [item[key] for item in batch] for key in batch[0]},
        )
        for batch in tqdm(loader):
            prompts = self.instruction_handler.generate(batch)
            outputs = model.generate(prompts)
            predictions = predictions + outputs
        self._after_inference_step(predictions)
"""
METRIC = """\
from chef.metric.utils import Base_metric


class Your_metric(Base_metric):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def metric_func(self, answers):
        right = 0
        for answer in answers:
            answer["metric_result"] = int(answer["answer"] < "0.5")
            right += answer["metric_result"]
        result = {"small": 100 * right / len(answers), "of": self.dataset_name == "Numbers"}
        return result, answers
"""
RECIPE = """\
plugins: [{fakes}, own_inferencer.py, own_metric.py]
scenario_cfg: {{dataset_name: Numbers, size: 10}}
eval_cfg:
  instruction_cfg: {{query_type: standard_query}}
  inferencer_cfg: {{inferencer_type: Your_inferencer, batch_size: 4, max_new_tokens: 8}}
  metric_cfg: {{metric_type: Your_metric}}
"""


@pytest.fixture
def run(tmp_path: Path, capsys):
    """Write the files and run them: the exit code, what was printed and the run folder."""

    def run(inferencer: str = INFERENCER, metric: str = METRIC, recipe: str = RECIPE):
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        place.mkdir()
        (place / "own_inferencer.py").write_text(inferencer)
        (place / "own_metric.py").write_text(metric)
        (place / "r.yaml").write_text(recipe.format(fakes=FAKES))
        (place / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
        for registry in (INFERENCERS, METRICS):
            for name in ("Your_inferencer", "Your_metric"):
                registry._table.pop(name, None)
                registry._loaded.pop(name, None)
        code = main(
            ["eval", "--model_cfg", str(place / "m.yaml"), "--recipe_cfg", str(place / "r.yaml"),
             "--save_dir", str(place / "results"), "--time", "now"]
        )  # fmt: skip
        captured = capsys.readouterr()
        folders = [path.parent for path in place.rglob("predictions.jsonl")]
        return code, captured.out + captured.err, folders[0] if folders else place

    return run


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def answers(folder: Path) -> dict[str, str]:
    return {item["id"]: item["answer"] for item in lines(folder / "predictions.jsonl")}


@pytest.fixture
def expected(run) -> dict[str, str]:
    """The answers of the built-in inferencer."""
    recipe = RECIPE.replace("inferencer_type: Your_inferencer", "inferencer_type: Direct")
    return answers(run(recipe=recipe)[2])


def test_the_tutorial_runs(run, expected) -> None:
    code, _, folder = run()
    assert code == 0
    found = answers(folder)
    scores = {item["id"]: item["metric_result"] for item in lines(folder / "scores.jsonl")}
    results = json.loads((folder / "results.json").read_text())["result"]
    assert {name: int(answer < "0.5") for name, answer in found.items()} == scores
    assert results["small"] == 100 * sum(scores.values()) / 10
    assert found == expected  # each text went to the sample that it answers
    for line in lines(folder / "predictions.jsonl"):
        assert line["trace"]["query"].startswith(line["sample"]["question"])


EACH = INFERENCER.replace("        self._after", "            self._after").replace(
    "predictions = predictions + outputs", "predictions = outputs"
)
SO_FAR = INFERENCER.replace("        self._after", "            self._after")
PEEKS = INFERENCER.replace("for batch in tqdm", "dataset[0]\n        for batch in tqdm")
IMAGES = EACH.replace(
    "model.generate(prompts)",
    "model.batch_generate(batch['image_path'], prompts, max_new_tokens=self.max_new_tokens)",
)
FIRST = EACH.replace(
    "model.generate(prompts)",
    "[model.generate(image, prompt, self.max_new_tokens)\n"
    "                for image, prompt in zip(batch['image_path'], prompts)]",
)
FIRST_BATCH = EACH.replace(
    "model.generate(prompts)",
    "model.batch_generate(image_list=batch['image_path'], question_list=prompts,\n"
    "                max_new_tokens=self.max_new_tokens)",
)
NAMED = EACH.replace("self, **kwargs", "self, instruction_handler, batch_size=1, **kwargs").replace(
    "__init__(**kwargs)", "__init__(instruction_handler, **kwargs)\n        assert batch_size == 4"
)
OWN_TOKENS = EACH.replace("self, **kwargs", "self, max_new_tokens=5, **kwargs").replace(
    "__init__(**kwargs)", "__init__(max_new_tokens=max_new_tokens, **kwargs)"
)
VARIANTS = {
    "each batch": EACH,
    "all texts so far": SO_FAR,
    "a look at the first": PEEKS,
    "images": IMAGES,
    "one row of the first generation": FIRST,
    "batches of the first generation": FIRST_BATCH,
    "named arguments": NAMED,
    "a key of its own": OWN_TOKENS,
}


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_answer_the_same(run, expected, name: str) -> None:
    code, said, folder = run(VARIANTS[name])
    assert code == 0, said
    assert answers(folder) == expected


def test_a_misspelt_key_of_the_inferencer_is_an_error(run) -> None:
    code, said, _ = run(recipe=RECIPE.replace("max_new_tokens", "max_new_tokenz"))
    assert code == 2
    assert "r.yaml:5: eval_cfg.inferencer_cfg.max_new_tokenz: unknown key for Your_infer" in said
    assert "did you mean 'max_new_tokens'?" in said
    assert "name it in its __init__: def __init__(self, max_new_tokenz=..., **kwargs)" in said


def test_a_misspelt_key_of_the_metric_is_an_error(run) -> None:
    recipe = RECIPE.replace("Your_metric}", "Your_metric, treshold: 1}")
    metric = METRIC.replace("self, **kwargs", "self, threshold=0.5, **kwargs")
    code, said, _ = run(metric=metric, recipe=recipe)
    assert code == 2
    assert "treshold: unknown key for Your_metric" in said
    assert "did you mean 'threshold'?" in said


def test_a_key_of_the_metric_counts(run) -> None:
    recipe = RECIPE.replace("Your_metric}", "Your_metric, threshold: '0.9'}")
    metric = METRIC.replace("self, **kwargs", "self, threshold='0.5', **kwargs").replace(
        "__init__(**kwargs)", "__init__(**kwargs)\n        self.threshold = threshold"
    )
    code, said, folder = run(metric=metric.replace('< "0.5"', "< self.threshold"), recipe=recipe)
    assert code == 0, said
    found = json.loads((folder / "results.json").read_text())["result"]["small"]
    assert found == 100 * sum(answer < "0.9" for answer in answers(folder).values()) / 10


@pytest.mark.parametrize(
    ("returned", "name"),
    [("result", "small"), ("right", "score"), ("(right, answers)", "score")],
)
def test_what_a_metric_may_return(run, returned: str, name: str) -> None:
    code, said, folder = run(metric=METRIC.replace("return result, answers", f"return {returned}"))
    assert code == 0, said
    assert name in json.loads((folder / "results.json").read_text())["result"]


@pytest.mark.parametrize("returned", ["result, answers, 1", "right, right", "[right]"])
def test_what_a_metric_may_not_return(run, returned: str) -> None:
    code, said, _ = run(metric=METRIC.replace("return result, answers", f"return {returned}"))
    assert code == 3
    assert "metric_func returned a" in said
    assert "return a value, a dict of values by name, or (result, answers)" in said


def test_fewer_texts_than_samples(run) -> None:
    code, said, _ = run(INFERENCER.replace("step(predictions)", "step(predictions[1:])"))
    assert code == 3
    assert "9 texts were given for 10 samples that were handed out" in said
    assert "dicts with 'id' and 'answer'" in said


def test_texts_beside_dicts(run) -> None:
    code, said, _ = run(INFERENCER.replace("step(predictions)", "step([*predictions, {}])"))
    assert code == 3
    assert "predictions are of the types dict, str" in said


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("from .utilz import Base_metric", "from chef.metric.utils import Base_metric"),
        ("from ChEF.metric.utils import Base_metrik", "did you mean 'Base_metric'?"),
        ("from chef.metric.utilz import Base_metric", "docs/background/coming_from_chef.md"),
    ],
)
def test_imports_that_do_not_work(run, line: str, hint: str) -> None:
    code, said, _ = run(metric=METRIC.replace("from chef.metric.utils import Base_metric", line))
    assert code == 2
    assert "own_metric.py failed to import" in said
    assert hint in said


CHOOSES = """\
from chef.inferencer import PPL_inferencer


class Your_inferencer(PPL_inferencer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def inference(self, model, dataset):
        for batch in dataset.batches(self.batch_size):
            prompts = self.instruction_handler.generate(batch)
            rows = [(batch["image_path"][i], prompts[i], option, f"The answer is {option}")
                    for i in range(len(prompts)) for option in batch["options"][i]]
            images, questions, options, filled = map(list, zip(*rows))
            scores = model.ppl_inference(images, questions, options, filled, ppl_batch_mask=None)
            chosen = []
            for row in batch["options"]:
                mine, scores = scores[: len(row)], scores[len(row) :]
                chosen.append(row[mine.index(max(mine))])
            self._after_inference_step(chosen)
"""
LOSSES = CHOOSES.replace(
    "images, questions, options, filled, ppl_batch_mask=None",
    "image_list=images, question_list=questions,\n"
    "                answer_list=filled, answer_pool=options",
).replace("max(mine)", "min(mine)")
CALIBRATED = LOSSES.replace("min(mine)", "max(mine)").replace(
    "answer_pool=options", "answer_pool=options, calib=True"
)
PPL = RECIPE.replace(", max_new_tokens: 8", "")


@pytest.mark.parametrize("inferencer", [CHOOSES, LOSSES, CALIBRATED], ids=["2", "1", "1, calib"])
def test_it_chooses_what_ppl_chooses(run, inferencer: str) -> None:
    code, said, folder = run(inferencer, recipe=PPL)
    assert code == 0, said
    recipe = PPL.replace("inferencer_type: Your_inferencer", "inferencer_type: PPL")
    assert answers(folder) == answers(run(recipe=recipe)[2])


def test_options_and_answers_exchanged(run) -> None:
    code, said, _ = run(CHOOSES.replace("options, filled, ppl", "filled, options, ppl"), recipe=PPL)
    assert code == 3
    assert "ppl_inference was given answers where it takes options" in said
    assert "answer_pool=" in said


def test_a_constructor_that_passes_nothing_on(run) -> None:
    code, said, _ = run(INFERENCER.replace("__init__(**kwargs)", "__init__()"))
    assert code == 2
    assert "r.yaml" in said
    assert "Your_inferencer cannot be made" in said
    assert "let Your_inferencer.__init__ pass its **kwargs on to super().__init__" in said


def test_a_run_resumes_with_the_texts_of_the_rest(run, expected, tmp_path: Path) -> None:
    """What was reported before a crash is not asked again, and the others get their own texts."""
    code, _, folder = run(EACH)
    assert code == 0
    journal = folder / "predictions.jsonl"
    kept = journal.read_text().splitlines(keepends=True)[:5]
    journal.write_text("".join(kept))
    place = next(path for path in folder.parents if (path / "m.yaml").exists())
    assert main(
        ["eval", "--model_cfg", str(place / "m.yaml"), "--recipe_cfg", str(place / "r.yaml"),
         "--save_dir", str(place / "results"), "--time", "now"]
    ) == 0  # fmt: skip
    assert answers(folder) == expected
    assert journal.read_text().startswith("".join(kept))
