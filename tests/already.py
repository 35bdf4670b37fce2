"""What the process that forks commands (see forked.py) has done once, so that no command does it.

A fresh process compiles some hundred patterns at its first answer of each kind, and transformers
a thousand at the first model: most of a second each, the same in every command.
"""

from transformers.conversion_mapping import get_checkpoint_conversion_mapping

from chef.metric.vqa.accuracy import Accuracy
from chef.metric.vqa.yesno import YesNo
from chef.reading.numbers import extract_number

_ANSWER = "Well, it is not B. I see two of them, so the answer is yes: A, the cat, I think."
_OPTIONS = {"options": ["(A)", "(B)"], "choices": ["cat", "dog"], "gt_choice": 0}

get_checkpoint_conversion_mapping("llava")
for question in ("Is there a cat?", "What animal is it?", "How many cats are there?"):
    record = {"id": 0, "question": question, "answer": _ANSWER}
    Accuracy("").score_sample({**record, **_OPTIONS})
    Accuracy("").score_sample({**record, "gt_answers": ["cat"]})
    YesNo("").score_sample({**record, "gt_answers": "yes"})
    extract_number(_ANSWER, question)
