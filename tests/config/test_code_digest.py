"""A comment, a docstring or another format of a plugin makes no new run; another code does."""

from __future__ import annotations

import pytest

from chef.common.digest import content_digest
from chef.config.code_digest import is_same_code, of_code, of_text, source_digest
from chef.run.configuration import differences

CODE = b'''
import chef

class Mine(chef.Scenario):
    """Made of nothing."""

    def ask(self, n=1):
        "A docstring."
        return [n, "text"]
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"import chef\n", b"import chef  # the package\n\n# and more\n"),
        (b"Made of nothing.", b"Made of something."),
        (b'        "A docstring."\n', b""),
        (b'[n, "text"]', b"[\n            n,\n            'text',\n        ]"),
        (b'"text"', b'u"text"'),
        (b'    """Made of nothing."""\n\n', b""),
    ],
)
def test_what_does_nothing_does_not_count(old: bytes, new: bytes) -> None:
    assert old in CODE
    one, other = source_digest(CODE), source_digest(CODE.replace(old, new))
    assert of_code([one]) == of_code([other])
    assert one != other
    assert is_same_code(one, other)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"n=1", b"n=2"),
        (b"def ask", b"def asks"),
        (b'[n, "text"]', b'(n, "text")'),
        (b'"text"', b'b"text"'),
        (b'        return [n, "text"]', b"        ..."),
        (b"import chef\n", b"import chef\nchef\n"),
        (b"class Mine", b"@x\nclass Mine"),
    ],
)
def test_what_does_something_counts(old: bytes, new: bytes) -> None:
    assert old in CODE
    assert not is_same_code(source_digest(CODE), source_digest(CODE.replace(old, new)))


def test_a_docstring_that_the_code_reads_counts() -> None:
    reads = CODE + b"PROMPT = Mine.__doc__\n"
    other = reads.replace(b"Made of nothing.", b"Made of something.")
    assert not is_same_code(source_digest(reads), source_digest(other))


def test_the_value_stays() -> None:
    assert of_code([source_digest(b"a = 1  # one\n")]) == ["e3d575f02c87ca833c9a50b3a36612aa"]


def test_a_folder_of_an_earlier_version_has_the_digest_of_the_text() -> None:
    now = source_digest(CODE)
    assert of_text([now]) == [content_digest(CODE)]

    def config(total: str, one: str) -> dict[str, object]:
        return {"decided_by": {"plugins": total, "plugin_files": {"mine.py": one}}}

    earlier = config("t", content_digest(CODE))
    assert differences(earlier, config("c:t", now)) == []
    edited = config("c:t2", source_digest(CODE + b"# once more\n"))
    assert differences(config("c:t", now), edited) == []
    (change,) = differences(earlier, edited)  # the earlier version cannot tell what it was
    assert change == "decided_by.plugins: the file mine.py has changed"
