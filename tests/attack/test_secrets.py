"""No secret leaves the process, in whatever form, by whatever way.

Each run is made once, by a model that echoes its settings in every form at every way out
(`leaking.py`), and then looked at for each form and each way: every file under the run folder, the
reply cache, standard output and standard error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import pytest
from attack.leaking import AFTER, BEFORE, FORMS

from chef.cli import main

pytestmark = pytest.mark.filterwarnings("ignore:warned")
PLUGIN = Path(__file__).with_name("leaking.py")
#: A token as services give it out.
TOKEN = "sk-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
#: Signs that every way of writing a text changes.
PASSWORD = "pä\\ss/w+o=r\"d's & <x> y?z~v 12:34@56"
PEM = (
    "-----BEGIN PRIVATE KEY-----\n"
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n"
    "C7VJTUt9Us8cKjMzEfYyjiWA4R4ypbHqGC0H0+tG3hGbN3MYHa\n"
    "-----END PRIVATE KEY-----\n"
)


@dataclass(frozen=True)
class Source:
    """How a secret comes in.

    Attributes:
        secret: what must not come out.
        model: lines of the model file.
        recipe: the text of each question.
        env: environment variables.
        given: further arguments of the command.
    """

    secret: str
    model: str = ""
    recipe: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    given: tuple[str, ...] = ()


def options(lines: str) -> str:
    """Settings under a key of no meaning."""
    return "options:\n" + "".join(f"  {line}\n" for line in lines.splitlines())


def named(name: str, secret: str = TOKEN) -> Source:
    return Source(secret, options(f"{name}: {json.dumps(secret, ensure_ascii=False)}"))


NAMES = (
    "api_key", "apikey", "apiKey", "API_KEY", "x-api-key", "openai_key", "OPENAI_API_KEY",
    "hf_token", "HF_TOKEN", "token", "auth_token", "access_token", "refresh_token", "password",
    "passwd", "db_password", "passphrase", "secret", "client_secret", "access_key",
    "secret_access_key", "private_key", "authorization", "bearer", "credentials", "credential",
    "api_keys", "pwd", "cookie", "session_id", "sas_token", "account_key",
    "signing_key", "encryption_key", "webhook_secret", "proxy_password", "use_auth_token",
)  # fmt: skip

SOURCES: dict[str, Source] = {
    "token": Source(TOKEN, f"api_key: {TOKEN}\n"),
    "password": Source(PASSWORD, f"api_key: {json.dumps(PASSWORD)}\n"),
    **{f"named {name}": named(name) for name in NAMES},
    "multi-line": Source(PEM, f"api_key: {json.dumps(PEM)}\n"),
    "private key": named("private_key", PEM),
    "multi-line block": Source(
        PEM, options("private_key: |\n" + "".join(f"  {x}\n" for x in PEM.splitlines()))
    ),
    "in a list": Source(TOKEN, options(f"api_keys: [other-one-1, {TOKEN}]")),
    "in a mapping": Source(TOKEN, options(f"credentials: {{user: me, anything: {TOKEN}}}")),
    "in headers": Source(TOKEN, options(f"headers: {{Authorization: Bearer {TOKEN}}}")),
    "basic header": Source(
        "bWU6b3BlbnNlc2FtZTEyMw==",
        options("headers: {Authorization: Basic bWU6b3BlbnNlc2FtZTEyMw==}"),
    ),
    "int": Source("8675309424242", "api_key: 8675309424242\n"),
    "int with underscores": Source("867530942424", options("pin_token: 867_530_942_424")),
    "float": Source("867530.942424", options("password: 867530.942424")),
    "variable KEY": Source(TOKEN, options("neutral: ${oc.env:KEY}"), env={"KEY": TOKEN}),
    "variable": Source(TOKEN, options("neutral: ${oc.env:MY_API_KEY}"), env={"MY_API_KEY": TOKEN}),
    "variable, secret key": Source(
        TOKEN, options("api_key: ${oc.env:HARMLESS}"), env={"HARMLESS": TOKEN}
    ),
    "default": Source(TOKEN, options(f"neutral: ${{oc.env:NO_SUCH_TOKEN,{TOKEN}}}")),
    "default, quoted": Source(TOKEN, options(f"neutral: \"${{oc.env:NO_SUCH_TOKEN,'{TOKEN}'}}\"")),
    "default not used": Source(
        TOKEN,
        options(f"neutral: ${{oc.env:A_TOKEN,{TOKEN}}}\nechoed: {TOKEN}"),
        env={"A_TOKEN": "something-else-1"},
    ),
    "nested default": Source(
        TOKEN, options(f"neutral: ${{oc.env:NO_TOKEN,${{oc.env:NO_KEY,{TOKEN}}}}}")
    ),
    "beside a look-up": Source(
        TOKEN, options(f"header: {TOKEN} ${{oc.env:MY_API_KEY}}"), env={"MY_API_KEY": "another-1"}
    ),
    "look-up beside a literal": Source(
        TOKEN, options("header: Bearer ${oc.env:MY_API_KEY}"), env={"MY_API_KEY": TOKEN}
    ),
    "decoded": Source(TOKEN, options("neutral: ${oc.decode:${oc.env:KEY}}"), env={"KEY": TOKEN}),
    "reference": Source(TOKEN, f"api_key: {TOKEN}\n" + options("neutral: ${api_key}")),
    "userinfo": Source(TOKEN, options(f"base_url: https://me:{TOKEN}@host.example/v1")),
    "userinfo, no user": Source(TOKEN, options(f"base_url: https://{TOKEN}@host.example/v1")),
    "userinfo, encoded": Source(
        "op/en+sesame=1", options("base_url: https://me:op%2Fen%2Bsesame%3D1@host.example")
    ),
    "query": Source(TOKEN, options(f"base_url: https://host.example/v1?a=1&api_key={TOKEN}&b=2")),
    "query token": Source(TOKEN, options(f"base_url: 'https://host.example/v1?token={TOKEN}#x'")),
    "query sig": Source(TOKEN, options(f"base_url: https://host.example/v1?se=2026&sig={TOKEN}")),
    "fragment": Source(TOKEN, options(f"base_url: 'https://host.example/#access_token={TOKEN}'")),
    "url in a variable": Source(
        TOKEN,
        options("base_url: ${oc.env:ENDPOINT}"),
        env={"ENDPOINT": f"https://me:{TOKEN}@host.example"},
    ),
    "connection string": Source(
        TOKEN, options(f"storage: 'AccountName=me;AccountKey={TOKEN};EndpointSuffix=x'")
    ),
    "bearer in a text": Source(TOKEN, options(f"header: 'Authorization: Bearer {TOKEN}'")),
    "read by the model": Source(TOKEN, "variable: OPENAI_API_KEY\n", env={"OPENAI_API_KEY": TOKEN}),
    "override": Source(TOKEN, given=(f"model_cfg.api_key={TOKEN}",)),
    "prompt": Source(TOKEN, recipe="Say ${oc.env:KEY} please", env={"KEY": TOKEN}),
    "prompt, default": Source(TOKEN, recipe=f"Say ${{oc.env:NO_KEY,{TOKEN}}} please"),
    "prompt, url": Source(TOKEN, recipe=f"See https://me:{TOKEN}@host.example/x"),
}

Run = Mapping[str, str]


def _write(folder: Path, source: Source, end: bool) -> list[str]:
    model, recipe = folder / "leaky.yaml", folder / "asks.yaml"
    model.write_text(
        f"plugins: [{PLUGIN}]\nmodel_name: Leaky\nend: {str(end).lower()}\n{source.model}"
    )
    recipe.write_text(
        f"plugins: [{PLUGIN}]\nscenario_cfg:\n  dataset_name: Asks\n"
        f"  text: {json.dumps(source.recipe)}\n"
        "eval_cfg:\n  inferencer_cfg: {inferencer_type: Direct}\n"
    )
    given = ["eval", "--model_cfg", str(model), "--recipe_cfg", str(recipe)]
    given += ["--save_dir", str(folder / "results")]
    cache = [] if end else ["--response_cache", str(folder / "cache")]
    return [*given, *cache, *source.given]


@pytest.fixture(scope="module")
def ran(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str, pytest.CaptureFixture[str]], Run]:
    """What left the process in a run with a source of secrets: by the name of the way out."""
    made: dict[str, Run] = {}

    def run(name: str, capture: pytest.CaptureFixture[str]) -> Run:
        if name not in made:
            with pytest.MonkeyPatch.context() as patch:
                made[name] = _run(SOURCES[name], tmp_path_factory.mktemp("leaks"), capture, patch)
        return made[name]

    return run


def _run(
    source: Source, folder: Path, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
) -> Run:
    patch.setenv("CHEF_CACHE", str(folder / "vectors"))
    for key, value in source.env.items():
        patch.setenv(key, value)
    found: dict[str, str] = {}
    capture.readouterr()
    main([*_write(folder, source, end=False), "--dry-run"])
    found["dry run"] = "\n".join(capture.readouterr())
    assert main(_write(folder, source, end=False)) == 1  # the second sample fails
    found["stdout"], found["stderr"] = capture.readouterr()
    if source.model.startswith("api_key"):  # one run is enough to see what is a secret
        assert main([*_write(folder, source, end=False), "--traceback"]) == 1
        found["again"] = "\n".join(capture.readouterr())
        given = [*_write(folder, source, end=True), "--time", "ends", "--traceback"]
        assert main(given) == 3
        found["stderr"] += "\n".join(capture.readouterr())
    for place in ("results", "cache", "vectors"):
        for path in sorted((folder / place).rglob("*")):
            assert source.secret not in path.name
            if path.is_file():
                key = "cache" if place != "results" else path.name
                found[key] = found.get(key, "") + path.read_bytes().decode("utf-8", "replace")
    return found


@lru_cache(64)
def views(text: str) -> list[str]:
    """A text, the same with the escapes of JSON undone, once and twice, and without blanks."""
    found = [text]
    for _ in range(2):
        found.append(
            re.sub(
                r"\\(u[0-9a-f]{4}|.)",
                lambda match: (
                    {"n": "\n"}.get(match[1])
                    or (chr(int(match[1][1:], 16)) if len(match[1]) == 5 else match[1])
                ),
                found[-1],
            )
        )
    return [*found, *(re.sub(r"\s+", "", item) for item in found)]


def traces(secret: str, form: str) -> list[str]:
    """What of a form would tell the secret: at least eight signs of it in a row."""
    text = FORMS[form](secret)
    if "base64" in form:
        text = re.sub(r"\s", "", text)[4:-12]  # signs at the ends belong to the neighbours too
        return [text] if len(text) >= 8 else []
    if form == "in-a-url":
        text = text.removeprefix("https://user:").removesuffix("@host.example/v1?a=1")
    inner = text.strip("{}").removesuffix(": 1").strip("'\"")
    return [inner, re.sub(r"\s+", "", inner)]


def leaks(secret: str, form: str, text: str) -> list[str]:
    shown = views(text)
    return [part for part in traces(secret, form) if any(part in view for view in shown)]


WAYS = (
    "predictions.jsonl", "scores.jsonl", "environment.json", "errors.txt", "traceback.txt",
    "config.yaml", "results.json", "cache", "stdout", "stderr", "dry run", "again",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["token", "password", "multi-line", "int"])
def test_no_form_of_a_secret_gets_out(name: str, form: str, ran, capsys) -> None:
    run = ran(name, capsys)
    assert set(WAYS) <= set(run)
    found = {way: leaks(SOURCES[name].secret, form, text) for way, text in run.items()}
    assert {way: parts for way, parts in found.items() if parts} == {}


@pytest.mark.parametrize("name", SOURCES)
def test_no_source_of_secrets_is_missed(name: str, ran, capsys) -> None:
    found = {
        (way, form): parts
        for way, text in ran(name, capsys).items()
        for form in FORMS
        if (parts := leaks(SOURCES[name].secret, form, text))
    }
    assert found == {}


@pytest.mark.parametrize("way", ["predictions.jsonl", "errors.txt", "stdout", "stderr"])
@pytest.mark.parametrize("form", FORMS)
def test_the_forms_came_that_far(form: str, way: str, ran, capsys) -> None:
    """Else the tests above would hold of a program that prints nothing."""
    text = ran("token", capsys)[way]
    assert BEFORE.format(form) in text
    assert AFTER.format(form) in text
    assert "<redacted>" in text


def test_the_rest_of_a_text_stays(ran, capsys) -> None:
    run = ran("token", capsys)
    assert "<<in-a-url:https://user:<redacted>@host.example/v1?a=1:in-a-url>>" in run["stdout"]
    assert "<<plain:<redacted>:plain>>" in run["predictions.jsonl"]


@pytest.mark.parametrize("name", ["token", "password", "multi-line", "int", "variable"])
def test_every_file_is_still_what_it_was(name: str, ran, capsys, tmp_path: Path) -> None:
    run = ran(name, capsys)
    for file in ("predictions.jsonl", "scores.jsonl"):
        assert all(json.loads(line) for line in run[file].splitlines())
    from omegaconf import OmegaConf

    for text in run["config.yaml"].split("model_cfg:")[1:]:
        assert OmegaConf.create(f"model_cfg:{text}").recipe_cfg.scenario_cfg.size == 3


def test_the_model_gets_the_real_value(tmp_path: Path, capsys, monkeypatch) -> None:
    asked = tmp_path / "asked.txt"
    (tmp_path / "own.py").write_text(
        "from pathlib import Path\n"
        "from chef.models import Model\n\n\n"
        "class Own(Model):\n"
        "    name = 'own'\n\n"
        "    def __init__(self, *, api_key: str) -> None:\n"
        "        self.api_key = api_key\n\n"
        "    def generate_one(self, conversation, max_new_tokens):\n"
        f"        Path({str(asked)!r}).write_text(self.api_key + conversation[-1].text)\n"
        "        return 'yes ' + self.api_key\n"
    )
    monkeypatch.setenv("KEY", "another-secret-of-mine")
    given = _write(tmp_path, Source("", recipe="Say ${oc.env:KEY}"), end=False)
    Path(given[2]).write_text(f"plugins: [own.py]\nmodel_name: Own\napi_key: {TOKEN}\n")
    assert main(given) == 0
    assert TOKEN in asked.read_text()
    assert "Say another-secret-of-mine" in asked.read_text()
    journal = next((tmp_path / "results").rglob("predictions.jsonl")).read_text()
    assert "yes <redacted>" in journal
    assert "Say <redacted>" in journal
