"""What tests of the engine share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_servers import Served


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while Served.made:
        Served.made.pop().close()
