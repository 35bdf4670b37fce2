"""Recipes and model files: what is refused, and what the refusal says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from chef.config import load_model, load_recipe
from chef.config.document import read_document
from chef.config.secrets import public, redact, remember
from chef.errors import ConfigError

GOOD = """\
scenario_cfg:
  dataset_name: Shapes
  task: yesno
eval_cfg:
  instruction_cfg:
    prompt_type: singleturn
  inferencer_cfg:
    inferencer_type: PPL
    batch_size: 4
  metric_cfg:
    metric_type: basic
"""


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str, name: str = "recipe.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def refusal(path: Path, *overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_recipe(path, overrides)
    return str(caught.value)


def test_a_good_recipe_is_typed_and_complete(write) -> None:
    recipe = load_recipe(write(GOOD))
    assert recipe.name == "recipe"
    assert recipe.batch_size == 4
    assert recipe.scenario.options == {
        "task": "yesno", "split": "test", "size": 500, "seed": 0, "ppl": True,
        "multi_turn": False,
    }  # fmt: skip
    assert recipe.effective()["scenario_cfg"]["dataset_name"] == "Shapes"
    assert recipe.effective()["eval_cfg"]["instruction_cfg"]["template_assigned_ids"] == 0
    assert recipe.notices == ()


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("  task: yesno", "  tusk: yesno", 3, ["scenario_cfg.tusk", "did you mean 'task'?"]),
        ("  task: yesno", "  task: maybe", 3, ["'maybe' does not fit", "one of: mcq, yesno"]),
        ("  task: yesno", "  size: many", 3, ["expected 'int'", "scenario_cfg.size"]),
        ("  task: yesno", "  size: 3.5", 3, ["scenario_cfg.size"]),
        ("Shapes", "Shape", 2, ["unknown scenario 'Shape'", "did you mean 'Shapes'?"]),
        ("metric_cfg", "metrik_cfg", 10, ["unknown key", "did you mean 'metric_cfg'?"]),
        ("eval_cfg", "eval", 4, ["unknown key", "did you mean 'eval_cfg'?"]),
        (": PPL", ": PLP", 8, ["unknown inferencer 'PLP'", "did you mean 'PPL'?"]),
        (": basic", ": Acuracy", 11, ["unknown metric 'Acuracy'", "did you mean 'Accuracy'?"]),
        ("batch_size: 4", "batch_size: 0", 9, ["less than 1"]),
        ("batch_size: 4", "batch_sise: 4", 9, ["did you mean 'batch_size'?"]),
        ("singleturn", "singletern", 6, ["one of: singleturn"]),
        ("    inferencer_type: PPL\n", "", 7, ["needs the key 'inferencer_type'", "PPL"]),
        ("  task: yesno", "  task: [yesno", 4, ["not valid YAML"]),
        ("  task: yesno", "  task: yesno\n  task: mcq", 4, ["not valid YAML", "task"]),
    ],
)
def test_a_mistake_is_refused_with_file_line_and_hint(write, old, new, line, words) -> None:
    path = write(GOOD.replace(old, new, 1))
    message = refusal(path)
    assert f"recipe.yaml:{line}" in message
    for word in words:
        assert word in message


def test_missing_parts(write, tmp_path: Path) -> None:
    assert "needs the section 'eval_cfg'" in refusal(write("scenario_cfg: {dataset_name: Shapes}"))
    assert "holds no mapping" in refusal(write("[1, 2]"))
    assert "needs the section 'scenario_cfg'" in refusal(write("compat: corrected"))
    assert "is empty" in refusal(write("\n"))
    assert "holds no key" in refusal(write("# scenario_cfg: {}"))
    missing = refusal(tmp_path / "resipe.yaml")
    assert "no such file" in missing
    assert "recipe.yaml" in missing  # what is there


def test_overrides_are_checked_like_the_file(write) -> None:
    path = write(GOOD)
    recipe = load_recipe(path, ["scenario_cfg.size=7", "eval_cfg.inferencer_cfg.batch_size=null"])
    assert recipe.scenario.options["size"] == 7
    assert recipe.batch_size is None
    message = refusal(path, "scenario_cfg.sise=7")
    assert "override 'scenario_cfg.sise=...'" in message
    assert "did you mean 'size'?" in message
    assert "key.path=value" in refusal(path, "scenario_cfg.size")


def test_environment_and_secrets(write, monkeypatch) -> None:
    text = "model_name: tiny\nname: ${oc.env:CHEF_TEST_TOKEN}\n"
    monkeypatch.delenv("CHEF_TEST_TOKEN", raising=False)
    path = write(text, "model.yaml")
    with pytest.raises(ConfigError, match="CHEF_TEST_TOKEN is not set") as caught:
        load_model(path)
    assert "model.yaml:2: name" in str(caught.value)
    monkeypatch.setenv("CHEF_TEST_TOKEN", "s3cret")
    spec = load_model(path)
    assert spec.model.options["name"] == "s3cret"
    assert redact("401: s3cret is no key") == "401: <redacted> is no key"
    assert "s3cret" not in str(spec.effective())
    assert spec.effective()["name"] == "${oc.env:CHEF_TEST_TOKEN}"


def test_a_key_written_out_is_blanked(write) -> None:
    document = read_document(
        write("api_key: s-abcd\nmax_new_tokens: 5\nheaders: {auth_token: s-defg}\n")
    )
    assert document.public() == {
        "api_key": "<redacted>", "max_new_tokens": 5, "headers": {"auth_token": "<redacted>"},
    }  # fmt: skip
    assert redact("s-abcd s-defg") == "<redacted> <redacted>"


@pytest.mark.parametrize(
    ("spelling", "prompt_id"),
    [
        ("query_type: query_pool\n    query_assigned_ids: 3", 3),
        ("query_type: query_pool\n    prompt_assigned_ids: 3", 3),
        ("query_type: query_pool", 0),
        ("query_type: standard_query\n    query_assigned_ids: 3", 0),
        ("prompt_type: standard_query", 0),
        ("prompt_type: singleturn\n    query_assigned_ids: 3", 3),
    ],
)
def test_former_names_are_accepted_with_a_notice(write, spelling, prompt_id) -> None:
    recipe = load_recipe(write(GOOD.replace("prompt_type: singleturn", spelling)))
    assert recipe.instruction.options["prompt_assigned_ids"] == prompt_id
    assert recipe.instruction.options["prompt_type"] == "singleturn"
    assert len(recipe.notices) == 1
    assert "->" in recipe.notices[0]


def test_other_former_names(write) -> None:
    text = GOOD.replace("inferencer_type: PPL", "inferencer_type: Calibration")
    recipe = load_recipe(write(text.replace("metric_type", "protocol")))
    assert recipe.inferencer.name == "PPL"
    assert recipe.metrics[0].name == "basic"
    assert len(recipe.notices) == 2
    both = text.replace("metric_type: basic", "metric_type: basic\n    protocol: basic")
    assert "both are given" in refusal(write(both))
    assert "unknown query_type" in refusal(
        write(GOOD.replace("prompt_type: singleturn", "query_type: pool"))
    )


def test_plugins(write, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from chef.metric import Metric\n"
        "class Length(Metric):\n"
        "    def __init__(self, dataset_name: str = '', *, per: int = 1) -> None:\n"
        "        super().__init__(dataset_name)\n"
        "    def metric_func(self, answers):\n"
        "        return {'length': 1.0}\n"
    )
    text = "plugins: [mine.py]\n" + GOOD.replace("basic", "Length\n    per: 2")
    recipe = load_recipe(write(text))
    assert recipe.metrics[0].values == {"metric_type": "Length", "per": 2}
    load_recipe(write(text))  # a second recipe may name the same file
    assert "did you mean 'per'?" in refusal(write(text.replace("per: 2", "pre: 2")))
    assert "not found" in refusal(write(GOOD + "plugins: [nowhere.py]\n"))
    (tmp_path / "broken.py").write_text("1 / 0\n")
    assert "ZeroDivisionError" in refusal(write(GOOD + "plugins: [broken.py]\n"))
    (tmp_path / "empty.py").touch()
    assert "defines no scenario" in refusal(write(GOOD + "plugins: [empty.py]\n"))


def test_checking_imports_nothing_heavy(write) -> None:
    """Speed is not timed here: what makes it is that none of these is loaded."""
    program = (
        "import sys\n"
        "from chef.cli import main\n"
        f"code = main(['eval', '--model_cfg', 'configs/models/tiny.yaml', '--recipe_cfg', "
        f"{str(write(GOOD.replace('task', 'tusk')))!r}, '--dry-run'])\n"
        "heavy = {'torch', 'transformers', 'sklearn', 'scipy', 'numpy', 'sacrebleu', 'PIL'}\n"
        "print(code, sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "2 []", done.stderr
    assert "tusk" in done.stderr


def test_a_secret_is_found_wherever_it_is_spelled_out(write, monkeypatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "t0p-secret")
    monkeypatch.setenv("SIZE", "7")
    document = read_document(
        write(
            "api_key: ${oc.env:MY_TOKEN}\n"
            "auth: 'Bearer ${api_key}'\n"
            "headers: {x-api-key: lit-secret, Authorization: other-secret}\n"
            "keys: {api_key: [one-secret]}\n"
            "image_token: <image>\n"
            "size: ${oc.decode:${oc.env:SIZE}}\n"
        )
    )
    public = document.public()
    assert "secret" not in str(public)
    assert public["api_key"] == "${oc.env:MY_TOKEN}"
    assert public["image_token"] == "<image>"  # named like one, and none
    assert document.values["size"] == 7
    assert document.from_environment() == {".size": 7}  # decides answers, so it is compared
    for word in ("t0p-secret", "lit-secret", "other-secret", "one-secret"):
        assert redact(f"{word}!") == "<redacted>!"


def test_what_the_environment_gives_to_any_section_stays_a_name(write, monkeypatch) -> None:
    monkeypatch.setenv("PROMPT", "Look closely.")
    text = GOOD.replace("prompt_type: singleturn", "defined_prompt: '${oc.env:PROMPT} {question}'")
    recipe = load_recipe(write(text))
    assert recipe.instruction.options["defined_prompt"] == "Look closely. {question}"
    section = recipe.effective()["eval_cfg"]["instruction_cfg"]
    assert section["defined_prompt"] == "${oc.env:PROMPT} {question}"


def test_the_effective_recipe_does_not_depend_on_its_spelling(write) -> None:
    old = GOOD.replace("inferencer_type: PPL", "inferencer_type: Calibration")
    old = old.replace("prompt_type: singleturn", "query_type: query_pool")
    assert load_recipe(write(old)).effective() == load_recipe(write(GOOD)).effective()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  task: yesno", "  1: 2", "the key 1 is not a string"),
        (": PPL", ": [PPL]", "is not the name of any inferencer"),
        ("Shapes", "3", "3 is not the name of any scenario"),
        ("prompt_type: singleturn", "query_type: [a]", "unknown query_type"),
        ("prompt_type: singleturn", "incontext_cfg: 3", "expected a mapping"),
        ("  task: yesno", "  task: ???", "task"),
        (
            "prompt_type: singleturn",
            "prompt_type: multiturn\n    query_type: query_pool",
            "disagree",
        ),
        (
            "prompt_type: singleturn",
            "query_type: query_pool\n    query_assigned_ids: 1\n    prompt_assigned_ids: 2",
            "both are given",
        ),
    ],
)
def test_unexpected_values_are_config_errors(write, old, new, words) -> None:
    message = refusal(write(GOOD.replace(old, new, 1)))
    assert words in message
    assert "recipe.yaml" in message


def test_broken_overrides_and_anchors(write) -> None:
    assert "override 'scenario_cfg.size=...'" in refusal(write(GOOD), "scenario_cfg.size=${")
    with pytest.raises(ConfigError):
        read_document(write("a: &x\n  b: *x\n"))


def test_a_plugin_that_exits_is_an_error(write, tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(0)\n")
    assert "failed to import: SystemExit" in refusal(write(GOOD + "plugins: [leaving.py]\n"))


def test_a_text_too_short_for_a_secret_is_blanked_at_its_key_only() -> None:
    content = {"api_key": "x"}
    remember(content, content)
    assert redact("an example: x y z") == "an example: x y z"
    assert public(content, content) == {"api_key": "<redacted>"}


def test_a_text_where_a_mapping_belongs_is_told_how_a_mapping_is_written(write) -> None:
    said = refusal(write(GOOD), "scenario_cfg.method_cfg=noise")
    assert "'noise' does not fit: expected a mapping" in said
    assert "write a mapping: {noise: ...}" in said
