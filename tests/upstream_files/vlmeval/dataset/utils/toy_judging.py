"""An evaluator behind a data set: asks a judge, and falls back to the rule where there is none."""
from vlmeval.dataset.utils import build_judge, DEBUG_MESSAGE
from vlmeval.dataset.utils.judge_util import DEBUG_MESSAGE as MESSAGE
from vlmeval.smp import load, dump, get_logger, gpt_key_set, extract_json_objects
from vlmeval.utils import can_infer, track_progress_rich
from ...smp import toliststr
from ...utils import can_infer as infer

TEMPLATE = 'Does this answer name the colour {answer}? Answer: {prediction} Reply by Yes or No.'


class ToyJudgeEvaluator:

    def __init__(self, model='exact_matching', nproc=2, **judge_kwargs):
        self.model = None
        self.nproc = nproc
        if model != 'exact_matching':
            self.model = build_judge(model=model, **judge_kwargs)
            assert self.model.working(), DEBUG_MESSAGE

    def one(self, line):
        letter = can_infer(line['prediction'], {'A': line['answer'], 'B': 'another colour'})
        if letter or self.model is None:
            return dict(hit=int(letter == 'A'), log='rule')
        reply = self.model.generate(TEMPLATE.format(**line))
        return dict(hit=int(reply.strip().lower().startswith('yes')), log=reply)

    def __call__(self, lines):
        return track_progress_rich(self.one, [dict(line=line) for line in lines], nproc=self.nproc)
