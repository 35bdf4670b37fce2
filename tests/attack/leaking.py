"""A model and a scenario that do all they can to let a secret out; a plugin of the tests.

The settings of `Leaky` are those that `test_secrets.py` writes into its model files. It never
knows which of them is secret: it echoes the value, in every form, at every way out.
"""

from __future__ import annotations

import base64
import html
import json
import logging
import os
import shlex
import sys
import textwrap
import warnings
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote, quote_plus

from chef.errors import RunError
from chef.models import Model
from chef.scenario import Scenario
from chef.types import Generate, Generated, Sample

#: What stands before and after each form, so that a test sees that the form came that far.
BEFORE, AFTER = "<<{}:", ":{}>>"


def _b64(secret: str, before: str = "", after: str = "") -> str:
    return base64.b64encode(f"{before}{secret}{after}".encode()).decode()


def _urlsafe(secret: str, before: str = "", after: str = "") -> str:
    return base64.urlsafe_b64encode(f"{before}{secret}{after}".encode()).decode()


#: Every form in which a secret may show, by name.
FORMS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "quoted": repr,
    "json": json.dumps,
    "json-utf8": lambda secret: json.dumps(secret, ensure_ascii=False),
    "json-in-json": lambda secret: json.dumps(json.dumps({"key": secret})),
    "bytes": lambda secret: repr(secret.encode()),
    "shell": shlex.quote,
    "html": html.escape,
    "base64": _b64,
    "base64+1": lambda secret: _b64(secret, "u", "tail"),
    "base64+2": lambda secret: _b64(secret, "u:", "tail."),
    "base64url": _urlsafe,
    "base64url+1": lambda secret: _urlsafe(secret, "u", "tail"),
    "base64url+2": lambda secret: _urlsafe(secret, "u:", "tail."),
    "base64-lines": lambda secret: base64.encodebytes((secret * 3).encode()).decode(),
    "percent": lambda secret: quote(secret, safe=""),
    "percent-path": quote,
    "percent-lower": lambda secret: "".join(
        part if len(part) < 3 else part.lower()
        for part in (quote(letter, safe="") for letter in secret)
    ),
    "percent-all": lambda secret: "".join(f"%{byte:02X}" for byte in secret.encode()),
    "plus": quote_plus,
    "percent-twice": lambda secret: quote(quote(secret, safe=""), safe=""),
    "hex": lambda secret: secret.encode().hex(),
    "HEX": lambda secret: secret.encode().hex().upper(),
    "hex:colons": lambda secret: secret.encode().hex(":"),
    "upper": str.upper,
    "lower": str.lower,
    "unicode-escapes": lambda secret: "".join(f"\\u{ord(letter):04x}" for letter in secret),
    "wrapped": lambda secret: "\n".join(textwrap.wrap(secret, 20, drop_whitespace=False)),
    "wrapped-indented": lambda secret: "\n    ".join(
        textwrap.wrap(secret, 20, drop_whitespace=False)
    ),
    "in-a-url": lambda secret: f"https://user:{quote(secret, safe='')}@host.example/v1?a=1",
    "as-a-key": lambda secret: json.dumps({secret: 1}),
}


def marked(form: str, secret: str) -> str:
    """The secret in a form, between marks."""
    return BEFORE.format(form) + FORMS[form](secret) + AFTER.format(form)


def every_form(secret: str) -> str:
    """The secret in every form."""
    return "\n".join(marked(form, secret) for form in FORMS)


class Leaky(Model):
    """Echoes a setting wherever it can.

    Args:
        api_key: a setting.
        variable: the name of an environment variable that the model reads by itself.
        end: how it ends the run: by an error that stops it.
        options: any other setting.
    """

    name = "leaky"

    def __init__(
        self,
        *,
        api_key: object = None,
        variable: str | None = None,
        end: bool = False,
        options: Mapping[str, object] | None = None,
    ) -> None:
        found = [api_key, variable and os.environ[variable], *_leaves(options or {})]
        self.api_key = api_key
        self._found = [str(item) for item in found if item is not None]
        self._end, self._calls = end, 0
        self.seen: list[str] = []

    @property
    def _text(self) -> str:
        return "\n".join(every_form(item) for item in self._found)

    @property
    def notices(self) -> Sequence[str]:
        return (f"notice {self._text}",)

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        text = self._text
        self._calls += 1
        if self._calls == 1:
            print(f"printed {text}")
            print(f"printed on stderr {text}", file=sys.stderr)
            sys.stdout.write("written in pieces ")
            for letter in self._found[-1]:
                sys.stdout.write(letter)
            sys.stdout.write("\n")
            warnings.warn(f"warned {text}", stacklevel=1)
            logging.getLogger("requests.fake").error("logged %s", text)
            logging.getLogger("chef.fake").warning("logged by chef %s", text)
        if self._end:
            raise RunError(f"the end {text}", hint=text) from KeyError(text)
        replies = []
        for request in requests:
            shown = "".join(turn.text for turn in request.conversation)
            self.seen.append(shown)
            if "fails" in shown:
                raise ValueError(f"failed {text}")
            replies.append(Generated(f"answered {text}", tokens=1))
        return replies


def _leaves(node: object) -> list[object]:
    if isinstance(node, Mapping):
        return [leaf for item in node.values() for leaf in _leaves(item)]
    if isinstance(node, list | tuple):
        return [leaf for item in node for leaf in _leaves(item)]
    return [node]


class Asks(Scenario):
    """Questions, of which the second fails.

    Args:
        size: how many.
        text: stands in each question.
    """

    name = "Asks"
    task = "VQA"
    metric = "VQA"

    def __init__(self, *, size: int = 3, text: str = "") -> None:
        self.size, self.text = size, text

    def __len__(self) -> int:
        return self.size

    def sample_id(self, index: int) -> str:
        return f"q{index}"

    def __getitem__(self, index: int) -> Sample:
        question = f"{index} {'fails' if index == 1 else 'works'} {self.text}"
        fields = {"gt_choice": 0, "choices": ["yes", "no"], "told": self.text}
        return Sample(
            f"q{index}", question=question, options=("yes", "no"), answer="yes", fields=fields
        )
