"""What reads the files of families that are no tables, and why.

The others have a mapping in ``table.yaml``, which `chef.scenario.mmtrusteval.mapped` reads.
``risk`` asks each picture all questions of its class, which stand in ``wording.yaml``; the
preferences split one file in two and draw the picture of a side; ``confaide`` pairs two files of
text; ``celebrities`` words its questions as a key of the recipe says; ``enron`` makes up the data
that it asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from chef.scenario.mmtrusteval.families import choices, privacy
from chef.scenario.mmtrusteval.items import TrustItem
from chef.scenario.mmtrusteval.source import TrustFiles

Reader: TypeAlias = Callable[[TrustFiles], Iterable[TrustItem]]

#: The reader of each family whose mapping is no data.
READERS: Mapping[str, Reader] = {
    reader.__name__: reader
    for reader in (
        choices.risk,
        choices.vision_preference,
        choices.subjective_preference,
        privacy.confaide,
        privacy.celebrities,
        privacy.enron,
    )
}
