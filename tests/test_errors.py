"""What errors say, and that they cross processes."""

from __future__ import annotations

import copy
import pickle

import pytest

from chef import errors
from chef.errors import ChefError

FAMILY = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and kind.__module__ == errors.__name__
]


@pytest.mark.parametrize(
    ("where", "hint", "text"),
    [
        (None, None, "wrong"),
        ("a.yaml:3", None, "a.yaml:3: wrong"),
        (None, "do this", "wrong\n  -> do this"),
        ("a.yaml:3", "do this", "a.yaml:3: wrong\n  -> do this"),
    ],
)
def test_what_where_and_hint(where: str | None, hint: str | None, text: str) -> None:
    assert str(ChefError("wrong", where=where, hint=hint)) == text


@pytest.mark.parametrize("kind", FAMILY)
def test_every_error_survives_pickle_and_copy(kind: type[ChefError]) -> None:
    error = kind("wrong", where="here", hint="so")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is kind
        assert (twin.what, twin.where, twin.hint) == ("wrong", "here", "so")
        assert str(twin) == str(error)


def test_the_class_hierarchy_of_errors() -> None:
    assert all(issubclass(kind, ChefError) for kind in FAMILY)
    assert issubclass(errors.ImageError, errors.SampleError)
    assert issubclass(errors.SampleError, errors.DataError)
    assert issubclass(errors.DependencyError, errors.RunError)
    assert not issubclass(errors.ConfigError, errors.RunError)
