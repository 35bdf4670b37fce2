"""``chef list``, of all and of one."""

from __future__ import annotations

import re
import subprocess
import textwrap
from pathlib import Path

import pytest
import yaml

from chef.cli import main
from chef.cli.listing import _sentence, first_line, registries
from chef.config import load_model, load_recipe
from chef.errors import ConfigError

NAMES = [(plural, name) for plural, registry in registries().items() for name in registry]


def test_each_ingredient_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, start in (
        ("Tsv", "The questions of a TSV file"),
        ("PPL", "Score every option"),
        ("topk_img", "Compares the images"),
        ("llava15", "LLaVA-1.5 7B: about 15 GB to download"),
        ("MMBench/", "default, direct, generative, ppl"),
    ):
        assert any(re.match(rf"  {re.escape(name)} +{re.escape(start)}", line) for line in lines)
    for _, name in NAMES:
        own = [line for line in lines if line.startswith(f"  {name} ")]
        assert own, name
        assert all(len(line.split()) > 3 for line in own), name


def test_one_kind_or_a_part_of_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "recipes", "mmbench"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:] if line]
    assert names == [f"MMBench/{name}" for name in ("default", "direct", "generative", "ppl")]
    for word in ("model-files", "Model_file"):
        assert main(["list", word]) == 0
        assert "llava15" in capsys.readouterr().out
    assert main(["list", "mme"]) == 0  # of every kind
    out = capsys.readouterr().out
    assert out.startswith("scenarios:\n  MME ")
    assert "metrics:\n  MMEVQA " in out
    assert "recipes:\n  MME/default" in out


def test_nothing_of_that_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "metrics", "zzz"]) == 2
    assert "no name contains 'zzz'" in capsys.readouterr().err
    assert main(["list", "Acuracy"]) == 2
    assert "did you mean 'Accuracy'?" in capsys.readouterr().err
    assert main(["list", "cot_max_new_tokens"]) == 2
    assert "it is a key of Direct, PPL: `chef list Direct`" in capsys.readouterr().err


def test_the_data_sets_of_mmtrusteval(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "datasets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if line.startswith("  ")]) == 133
    assert main(["list", "dataset", "coco-o"]) == 0
    assert len(capsys.readouterr().out.strip().splitlines()) == 1 + 6
    assert main(["list", "dt-unrelated-image-color"]) == 0
    out = capsys.readouterr().out
    assert "\n  annotation_file: robustness/ood-text/label.json\n" in out
    assert "\n  unrelated_image_dir: unrelated_images\n" in out
    assert "related\n" not in out.replace("unrelated", "")  # its own pictures are not needed
    example = textwrap.dedent(out.partition("example:\n")[2])
    assert yaml.safe_load(example)["scenario_cfg"]["dataset_id"] == "dt-unrelated-image-color"
    assert main(["list", "celebritys"]) == 2
    assert "did you mean 'celebrities'?" in capsys.readouterr().err
    assert main(["list", "MMTrustEval"]) == 0
    assert "upstream: MMTrustEval's own rules" in capsys.readouterr().out


def test_keys_with_types_defaults_and_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "Tsv"]) == 0
    out = capsys.readouterr().out
    assert "\n  path: text (required)\n" in out
    assert "\n  kind: mcq | yesno | vqa | caption or null = null\n" in out
    assert "\n  hint: true | false = true\n      put the hint before the question.\n" in out
    assert "VLMEvalKit" in out or "Columns:" in out


def test_no_key_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "Shapes"]) == 0
    out = capsys.readouterr().out
    assert "\n  task: mcq | yesno | " in out
    keys = re.findall(r"^  (\w+): ", out.partition("example:")[0], re.MULTILINE)
    assert set(load_recipe("Shapes/ppl").scenario.options) <= set(keys)


def test_what_chef_gives_itself_is_no_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A recipe with one of these would be refused."""
    assert main(["list", "Accuracy"]) == 0
    out = capsys.readouterr().out
    assert "keys of eval_cfg.metric_cfg:\n  compat: " in out
    file = tmp_path / "as_in_chef.py"
    file.write_text(
        "from chef.metric.utils import Base_Metric\n\n\nclass Mine(Base_Metric):\n"
        "    def __init__(self, dataset_name, words=3, **kwargs):\n"
        "        super().__init__(dataset_name, **kwargs)\n\n"
        "    def metric_func(self, answers):\n        return 1.0\n"
    )
    assert main(["list", str(file)]) == 0
    out = capsys.readouterr().out
    assert "keys of eval_cfg.metric_cfg:\n  words: any = 3\n\nexample:" in out
    assert "dataset_name: []" not in out


def test_keys_of_groups_and_of_base_classes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "Direct"]) == 0
    assert "max_new_tokens: whole number = 16\n      maximum length" in capsys.readouterr().out
    assert main(["list", "tiny"]) == 0
    out = capsys.readouterr().out
    assert "`auto`, `cpu`" in out.replace("``", "`")  # as for HuggingFaceModel, written out
    assert "model_name: tiny\nname: tiny" in out  # the model file of that name


@pytest.mark.parametrize(("plural", "name"), NAMES)
def test_the_example_is_valid(plural: str, name: str, tmp_path: Path, capsys) -> None:
    assert main(["list", name]) == 0
    out = capsys.readouterr().out
    part = out.split(f"{name}: a")[1 + (plural == "models" and out.count(f"{name}: a ") > 1)]
    example = textwrap.dedent(part.partition("\nexample:\n")[2].partition("\n\n")[0])
    content = yaml.safe_load(example)
    if plural == "models":
        assert load_model(content).model.name == name
        return
    try:
        recipe = load_recipe(content)
    except ConfigError as error:
        pytest.fail(f"{error}\n{example}")
    assert name in str(recipe.document.values)


@pytest.mark.parametrize("name", ["Records", "Tsv"])
def test_the_example_of_a_table_runs_with_the_lines_that_stand_under_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["list", name]) == 0
    example, _, below = capsys.readouterr().out.partition("\nexample:\n")[2].partition("\n\n")
    Path("my_recipe.yaml").write_text(textwrap.dedent(example))
    make, command = [line for line in below.splitlines() if line.startswith("  ")]
    subprocess.run(["sh", "-c", make], check=True)
    assert main([*command.split()[1:], "--dry-run"]) == 0
    assert "(A) red\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("metric", "scenario", "inferencer"),
    [
        ("ANLS", "Tsv", "Direct"),
        ("Caption", "Flickr30k", "Direct"),
        ("SVT_OCR", "SVT", "Direct"),
        ("Winoground_Metric", "Winoground", "PPL"),
        ("ScienceQA_Calibration", "Shapes", "PPL"),
    ],
)
def test_the_example_of_a_metric_has_answers_that_it_scores(
    metric: str, scenario: str, inferencer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", metric]) == 0
    example = capsys.readouterr().out.partition("\nexample:\n")[2]
    recipe = yaml.safe_load(textwrap.dedent(example.partition("\n\n")[0]))
    assert recipe["scenario_cfg"]["dataset_name"] == scenario
    assert recipe["eval_cfg"]["inferencer_cfg"] == {"inferencer_type": inferencer}
    several = example.partition("metric_cfg may also be a list")[2].splitlines()[1]
    recipe["eval_cfg"].update(yaml.safe_load(several))
    assert [section.name for section in load_recipe(recipe).metrics] == [metric, "Accuracy"]


def test_a_file_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "described.py").write_text(
        "from vlmeval.dataset import ImageMCQDataset\n"
        "from vlmeval.vlm.base import BaseModel\n"
        "class DescribedData(ImageMCQDataset):\n"
        "    DATASET_URL = {'Described_DEV': ''}\n"
        "class DescribedModel(BaseModel):\n"
        "    def __init__(self, model_path, beams=3): ...\n"
        "    def generate_inner(self, message, dataset=None): return ''\n"
    )
    assert main(["list", "described.py"]) == 0
    capsys.readouterr()
    assert main(["list", "described.py"]) == 0  # also where it is loaded
    out = capsys.readouterr().out
    assert "dataset_name: Described_DEV" in out
    assert "DescribedData: a scenario" in out
    assert "DescribedModel: a model" in out
    assert "beams: any = 3" in out
    assert "The class DescribedModel has no docstring" in out
    examples = [part.partition("example:\n")[2] for part in out.split("keys of ")[1:]]
    assert len(examples) == 3
    assert all(part.startswith("  plugins: [described.py]\n") for part in examples)
    assert main(["list", "no_such_file.py"]) == 2
    assert "`chef list FILE.py`" in capsys.readouterr().err


def test_a_yaml_file_of_ones_own_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text("dataset_id: confaide-image\n")
    assert main(["list", "mine.yaml"]) == 0
    assert capsys.readouterr().out == "# mine.yaml\ndataset_id: confaide-image\n\n"
    Path("bytes.yaml").write_bytes(b"\xff\xfe\x00")
    assert main(["list", "bytes.yaml"]) == 2
    assert "bytes.yaml" in capsys.readouterr().err


def test_sentences_of_files_are_those_of_the_classes() -> None:
    for kind, registry in registries().items():
        for name in registry.all_names():
            assert _sentence(registry, name) == first_line(registry.get(name)), (kind, name)
