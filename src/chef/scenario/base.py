"""What every scenario offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from chef.types import Sample


class Scenario(ABC):
    """A data set with one kind of question.

    A subclass takes its ``scenario_cfg`` keys as annotated keyword arguments of ``__init__``:
    the recipe is checked against them, so a misspelt key is refused before anything runs.
    ``__init__`` stays cheap (no download, no decoding); samples are made when asked for.

    Attributes:
        name: the folder of its results.
        task: which instruction pool words its questions (``VQA``, ``counting``, ...).
        has_wordings: whether there is such a pool; False: questions are asked as they are.
        metric: the metric that ``metric_type: basic`` stands for.
        protocols: the metrics that other protocols stand for (``LAMM``, ``KOSMOS``,
            ``Calibration``, ...), by protocol.
        system_message: sent before every conversation, if not empty.
        random_accuracy: what guessing scores, in 0..1, where that is defined.
    """

    name: str
    task: str
    has_wordings: bool = True
    metric: str
    protocols: ClassVar[Mapping[str, str]] = {}
    system_message: str = ""
    random_accuracy: float | None = None

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, index: int) -> Sample:
        """Sample number ``index``, the same whenever asked.

        Raises:
            SampleError: this sample is malformed; it is recorded, and the run goes on.
        """

    def pool(self) -> Scenario | None:
        """Where in-context examples come from; None: from this scenario itself."""
        return None

    def group(self, index: int) -> str | None:  # noqa: ARG002
        """What sample ``index`` is scored together with: rotations of one question, say.

        A subset (``--sample_len``) takes whole groups; None: the sample stands alone.
        """
        return None

    def fingerprint(self) -> str:
        """Names the data, where files decide it: a run does not resume on changed files."""
        return ""

    @abstractmethod
    def sample_id(self, index: int) -> str:
        """The id of sample ``index`` without making it (a finished sample is not made again)."""
