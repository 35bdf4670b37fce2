"""`BaseTask`: a data set, a model, a method and evaluators, from questions to results."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from chef.common.jsonable import to_jsonable
from chef.common.mmtrusteval import TrustSample, content_of
from chef.common.version import VERSION
from chef.common.writing import write_json
from chef.config import Recipe, load_recipe
from chef.config.document import read_document
from chef.config.scenario import load_methods
from chef.config.tasks import USUAL
from chef.errors import ConfigError
from chef.fronts.mmte.parts import dataset_of, load_chatmodel
from chef.metric.mmtrusteval.base import Failure
from chef.metric.mmtrusteval.chain import PREDICTIONS, Processed, SequentialEvaluator
from chef.metric.mmtrusteval.chains import FAILURE_RATE, figures
from chef.metric.place import OutputsInMemory, Place
from chef.models.hooks.chef import method_name
from chef.models.hooks.mmtrusteval.model import generated
from chef.report.load import load_run
from chef.report.task_log import task_log, write_log
from chef.run.plan import RunOptions
from chef.scenario.hooks.mmtrusteval import BaseDataset
from chef.scoring.surroundings import RecipeJudge
from chef.session.settings import Settings
from chef.session.tasks import sessions_of
from chef.stats.estimate import Estimate
from chef.types import Compat, Generate

#: What is told of each sample besides predictions, and where a response has it.
COLUMNS = {"content": "content", "pred": "response", "label": "target", "extra": "extra"}


def evaluated(
    chains: Sequence[SequentialEvaluator],
    responses: Sequence[Mapping[str, Any]],
    place: Place | None = None,
) -> dict[str, Any]:
    """The evaluators' predictions (lists) and metrics by name, also of each subset.

    What several chains begin with is asked once.
    """
    preds, labels, extras = (
        [item[key] for item in responses] for key in ("response", "target", "extra")
    )
    names = [extra.get("subset") if isinstance(extra, Mapping) else None for extra in extras]
    subsets: dict[str, list[int]] = {}
    for number, subset in enumerate(names if names and names[0] is not None else []):
        if subset is not None:
            subsets.setdefault(str(subset), []).append(number)
    kept, results = OutputsInMemory(), dict[str, Any]()
    for chain in chains:
        done = chain.process(preds, labels, extras, place=place, kept=kept)
        results |= _lists(chain, done)
        results |= _metrics(chain, done, range(len(preds)))
        for name, members in subsets.items():
            metrics = _metrics(chain, done, members)
            results |= {
                f"{key}_{name}": value
                for key, value in metrics.items()
                if not key.endswith(f":{FAILURE_RATE}")
            }
    return results


def log_of(
    results: Mapping[str, Any], run: Mapping[str, Any], *, nan: bool = False
) -> dict[str, Any]:
    """The content of the log: figures, and a line for each sample; NaN is None unless ``nan``."""
    lists = {key: value for key, value in results.items() if isinstance(value, list)}
    length = max(map(len, lists.values()), default=0)
    lists = {key: value for key, value in lists.items() if len(value) == length}
    totals = {key: value for key, value in results.items() if key not in lists}
    return {
        "total_results": to_jsonable(totals, nan=nan),
        "per_sample_results": [
            to_jsonable({key: items[row] for key, items in lists.items()}, nan=nan)
            for row in range(length)
        ],
        "run": dict(run),
    }


def _lists(chain: SequentialEvaluator, done: Processed) -> dict[str, list[Any]]:
    """The predictions after each evaluator; those of the last one if a metric asks for them."""
    names = [f"{prefix}:{PREDICTIONS}" for prefix in chain.prefixes]
    if not chain.steps or PREDICTIONS not in chain.steps[-1].metrics_cfg:
        names = names[:-1]
    return {
        name: [None if isinstance(item, Failure) else item for item in done.outputs[name]]
        for name in names
    }


def _metrics(chain: SequentialEvaluator, done: Processed, of: Sequence[int]) -> dict[str, Any]:
    clusters = [str(number) for number in range(len(done.preds))]
    found = figures(chain, done, of, clusters)
    values = {
        key: item.value if isinstance(item, Estimate) else item for key, item in found.items()
    }
    if chain.compat != "upstream":
        return values
    return {key: math.nan if item is None else item for key, item in values.items()}


#: What a subclass may override.
_STEPS = (
    "get_evaluators", "get_method", "get_dataset", "get_model", "get_handlers", "get_dataloader",
    "generate", "eval", "save_results",
)  # fmt: skip


class BaseTask:
    """A data set, a model, at most one method, and chains of evaluators.

    `pipeline` runs on chef's engine: answers are journaled, and the same call resumes. Where a
    subclass overrides a step, the steps are run one by one in this process, without a journal.

    Args:
        dataset_id: one of the 133 data sets, or one of a class of a user's.
        model_id: one of MMTrustEval's models, a class of a user's, or a model file (``tiny``).
        method_cfg: ``{method_id: {key: value}}``; empty: no method.
        dataset_cfg: further keys of the data set, such as ``data_root``.
        generation_kwargs: how replies are generated; default: 50 tokens, greedily.
        evaluator_seq_cfgs: the chains: for each the keys of its evaluators by their ids.
        log_file: the JSON file of the results; None: they are kept in the run folder alone.
        compat: whose rules evaluators and data sets follow: ``corrected`` or ``upstream``.
        judge_cfg: the judge, as in a recipe; default: the model that an evaluator names.
        save_dir: the folder of run folders.
        limit: how many samples are asked, drawn at random; None: all.

    Attributes:
        evaluators: the chains, once `get_handlers` has run.
        method: the method, or None.
        dataset: the data set.
        model: the model.
    """

    task_ids: ClassVar[Sequence[str]] = ()

    def __init__(  # noqa: PLR0917 (MMTrustEval's order)
        self,
        dataset_id: str,
        model_id: str,
        method_cfg: Mapping[str, Any] | None = None,
        dataset_cfg: Mapping[str, Any] | None = None,
        generation_kwargs: Mapping[str, Any] | None = None,
        evaluator_seq_cfgs: Sequence[Mapping[str, Any]] = (),
        log_file: str | None = None,
        *,
        compat: Compat = "corrected",
        judge_cfg: Mapping[str, Any] | None = None,
        save_dir: str | Path = "results",
        limit: int | None = None,
    ) -> None:
        self.dataset_id, self.model_id = dataset_id, model_id
        self.method_cfg, self.dataset_cfg = dict(method_cfg or {}), dict(dataset_cfg or {})
        self.generation_kwargs = {**USUAL, **(generation_kwargs or {})}
        self.evaluator_seq_cfgs = [dict(item) for item in evaluator_seq_cfgs]
        self.log_file, self.compat, self.judge_cfg = log_file, compat, judge_cfg
        self.save_dir, self.limit = Path(save_dir), limit
        self.evaluators: list[SequentialEvaluator] = []
        self.method: Any = None
        self.dataset: Any = None
        self.model: Any = None

    @property
    def config(self) -> dict[str, Any]:
        """The content of a task file that says the same."""
        content: dict[str, Any] = {
            "dataset_id": self.dataset_id,
            "model_id": self.model_id,
            "method_cfg": self.method_cfg,
            "dataset_cfg": self.dataset_cfg,
            "generation_kwargs": self.generation_kwargs,
            "evaluator_seq_cfgs": self.evaluator_seq_cfgs,
            "compat": self.compat,
        }
        if self.log_file is not None:
            content["log_file"] = self.log_file
        if self.judge_cfg is not None:
            content["judge_cfg"] = dict(self.judge_cfg)
        return copy.deepcopy(content)

    def pipeline(self) -> dict[str, Any]:
        """Ask and evaluate every sample, and save the results; returns what `eval` does."""
        if all(getattr(type(self), name) is getattr(BaseTask, name) for name in _STEPS):
            return run_task(self.config, self.save_dir, self.limit)
        if self.limit is not None:
            raise ConfigError(
                "steps that are run one by one ask every sample",
                where="limit",
                hint="leave it out, or override no step",
            )
        self.get_handlers()
        responses = self.generate(self.get_dataloader(), **self.generation_kwargs)
        results = self.eval(responses)
        self.save_results(results)
        return results

    def get_handlers(self) -> None:
        """Make what the other steps use: evaluators, method, data set and model, in this order."""
        self.evaluators = self.get_evaluators()
        self.method = self.get_method()
        self.dataset = self.get_dataset()
        self.model = self.get_model()

    def get_evaluators(self) -> list[SequentialEvaluator]:
        """The chains."""
        return [
            SequentialEvaluator(item, self.compat, f"evaluator_seq_cfgs.{place}")
            for place, item in enumerate(self.evaluator_seq_cfgs)
        ]

    def get_method(self) -> Any:
        """The method; None where there is none."""
        spec = load_methods(self.method_cfg, read_document(self.config))
        return None if spec is None else spec.build()

    def get_dataset(self) -> Any:
        """The data set, whose samples the method has changed."""
        return dataset_of(self.dataset_id, self.method, self.dataset_cfg, self.compat)

    def get_model(self) -> Any:
        """The model; its weights are loaded when it is first asked."""
        return load_chatmodel(self.model_id)

    def get_dataloader(self) -> Iterable[list[dict[str, Any]]]:
        """The questions, in batches of one: ``message``, ``target`` and ``extra``."""
        return Loader(self.dataset)

    def generate(
        self, dataloader: Iterable[list[dict[str, Any]]], **generation_kwargs: Any
    ) -> list[dict[str, Any]]:
        """Ask every question: its ``content``, ``response`` (a text), ``target``, ``extra``."""
        responses = []
        for item in (item for batch in dataloader for item in batch):
            asked = copy.deepcopy(item["message"])  # some models change what they are given
            reply = self.model.chat(messages=asked, **generation_kwargs)
            text = generated(reply, Generate(()), method_name(self.model, "chat")).text
            content = item["message"][0]["content"]
            told = {key: item[key] for key in ("target", "extra")}
            responses.append({"content": content, "response": text, **told})
        return responses

    def eval(self, responses: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Lists of all samples (``A->B:pred_no_op``, ...), and metrics (``A->B:name_SUBSET``)."""
        judge = self._judge() if any(chain.needs_judge for chain in self.evaluators) else None
        place = Place(self.save_dir, self.model_id, self._no_scenario, judge)
        try:
            results = evaluated(self.evaluators, responses, place)
        finally:
            place.models.close()
            if judge is not None:
                judge.close()
        for name, key in COLUMNS.items():
            items = [item[key] for item in responses]
            if any(items) or self.compat != "upstream":
                results[name] = items
        return results

    def save_results(self, results: Mapping[str, Any]) -> None:
        """Write the results to ``log_file``, if there is one."""
        if self.log_file is None:
            return
        path = Path(self.log_file)
        path.parent.mkdir(parents=True, exist_ok=True)
        header = {"model": self.model_id, "dataset": self.dataset_id, "compat": self.compat}
        nan = self.compat == "upstream"
        write_json(path, log_of(results, {**header, "chef": VERSION}, nan=nan), nan=nan)

    def _judge(self) -> RecipeJudge | None:
        recipe: Recipe = load_recipe(self.config)
        return None if recipe.judge is None else RecipeJudge(recipe.judge, None)

    def _no_scenario(self) -> Any:
        raise ConfigError(
            "an evaluator asks for the scenario of a run, and the steps are run without one",
            hint="override no step, so that the task runs on the engine",
        )


def collate_fn(batch_data: Sequence[TrustSample]) -> list[dict[str, Any]]:
    """What a model is asked about each sample: ``message`` (one user turn), ``target``, ``extra``.

    >>> from chef.common.mmtrusteval import TxtSample
    >>> collate_fn([TxtSample("Is it?", 1)])
    [{'message': [{'role': 'user', 'content': 'Is it?'}], 'target': 1, 'extra': None}]
    """
    return [
        {
            "message": [{"role": "user", "content": content_of(item)}],
            "target": item.target,
            "extra": item.extra,
        }
        for item in batch_data
    ]


class Loader:
    """Batches of one sample, in the order of the data set."""

    def __init__(self, dataset: BaseDataset) -> None:
        self.dataset = dataset

    def __len__(self) -> int:
        return len(self.dataset)

    def __iter__(self) -> Iterator[list[dict[str, Any]]]:
        return (collate_fn([self.dataset[index]]) for index in range(len(self)))


def run_task(content: Mapping[str, Any], save_dir: Path, limit: int | None) -> dict[str, Any]:
    """Run a task, and write its log if it names a file; lists of the scored samples, metrics."""
    settings = Settings(RunOptions(limit), save_dir)
    ((session, _),) = sessions_of([content], settings=settings)
    (report,) = session.run()
    if log_file := content.get("log_file"):
        write_log(report, Path(log_file))
    log = task_log(load_run(report.folder), report)
    rows: list[dict[str, Any]] = log["per_sample_results"]
    names = dict.fromkeys(name for row in rows for name in row)
    return {**log["total_results"], **{name: [row.get(name) for row in rows] for name in names}}
