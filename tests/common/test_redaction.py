"""What is a secret, what is none, and what removing them costs."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest
from attack.leaking import FORMS

from chef.common.redaction import redact, redact_data, remember
from chef.common.writing import json_line, write_atomically, write_json, write_lines
from chef.config.document import read_document
from chef.guard.secrets import (
    is_secret_key,
    is_secret_variable,
    of_arguments,
    of_environment,
    within,
)

TOKEN = "sk-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_new_tokens", 512), ("max_tokens", 4096), ("tokenizer", "llama-tokenizer-2024"),
        ("pad_token_id", 151643), ("token_type", "word-piece-123"), ("eos_token", "<|im_end|>-12"),
        ("image_token", "<image_placeholder_0>"), ("num_tokens", 1234567890123), ("tokens", 16),
        ("answer_key", "reference_ans_01"), ("image_key", "image_file_name_2"), ("gt_key", "gt_2"),
        ("key", "column"), ("keys", ["one", "two"]), ("token", 7), ("author", "somebody-1234567"),
        ("passes", 3), ("keyword", "abc123456789def"), ("secretary", "abc123456789def"),
        ("bypass", "abc123456789def"), ("monkey", "abc123456789def"), ("token_budget", 10**12),
        ("compass", "abc123456789def"), ("session", "abc123456789def"), ("path", "/data/abc123"),
    ],
)  # fmt: skip
def test_what_is_no_secret_stays(name: str, value: object, tmp_path: Path) -> None:
    assert not is_secret_key(name, value)
    document = read_document({name: value})
    assert document.public() == {name: value}
    assert redact(f"it is {value}") == f"it is {value}"


@pytest.mark.parametrize(
    "text",
    [
        "Basic skills of a bearer token economy", "Is the password: correct or incorrect?",
        "See https://example.org/a?page=12345678&lang=python&code=python3&key=answer#section-2",
        "git clone ssh://gituser@example.org/repo", "a = bbbbbbbb, key=value, token=word",
        "The basic QUFBQUFB and the bearer of news", "https://example.org:8080/path@version",
    ],
)  # fmt: skip
def test_ordinary_texts_stay(text: str) -> None:
    assert read_document({"prompt": text}).public() == {"prompt": text}
    assert redact(text) == text


def test_a_variable_that_is_no_path_and_cannot_be_one() -> None:
    long = "/" + "a1" * 3000
    assert long in set(of_environment({"MY_TOKEN": long}))
    assert "~nobody-here/x1" in set(of_environment({"MY_TOKEN": "~nobody-here/x1"}))


@pytest.mark.parametrize("name", ["PATH", "HOME", "PWD", "OLDPWD", "TOKENIZERS_PARALLELISM"])
def test_variables_that_are_no_secrets(name: str) -> None:
    assert not is_secret_variable(name)
    assert list(of_environment({name: "some/value-123456789"})) == []


@pytest.mark.parametrize("secret", ["x", "12345", "yes", "42", ""])
def test_a_short_secret_goes_from_its_key_and_from_nothing_else(secret: str) -> None:
    document = read_document({"api_key": secret, "text": f"yes or 12345 x42 {secret}"})
    assert document.public()["api_key"] in ("<redacted>", "")
    assert redact(f"yes or 12345 x42 {secret}") == f"yes or 12345 x42 {secret}"


def test_the_digits_of_other_numbers_are_no_secret() -> None:
    remember(["123456", "hidden"])
    for text in ("0.123456", "9123456", "1234567", "3.123456", "unhiddenly", "HIDDEN"):
        assert redact(text) == text
    assert redact("pin 123456, hidden.") == "pin <redacted>, <redacted>."
    data = {"scores": [0.123456, 1234567], "answer": 123456, "123456": True}
    assert redact_data(data) == {
        "scores": [0.123456, 1234567], "answer": "<redacted>", "<redacted>": True,
    }  # fmt: skip


def test_redacting_twice_changes_nothing() -> None:
    remember([TOKEN, "redacted", "<redacted>"])
    once = redact(f"a {TOKEN} redacted b")
    assert once == "a <redacted> redacted b"
    assert redact(once) == once


def test_a_secret_in_another_leaves_no_rest() -> None:
    remember(["abcdefgh", "abcdefgh-ijklmnop"])
    assert redact("abcdefgh-ijklmnop abcdefgh") == "<redacted> <redacted>"


@pytest.mark.parametrize(
    ("argument", "secret"),
    [
        (f"model_cfg.api_key={TOKEN}", TOKEN),
        (f"hf_token={TOKEN}", TOKEN),
        ("scenario_cfg.url=https://me:open-sesame@host/x", "open-sesame"),
        ("--ray-address=ray://u:open-sesame@host", "open-sesame"),
    ],
)
def test_the_command_line_holds_secrets(argument: str, secret: str) -> None:
    assert secret in set(of_arguments([argument]))
    assert not set(of_arguments(["scenario_cfg.size=123456", "max_new_tokens=512"]))


def test_a_line_without_a_secret_costs_microseconds() -> None:
    remember([TOKEN, "hunter2-hunter2", "a password of words 77"])
    record = {"id": "n1", "answer": "The cat sat. " * 30, "query": "What is it? " * 60}
    redact_data(record)
    times = []
    for _ in range(50):
        begin = time.process_time()
        redact(json.dumps(record))
        times.append(time.process_time() - begin)
    assert min(times) < 5e-3  # some 30 us on an idle core


@pytest.mark.parametrize(
    "text",
    [
        "\\" * 40_000, "\\n" * 20_000, "s" * 40_000, "sk-" * 14_000, " " * 40_000,
        (TOKEN[:-1] + "\n") * 1000, (TOKEN[:-1] + "\\" * 40) * 400, "%25" * 14_000,
        ("a password" + " \n" * 50) * 1000, "&amp;" * 40_000, "73" * 20_000,
    ],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    remember([TOKEN, "a password of words 77"])
    begin = time.process_time()
    redacted = redact(f"{text} {TOKEN} a password of words 77")
    assert time.process_time() - begin < 20
    assert redacted.endswith(" <redacted> <redacted>")


def test_threads_may_remember_and_redact_at_once() -> None:
    wrong: list[str] = []

    def work(number: int) -> None:
        for place in range(8):
            secret = f"secret-{number}-{place}-of-a-thread"
            remember([secret])
            if secret in redact(f"x {secret} y"):
                wrong.append(secret)

    threads = [threading.Thread(target=work, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert redact("secret-3-7-of-a-thread") == "<redacted>"


def test_every_writer_removes_secrets(tmp_path: Path) -> None:
    remember([TOKEN, "8675309424242"])
    content = {"a": [f"x {TOKEN}", 8675309424242], TOKEN: {"b": "\ud800"}}
    write_json(tmp_path / "a.json", content)
    write_lines(tmp_path / "b.jsonl", [{"a": TOKEN, "b": 8675309424242}])
    write_atomically(tmp_path / "c.txt", f"{TOKEN} \udcff 8675309424242")
    assert json.loads((tmp_path / "a.json").read_text()) == {
        "a": ["x <redacted>", "<redacted>"], "<redacted>": {"b": "\ufffd"},
    }  # fmt: skip
    assert (tmp_path / "b.jsonl").read_text() == '{"a":"<redacted>","b":"<redacted>"}\n'
    assert (tmp_path / "c.txt").read_text() == "<redacted> \ufffd <redacted>"
    assert json_line({"n": 1.5}) == b'{"n":1.5}\n'


def test_other_keys_resume_a_run_and_share_no_reply(tmp_path: Path) -> None:
    one, two = (read_document({"api_key": key, "n": 1}) for key in (TOKEN, TOKEN[::-1]))
    assert one.public() == two.public()  # so the run goes on
    assert one.secret_digest() != two.secret_digest()  # which names the replies
    assert read_document({"n": 1}).secret_digest() == ""
    begin = time.perf_counter()
    one.secret_digest()
    assert time.perf_counter() - begin > 0.005  # guessing takes long


def test_a_fingerprint_does_not_tell_a_key() -> None:
    from chef.models import Model

    class Own(Model):
        name = "own"

        def __init__(self, key: str, size: int) -> None:
            self.api_key, self.size = key, size

    assert Own("1234", 3).fingerprint() == Own("9876", 3).fingerprint()
    assert Own("1234", 3).fingerprint() != Own("1234", 4).fingerprint()


@pytest.mark.parametrize("word", ["answer", "status", "truncated", "sample_id", "metrics"])
def test_a_password_that_is_a_word_of_a_file_leaves_it_readable(word: str) -> None:
    from chef.run.folder import decode, encode
    from chef.types import Prediction, Status

    remember([word])
    line = encode(Prediction("n1", Status.TRUNCATED, f"the {word} is", sample={"id": "n1"}))
    assert decode(line) == Prediction(
        "n1", Status.TRUNCATED, "the <redacted> is", sample={"id": "n1"}
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_found_where_nothing_else_hints_at_it(form: str) -> None:
    """A text that holds one form alone: no other form beside it makes the search begin."""
    remember([TOKEN])
    written = FORMS[form](TOKEN)
    shown = redact(f"before {written} after")
    assert "<redacted>" in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    assert len(shown) < len("before  after") + 60  # what stands around it in that form


LONG_SECRET = "".join(f"{number * 7919 % 9973:04d}-Key/{number:x}+\n" for number in range(3_000))


@pytest.mark.parametrize("form", ["plain", "json", "json-utf8", "base64", "base64url+1", "hex"])
def test_a_very_long_secret_goes_as_a_whole(form: str) -> None:
    remember([LONG_SECRET])
    shown = redact(f"before {FORMS[form](LONG_SECRET.strip())} after")
    assert "<redacted>" in shown
    assert len(shown) < 60
    assert redact("7919-Key/1") == "7919-Key/1"  # too short a part of it


def test_a_piece_of_a_very_long_secret_goes_in_every_form() -> None:
    secret = LONG_SECRET.replace("\n", "")[:2_000]
    remember([secret])
    for form in ("percent-all", "unicode-escapes", "hex:colons"):
        shown = redact(f"before {FORMS[form](secret)} after")
        assert len(shown) < 250, form
        assert shown.startswith("before <redacted>")


@pytest.mark.parametrize(
    ("name", "value", "is_secret"),
    [
        ("hf_token", "plain words", True), ("token", "short", True), ("accessToken", "abc", True),
        ("user_token", 12345678, True), ("token", 7, False), ("sas_token", 151643, False),
        ("judge_token", "short", False), ("judge_token", "9f86d081884c7d65", True),
        ("eos_token", "9f86d081884c7d65", False),
    ],
)  # fmt: skip
def test_a_token_that_lets_in_is_secret_however_it_looks(
    name: str, value: object, is_secret: bool
) -> None:
    assert is_secret_key(name, value) is is_secret


def test_a_password_of_an_address_is_known_as_it_is_typed() -> None:
    texts = set(within("https://host.example/v1?password=open+sesame%21+now%2Bhere"))
    assert texts == {"open+sesame%21+now%2Bhere", "open+sesame!+now+here", "open sesame! now+here"}
    remember(texts)
    assert redact("it is open sesame! now+here") == "it is <redacted>"


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        (JWT, {JWT}), (f"x-{JWT} and", {JWT}), (f"a.{JWT}", {JWT}),
        ("eyJshort.eyJzdWIiOiIxMjM0NTY3.dozjgNryP4J3jVmN", set()),
        ("x=1://me:hunter2a@host", {"hunter2a"}), ("a://b://me:hunter2a@host", {"hunter2a"}),
        ("api_key==sk1234567890", {"=sk1234567890"}), ("my-api-key=abc123def456", {"abc123def456"}),
    ],
)  # fmt: skip
def test_what_a_text_holds(text: str, secrets: set[str]) -> None:
    assert set(within(text)) == secrets


def test_each_private_key_of_a_text() -> None:
    one, two = (
        f"-----BEGIN {kind} PRIVATE KEY-----\nMIIE\n-----END {kind} PRIVATE KEY-----"
        for kind in ("RSA", "EC")
    )
    assert list(within(f"a {one} b {two} -----BEGIN PRIVATE KEY----- cut")) == [one, two]
