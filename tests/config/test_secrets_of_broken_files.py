"""A file that cannot be read is quoted by its error: without the secrets in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from chef.cli import main

TOKEN = "sk-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
PASSWORD = "hunter2-of-mine"
#: Lines of a model file, with ``{0}`` for a secret.
LINES = (
    "api_key: !!python/name:{0}", "api_key: '${{{0}'", "api_key: ${{{0}", "api_key: !{0} x",
    "api_key: *{0}", "api_key: !!float {0}", "api_key: !!timestamp {0}", "api_key: !!binary {0}",
    "api_key: [{0}", "api_key: '${{oc.env:{0}'", "api_key: ${{oc.decode:{0}", "api_key: |{0}",
    "api_key: {{{0}: 1, {0}: 2}}", "api_key: @{0}", "api_key: `{0}",
    "password: !!python/object:{0}",
)  # fmt: skip


def said(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    files = {"model.yaml": model, "recipe.yaml": "scenario_cfg: {dataset_name: Digits}\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    given = ["--model_cfg", str(tmp_path / "model.yaml"), "--recipe_cfg"]
    assert main(["eval", *given, str(tmp_path / "recipe.yaml"), "--dry-run", *more]) == 2
    return "".join(capsys.readouterr())


@pytest.mark.parametrize("secret", [TOKEN, PASSWORD])
@pytest.mark.parametrize("line", LINES)
def test_no_error_quotes_a_secret(line: str, secret: str, tmp_path: Path, capsys) -> None:
    text = said(f"model_name: tiny\n{line.format(secret)}\n", tmp_path, capsys)
    assert text.startswith("error: ")
    assert secret.lower() not in text.lower()


@pytest.mark.parametrize("line", ["a: ${{{0}}}", "a: '${{oc.env:{0}}}'", "a: '${{b:{0}}}'"])
def test_no_error_names_a_key_of_a_service(line: str, tmp_path: Path, capsys) -> None:
    text = said(f"model_name: tiny\n{line.format(TOKEN)}\n", tmp_path, capsys)
    assert TOKEN not in text
    assert "model.yaml:2" in text


@pytest.mark.parametrize("secret", [TOKEN, PASSWORD])
@pytest.mark.parametrize("value", ["!!python/name:{0}", "${{{0}", "!!float {0}", "[{0}", "*{0}"])
def test_no_error_quotes_the_secret_of_an_override(
    value: str, secret: str, tmp_path: Path, capsys
) -> None:
    override = f"model_cfg.api_key={value.format(secret)}"
    text = said("model_name: tiny\n", tmp_path, capsys, override)
    assert secret.lower() not in text.lower()


def test_a_file_of_thousands_of_keys_is_refused(tmp_path: Path, capsys) -> None:
    keys = "".join(f"  - sk-aaaabbbbccccdddd{number}\n" for number in range(600))
    text = said(f"model_name: tiny\nlist:\n{keys}", tmp_path, capsys)
    assert "has more than 500 texts that look like keys" in text
    assert "${oc.env:NAME}" in text


def test_a_text_of_thousands_of_interpolations_is_refused(tmp_path: Path, capsys) -> None:
    text = said("model_name: tiny\nb: '" + "${a} " * 5_000 + "'\n", tmp_path, capsys)
    assert "has 5,000 interpolations" in text
