"""Keys are named in model files and never stand there; nothing that is shown holds one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from chef.common import redaction
from chef.config import load_model
from chef.errors import ConfigError
from chef.models.api.settings import Server

KEY = "zq81mfk20apw7"


def text_of(error: BaseException) -> str:
    return f"{error} {error!r} {error.args}"


@pytest.mark.parametrize(
    "value",
    [KEY, "sk-abcdefghijklmnopqrst", "hf_abcdefghijklmnopqrst", "$OPENAI_API_KEY", "my key", "a-b"],
)
def test_a_key_in_place_of_a_name(value: str, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(f"model_name: OpenAI\nmodel: some\napi_key_env: {value!r}\n")
    with pytest.raises(ConfigError, match=r"m\.yaml:3: api_key_env: .*not the name") as error:
        load_model(path)
    assert value not in text_of(error.value)


@pytest.mark.parametrize("name", ["api_key", "openai_key", "token", "key_of_the_api", "password"])
def test_a_key_in_the_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(f"model_name: OpenAI\nmodel: some\n{name}: {KEY}\n")
    with pytest.raises(ConfigError, match=rf"m\.yaml:3: {name}: unknown key") as error:
        load_model(path)
    assert KEY not in text_of(error.value)
    if name != "key_of_the_api":
        assert "api_key_env: NAME" in str(error.value)


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "MY_KEY_2024", "key", "Provider_Key"])
def test_names_of_variables(name: str) -> None:
    assert Server(api_key_env=name).variable == name


def test_a_variable_that_exists_may_have_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("provider_key_no_17", KEY)
    assert Server(api_key_env="provider_key_no_17").key() == KEY


@pytest.mark.parametrize(
    ("base_url", "variable"),
    [
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("https://api.openai.com/v1/", "OPENAI_API_KEY"),
        ("https://api.openai.com.evil.org/v1", None),
        ("http://localhost:8000/v1", None),
    ],
)
def test_which_server_gets_which_key(base_url: str, variable: str | None) -> None:
    assert Server(base_url).variable == variable


@pytest.mark.parametrize(("value", "said"), [(None, "not set"), ("", "empty"), ("  ", "empty")])
def test_a_variable_without_a_key(
    value: str | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("SOME_KEY", value)
    model = load_model({"model_name": "OpenAI", "model": "some", "api_key_env": "SOME_KEY"})
    built = model.model.build()  # what is only scored needs no key
    for check in (built.check_settings, built.prepare):
        with pytest.raises(ConfigError, match=f"SOME_KEY.*{said}"):
            check()


def test_a_key_is_stripped_and_known_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDER", f"{KEY}\n")  # a name that tells nothing
    assert Server(api_key_env="PROVIDER").key() == KEY
    assert redaction.redact(f"the key {KEY}!") == "the key <redacted>!"


@pytest.mark.parametrize("value", [f"{KEY} and more", f"{KEY}\u2026", f"{KEY}\n{KEY}"])
def test_what_no_header_can_hold(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", value)
    with pytest.raises(ConfigError, match="SOME_KEY") as error:
        Server(api_key_env="SOME_KEY").key()
    assert KEY not in text_of(error.value)


@pytest.mark.parametrize(
    "base_url",
    [
        f"http://me:{KEY}@there/v1",
        f"http://{KEY}@there/v1",
        f"http://there/v1?key={KEY}",
        f"http://there/v1?api-version=2&code={KEY}",
        f"http://there/v1?access_token={KEY}",
    ],
)
def test_keys_in_an_address_are_known(base_url: str) -> None:
    server = Server(base_url)
    assert KEY not in redaction.redact(base_url)
    assert "there/v1" in redaction.redact(base_url)
    assert KEY not in str(server.identity())
    assert KEY not in server.address.url
    assert KEY not in repr(server.address)


def test_a_user_name_and_a_key_are_one_too_many() -> None:
    with pytest.raises(ConfigError, match="user name"):
        Server(f"http://me:{KEY}@there/v1", "SOME_KEY")


def test_the_mistakes_of_a_model_file(tmp_path: Path) -> None:
    def error(lines: str) -> str:
        path = tmp_path / "m.yaml"
        path.write_text(f"model_name: OpenAI\n{lines}\n")
        with pytest.raises(ConfigError) as found:
            load_model(path).model.build()
        return str(found.value)

    assert "needs the key 'model'" in error("name: x")
    assert "did you mean 'base_url'" in error("model: x\nbaseurl: http://there/v1")
    assert "m.yaml:3: base_url" in error("model: x\nbase_url: there/v1")
    assert "one of: none, top, prompt" in error("model: x\nlogprobs: all")
    assert "max_images is 0" in error("model: x\nmax_images: 0")
    assert "model is empty" in error("model: ' '")


def test_checking_loads_neither_openai_nor_torch(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text("model_name: OpenAI\nmodel: some\nbase_url: http://there/v1\n")
    code = (
        "import sys; from chef.config import load_model; "
        f"m = load_model({str(path)!r}).model.build(); m.fingerprint(); m.check_settings(); "
        "print([name for name in ('openai', 'torch', 'httpx', 'httpx2', 'PIL.Image') "
        "if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, timeout=300, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("end", ["/v1/chat/completions", "/v1/chat/completions/", "/completions"])
def test_the_address_of_one_endpoint_is_refused(end: str) -> None:
    with pytest.raises(ConfigError, match="which chef adds itself") as error:
        Server(f"http://localhost:8000{end}")
    assert error.value.where == "base_url"
    assert "remove /" in str(error.value)


@pytest.mark.parametrize(
    "end", ["", "/", "/v1", "/v1/", "/models", "/v1beta/openai/", "/my-completions"]
)
def test_other_addresses_are_taken(end: str) -> None:
    assert Server(f"https://host.test{end}").address.url == f"https://host.test{end.rstrip('/')}"


@pytest.mark.parametrize(
    "fields",
    [
        {"api_key": KEY},
        {"provider": {"X-Api-Key": KEY}},
        {"metadata": {"deep": {"password": KEY}}},
    ],
)
def test_a_key_among_further_fields_is_refused(fields: dict[str, Any]) -> None:
    file = {"model_name": "OpenAI", "model": "some", "extra_body": fields}
    with pytest.raises(ConfigError, match="named like a key or password") as error:
        load_model(file)
    assert KEY not in text_of(error.value)
    assert "api_key_env" in str(error.value)


def test_fields_that_are_no_keys_are_taken() -> None:
    fields = {"min_tokens": 3, "stop_token_ids": [7], "chat_template_kwargs": {"thinking": False},
              "prompt_cache_key": "chef", "skip_special_tokens": True}  # fmt: skip
    model: Any = load_model({"model_name": "OpenAI", "model": "some", "extra_body": fields}).model
    assert model.build().dialect.extra_body == fields
