"""What happens around a class's own ``evaluate``: its result, its failure, its judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scenario.hooks.vlmevalkit.conftest import Put, Run, choice_row

import chef
from chef.errors import ChefError, ConfigError, DataError, RunError
from chef.scenario import download

HEAD = """\
from vlmeval.dataset import *
from vlmeval.smp import *

class Mine(ImageMCQDataset):
    DATASET_URL = {"Mine": ""}
"""
EVALUATE = """\
    def evaluate(self, eval_file, **judge_kwargs):
        data = load(eval_file)
"""


@pytest.fixture(autouse=True)
def table(put: Put) -> None:
    put("Mine", [choice_row(number) for number in range(4)])


@pytest.mark.parametrize(
    ("returned", "wanted"),
    [
        ("None", "it returned None"),
        ("'good'", "it returned a str"),
        ("{'who': 'me'}", "it returned no number: who: 'me'"),
        ("{}", "it returned no number: nothing"),
    ],
)
def test_a_result_without_numbers(run: Run, returned: str, wanted: str) -> None:
    with pytest.raises(RunError) as raised:
        run(HEAD + EVALUATE + f"        return {returned}\n", "Mine")
    assert raised.value.what == f"the metric Mine.evaluate failed: {wanted}"
    assert "pandas DataFrame" in str(raised.value.hint)


def test_a_corrected_evaluate_scores_the_kept_answers(run: Run, desk: Path) -> None:
    with pytest.raises(RunError, match="KeyError: 'nothing'") as raised:
        run(HEAD + EVALUATE + "        return data['nothing']\n", "Mine")
    assert "mine.py:8, in evaluate: return data['nothing']" in str(chef_place(raised.value))
    (folder,) = (desk / "results" / "tiny" / "Mine").iterdir()
    before = (folder / "predictions.jsonl").read_bytes()
    # As the next call of the command, which is another process: the file is loaded anew.
    corrected = desk / "again.py"
    corrected.write_text(HEAD + EVALUATE + "        return {'n': len(data)}\n")
    recipe = (desk / "recipe.yaml").read_text()
    (desk / "recipe.yaml").write_text(recipe.replace("mine.py", "again.py"))
    forget("Mine")
    report = chef.score(folder, recipe=desk / "recipe.yaml")
    assert report.metrics["n"].value == 4
    assert (folder / "predictions.jsonl").read_bytes() == before


def test_a_run_is_scored_again_without_its_recipe(run: Run) -> None:
    folder = run(HEAD + EVALUATE + "        return {'n': len(data)}\n", "Mine").folder
    forget("Mine")
    assert chef.score(folder).metrics["n"].value == 4  # of the user's own
    forget("Mine")
    (folder / ".seal").unlink()
    with pytest.raises(ConfigError, match=r"'Mine\.evaluate' of this run is not known"):
        chef.score(folder)
    assert chef.score(folder, trust_plugins=True).metrics["n"].value == 4


def chef_place(error: ChefError) -> object:
    from chef.common.user_code import user_place

    return user_place(error)


def forget(name: str) -> None:
    from chef.metric import METRICS
    from chef.scenario import SCENARIOS

    for registry, key in ((SCENARIOS, name), (METRICS, f"{name}.evaluate")):
        registry._table.pop(key)
        registry._loaded.pop(key, None)


def test_an_edit_of_evaluate_keeps_the_answers_and_one_of_the_prompt_does_not(desk: Path) -> None:
    from chef.config import load_recipe

    def digest(name: str, source: str) -> str:
        (desk / name).mkdir()
        (desk / name / "mine.py").write_text(source)
        recipe = desk / name / "recipe.yaml"
        recipe.write_text(
            "plugins: [mine.py]\nscenario_cfg: {dataset_name: Mine}\n"
            "eval_cfg: {inferencer_cfg: {inferencer_type: Direct}}\n"
        )
        found = load_recipe(recipe).plugin_files["mine.py"]
        forget("Mine")
        return found

    prompt = "    def build_prompt(self, line):\n        return {}\n"
    one = digest("one", HEAD + prompt.format(1) + EVALUATE + "        return 1\n")
    two = digest("two", HEAD + prompt.format(1) + EVALUATE + "        return 2\n")
    three = digest("three", HEAD + prompt.format(2) + EVALUATE + "        return 1\n")
    assert one == two != three


PASSES_ON = """\
    def __init__(self, dataset="Mine", **kwargs):
        super().__init__(dataset, **kwargs)
"""


@pytest.mark.parametrize("source", [HEAD, HEAD + PASSES_ON], ids=["named", "passed on"])
def test_an_argument_that_the_class_does_not_take(run: Run, source: str) -> None:
    with pytest.raises(ConfigError, match="Mine takes no argument 'skip_noing'") as raised:
        run(source, "Mine", keys=", dataset_kwargs: {skip_noing: false}")
    assert str(raised.value.where).endswith("scenario_cfg.dataset_kwargs.skip_noing")
    assert raised.value.hint == "did you mean 'skip_noimg'?"


def test_what_vlmevalkit_has_and_chef_has_not(run: Run) -> None:
    with pytest.raises(
        ConfigError, match=r"No module named 'vlmeval\.dataset\.utils\.mine'"
    ) as one:
        run("from .image_mcq import *\nfrom .utils.mine import f\n", "Mine")
    assert "copy it into the file" in str(one.value.hint)
    late = "        from vlmeval.dataset.utils import fd2\n"
    with pytest.raises(RunError, match="cannot import name 'fd2'") as other:
        run(HEAD + EVALUATE + late, "Mine")
    assert "copy it into the file" in str(other.value.hint)


def test_what_the_class_logs_is_told(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    source = HEAD + EVALUATE + (
        "        get_logger('Mine').warning('no key is set')\n        return {'n': len(data)}\n"
    )  # fmt: skip
    run(source, "Mine")
    (record,) = [item for item in caplog.records if item.getMessage() == "no key is set"]
    assert record.name.startswith("chef.")  # the command line prints those


def test_a_path_in_the_folder_of_the_class(
    run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = HEAD.replace('"Mine": ""', '"Mine": "LMUData/Mine.tsv"')
    (desk / "elsewhere").mkdir()
    monkeypatch.chdir(desk / "elsewhere")
    assert run(source, "Mine").coverage.scored == 4


def test_failed_samples_are_left_out_and_counted(put: Put, run: Run) -> None:
    rows = [choice_row(0), choice_row(1, image="@@@ no image " * 9), choice_row(2)]
    put("Mine", rows)
    source = HEAD + EVALUATE + "        return {'rows': len(data), 'text': list(data['index'])}\n"
    report = run(source, "Mine")
    assert report.metrics["rows"].value == 2
    assert [report.metrics[f"text/{place}"].value for place in range(2)] == [0, 2]
    assert (report.coverage.scored, report.coverage.total) == (2, 3)


def test_the_columns_are_those_of_the_table(put: Put, run: Run) -> None:
    source = HEAD + EVALUATE + (
        "        dump(list(data.columns), get_intermediate_file_path(eval_file, '_c', 'json'))\n"
        "        texts = list(data['A']) + list(data['B'])\n"
        "        dump(texts, get_intermediate_file_path(eval_file, '_a', 'json'))\n"
        "        return len(data)\n"
    )  # fmt: skip
    rows = [choice_row(n, A="None", B="NA", answer="C") for n in range(2)]
    put("Mine", [{**row, "l2-category": "x"} for row in rows])
    report = run(source, "Mine")
    (columns,) = (report.folder / "vlmevalkit").glob("*_c.json")
    wanted = ["index", "question", *"ABCD", "answer", "category", "l2-category", "prediction"]
    assert json.loads(columns.read_text()) == wanted
    (texts,) = (report.folder / "vlmevalkit").glob("*_a.json")
    assert json.loads(texts.read_text()) == ["None", "None", "NA", "NA"]


@pytest.mark.parametrize("kind", ["tsv", "json", "xlsx"])
def test_the_kind_of_file(run: Run, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("PRED_FORMAT", kind)
    source = HEAD + EVALUATE + "        return {'rows': len(data)}\n"
    report = run(source, "Mine")
    assert (report.folder / "vlmevalkit" / f"tiny_Mine.{kind}").is_file()
    assert report.metrics["rows"].value == 4


JUDGED = (
    EVALUATE
    + """\
        from .utils import build_judge, DEBUG_MESSAGE
        model = build_judge(**judge_kwargs)
        assert model.working(), DEBUG_MESSAGE
        file = get_intermediate_file_path(eval_file, "_judge", "pkl")
        tasks = [(f"Is {p} right?",) for p in data["prediction"]]
        track_progress_rich(model.generate, tasks, nproc=2, keys=list(data["index"]), save=file)
        said = load(file)
        return {"n": len(said), "texts": sum(isinstance(said[i], str) for i in data["index"]),
                "own": super().evaluate(eval_file)}
"""
)


def test_without_a_judge(run: Run) -> None:
    source = HEAD.replace("from vlmeval.dataset import *", "from .image_mcq import *") + JUDGED
    with pytest.raises(RunError, match=r"asks a judge .*and the recipe has none") as raised:
        run(source, "Mine")
    assert "--judge_cfg FILE" in str(raised.value.hint)


def test_the_recipes_judge_is_asked(run: Run, desk: Path) -> None:
    source = HEAD.replace("from vlmeval.dataset import *", "from .image_mcq import *") + JUDGED
    report = run(source, "Mine", more="  judge_cfg: {model_cfg: tiny}\n")
    assert report.metrics["n"].value == report.metrics["texts"].value == 4
    assert report.metrics["own/ACC"].n == 4
    assert (desk / "results" / "judge_replies").is_dir()


def test_other_answers_start_with_an_empty_folder(run: Run) -> None:
    source = HEAD + EVALUATE + (
        "        file = get_intermediate_file_path(eval_file, '_kept', 'json')\n"
        "        old = load(file) if osp.exists(file) else 0\n"
        "        dump(old + 1, file)\n"
        "        return old + 1\n"
    )  # fmt: skip
    folder = run(source, "Mine").folder
    assert chef.score(folder, recipe=folder.parents[3] / "recipe.yaml").metrics["score"].value == 2
    journal = folder / "predictions.jsonl"
    first, *rest = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join([json.dumps({**json.loads(first), "answer": "?"}) + "\n", *rest]))
    assert chef.score(folder, recipe=folder.parents[3] / "recipe.yaml").metrics["score"].value == 1


def test_no_network(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    source = HEAD.replace('"Mine": ""', '"Other": "http://127.0.0.1:9/Other.tsv"')
    with pytest.raises(DataError, match=r"http.*: cannot be downloaded") as raised:
        run(source, "Other")
    assert "LMUData/Other.tsv" in str(raised.value.hint)


def test_another_digest(run: Run) -> None:
    with pytest.raises(DataError, match=r"md5 is .* and Mine\.DATASET_MD5") as raised:
        run(HEAD + '    DATASET_MD5 = {"Mine": "0123"}\n', "Mine")
    assert "if the file is right" in str(raised.value.hint)


@pytest.mark.parametrize("address", ["", "Mine.tsv", "https://example.invalid/Mine.tsv"])
def test_the_table_of_another_data_root(run: Run, desk: Path, address: str) -> None:
    """`data_root` and `check_md5` are keys of a user's class as of chef's benchmarks."""
    source = HEAD.replace('"Mine": ""', f'"Mine": "{address}"') + (
        '    DATASET_MD5 = {"Mine": "0123"}\n'
        "    def build_prompt(self, line):\n"
        "        return [dict(type='text', value=LMUDataRoot())]\n"
        "    def evaluate(self, eval_file, **judge_kwargs):\n"
        "        return {'here': float(LMUDataRoot().endswith('elsewhere'))}\n"
    )
    (desk / "LMUData").rename(desk / "elsewhere")
    keys = ", data_root: elsewhere"
    with pytest.raises(DataError, match=r"md5 is .* and Mine\.DATASET_MD5") as raised:
        run(source, "Mine", keys=keys)
    assert str(raised.value.where).endswith("elsewhere/Mine.tsv")
    assert "check_md5: false" in str(raised.value.hint)
    report = run(source, "Mine", keys=f"{keys}, check_md5: false")
    assert report.metrics["here"].value == 1
    lines = (report.folder / "predictions.jsonl").read_text().splitlines()
    assert all(json.loads(line)["sample"]["question"].endswith("elsewhere") for line in lines)


def test_no_table(run: Run) -> None:
    with pytest.raises(DataError, match="the table of 'Else' is not there"):
        run(HEAD.replace('"Mine": ""', '"Else": ""'), "Else")
