"""What a judge can be asked about an answer: the base class of all kinds, and their names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.registry import Registry, recipe_name


class Wording(Frozen):
    """How a judge is asked: in ``prompt`` ``{name}`` stands for a text of `JudgeKind.texts`,
    ``{mark}`` for the word in the lines around these; ``reminder`` follows a reply that cannot be
    read.
    """

    prompt: str
    reminder: str


class JudgeKind(ABC):
    """One kind of question to a judge, and how its verdict is read.

    The last line of a reply is ``Verdict: [[...]]``; `read` gets what stands in the brackets,
    unless ``whole_reply`` is set.

    Args:
        wording: the name of one of its `wordings`.
        rubric: by what an answer is rated; only for a kind that has ``takes_rubric``.

    Raises:
        ConfigError: there is no such wording, or the kind takes no rubric.
    """

    #: How often each answer is judged; in each order its texts may stand elsewhere.
    orders: ClassVar[int] = 1
    #: Whether the key ``rubric`` belongs to it.
    takes_rubric: ClassVar[bool] = False
    #: Whether it compares with another answer: ``record["other_answer"]``, else the reference.
    compares: ClassVar[bool] = False
    #: Which answers are judged where the recipe does not say; see ``judge_cfg.when``.
    when: ClassVar[Literal["unread", "always"]] = "always"
    #: How often a question is asked until the reply can be read, where the recipe does not say.
    attempts: ClassVar[int] = 3
    #: How much warmer than the attempt before each attempt is sampled.
    warmer: ClassVar[float] = 0.0
    #: Whether a question is asked again in the same words, without the reply and a reminder.
    repeats: ClassVar[bool] = False
    #: Whether `read` gets the whole reply, which need not have the line of a verdict.
    whole_reply: ClassVar[bool] = False

    def __init__(self, *, wording: str = "default", rubric: str | None = None) -> None:
        wordings = self.wordings()
        if wording not in wordings:
            raise ConfigError(
                f"{recipe_name(type(self))} has no wording '{wording}'",
                where="wording",
                hint=nearest(wording, wordings),
            )
        if rubric is not None and not self.takes_rubric:
            raise ConfigError(
                f"{recipe_name(type(self))} takes no rubric",
                where="rubric",
                hint="remove the key, or use a kind that rates: kind: rating",
            )
        self.wording, self.rubric = wordings[wording], rubric

    @abstractmethod
    def wordings(self) -> Mapping[str, Wording]:
        """Its wordings by name; one is called ``default``."""

    @abstractmethod
    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        """The texts that its wording names, of a record in an order below ``orders``.

        Raises MissingTruthError where nothing is to judge by (the sample is not judged), DataError
        else.
        """

    @abstractmethod
    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> Any:
        """The reading of a verdict without outer blanks, as plain JSON; None where it is none."""


#: What `chef list judges` shows. A plugin adds a kind of its own by a subclass of `JudgeKind`.
JUDGE_KINDS: Registry[JudgeKind] = Registry(
    "judge",
    {
        "option": "chef.judge.kinds:Option",
        "equivalence": "chef.judge.kinds:Equivalence",
        "grade": "chef.judge.kinds:Grade",
        "rating": "chef.judge.kinds:Rating",
        "preference": "chef.judge.kinds:Preference",
        "extraction": "chef.judge.kinds:Extracted",
        "vlmevalkit_option": "chef.judge.kinds:VLMEvalKitOption",
        "vlmevalkit_yes_no": "chef.judge.kinds:VLMEvalKitYesNo",
        "vlmevalkit_grade": "chef.judge.kinds:VLMEvalKitGrade",
        "vlmevalkit_extraction": "chef.judge.kinds:VLMEvalKitExtracted",
    },
)
