"""Judge the answers of finished runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from chef.common.judgements import Judging
from chef.common.logs import logger
from chef.config import JudgeSection, Recipe, load_recipe
from chef.config.judge import load_judge
from chef.errors import ConfigError, DataError
from chef.guard.trust import is_sealed, names_in, refuse
from chef.image import Image
from chef.judge.fitting import check_metrics
from chef.judge.stage import ImagesOf
from chef.judge.stored import REPLIES
from chef.metric import Metric
from chef.report.load import Run
from chef.run.configuration import CONFIG
from chef.run.environment import JUDGING
from chef.run.folder import RunFolder
from chef.run.reading import read_json
from chef.scoring.override import MetricOverride
from chef.scoring.record import RunRecord, trusted_record
from chef.scoring.result import RunResult
from chef.scoring.run_folder import Prepared
from chef.session.inputs import Reports, place_of
from chef.session.judging import JudgedRun, judge_runs

_log = logger(__name__)
#: What the names of the files get where the recipe of the run has no judge.
MARK = "_judged"


def judge_folders(
    paths: Sequence[Path],
    files: Sequence[str | Path | Mapping[str, Any]] = (),
    overrides: Sequence[str] = (),
    *,
    recipe: Recipe | None = None,
    metric: str | None = None,
    replies: Path | None = None,
    timeout: float | None = None,
    trust: bool = False,
) -> Iterator[RunResult]:
    """Ask judges about the answers of runs, score them, and yield the report of each.

    The judges of a run whose recipe has some are replaced in its config.yaml, and its results are
    written again. Results of other runs stay: the judged ones are in ``results_judged.json``.
    """
    # Another judge is asked what the recipe asks; another metric may need another kind.
    section_of = partial(_section, files, overrides, keep_keys=metric is None)
    override = MetricOverride(metric, recipe=recipe)
    with ExitStack() as stack:
        opened = [
            _open(path, section_of, override, stack, is_named=bool(files), trust=trust)
            for path in {path.resolve(): path for path in paths}.values()
        ]
        runs = [run for run, _ in opened]
        for run in runs:
            _log.info("%s: the answers are judged by %s", run.folder.path, run.section.names)
        place = replies or runs[0].folder.path.resolve().parents[2] / REPLIES
        for (run, prepared), judging in zip(opened, judge_runs(runs, place, timeout), strict=True):
            assert not isinstance(judging, Exception)
            said = partial(_said, judging)
            done = prepared.score(run.folder, said, "" if run.in_recipe else MARK)
            if not run.in_recipe:
                _log.info(
                    "%s: the recipe of this run has no judge: the judged scores are in %s, and "
                    "results.json stays as it is", run.folder.path, done.file.name,
                )  # fmt: skip
            yield done


def _section(
    files: Sequence[str | Path | Mapping[str, Any]],
    overrides: Sequence[str],
    path: Path,
    known: Mapping[str, Any] | None,
    *,
    in_recipe: bool,
    keep_keys: bool,
) -> JudgeSection:
    """The judges of a run: those that are given, else those that it had (``known``)."""
    if known is None and not files:
        raise ConfigError(
            "no judge is named, and the run had none",
            where="--judge_cfg",
            hint="name the model file of one: --judge_cfg FILE",
        )
    try:
        base = known if in_recipe and keep_keys else None
        return load_judge(files or [{"judge_cfg": known}], overrides, base)
    except ConfigError as error:
        if files:
            raise
        again = "or give the judge again with --judge_cfg FILE"
        hint = f"{error.hint}; {again}" if error.hint else again
        what = f"the judge that the run had cannot be asked again: {error.what}"
        raise ConfigError(what, where=str(path), hint=hint) from None


def _said(judging: Judging, metric: Metric) -> Judging:
    """What the judges say, which is the same for every metric."""
    del metric
    return judging


def _open(
    path: Path,
    section_of: Callable[..., JudgeSection],
    override: MetricOverride,
    stack: ExitStack,
    *,
    is_named: bool,
    trust: bool,
) -> tuple[JudgedRun, Prepared]:
    """Open and lock a run folder, and check that its metrics use the judges."""
    record = trusted_record(path, trust=trust)
    own, before = record.judge_cfg, read_json(path / "environment.json").get(JUDGING) or {}
    known = own if own is not None else before.get("judge_cfg")
    is_own = _check_known(record, known, in_recipe=own is not None, is_replaced=is_named)
    section = section_of(path, known, in_recipe=own is not None)
    config = dict(record.config)
    if own is not None:
        recipe = config["recipe_cfg"]
        evaluation = {**recipe["eval_cfg"], "judge_cfg": section.effective()}
        config["recipe_cfg"] = {**recipe, "eval_cfg": evaluation}
    folder = stack.enter_context(RunFolder(path, record.config, is_own=record.is_own))
    prepared = Prepared.of(record, folder.finished, override, folder.unreadable)
    metrics = [run.metric for run in prepared.runs]
    check_metrics(section, metrics, f"{path / CONFIG}: metric_cfg")
    if own is not None:
        folder.replace_config(config)
    label, images = prepared.runs[0].label, _images_of(record)
    run = JudgedRun(
        label, folder, section, metrics, prepared.answers, images, own is not None, is_own
    )
    return run, prepared


def _check_known(record: RunRecord, known: Any, *, in_recipe: bool, is_replaced: bool) -> bool:
    """Refuse what somebody else's judges name, as far as asked; whether they are one's own."""
    if is_replaced and not in_recipe:
        return True
    is_own = record.is_own if in_recipe else is_sealed(record.path, JUDGING, known)
    if not (record.trust or is_own):
        used = known
        if is_replaced and isinstance(known, Mapping):
            used = {key: value for key, value in known.items() if key != "model_cfg"}
        refuse(names_in(used), str(record.path), CONFIG if in_recipe else "environment.json")
    return is_own


def _images_of(record: RunRecord) -> ImagesOf:
    """Gives the images of a sample from the data of the run's scenario."""
    places: dict[str, int] = {}

    def images_of(name: str) -> Sequence[Image]:
        scenario = record.scenario
        if not places:
            places.update({scenario.sample_id(i): i for i in range(len(scenario))})
        if name not in places:
            raise DataError(
                "the data of the run has no such sample any more, so its images cannot be shown",
                where=f"sample '{name}'",
                hint="leave out judge_cfg.show_images",
            )
        return scenario[places[name]].images

    return images_of


def ask_judge(
    runs: str | Path | Run | RunResult | Sequence[str | Path | Run | RunResult],
    judge_cfg: str | Path | Mapping[str, Any] | Sequence[str | Path | Mapping[str, Any]] = (),
    *,
    options: Mapping[str, Any] | None = None,
    metric: str | None = None,
    recipe: str | Path | Mapping[str, Any] | Recipe | None = None,
    response_cache: str | Path | None = None,
    timeout: float | None = None,
    trust: bool = False,
    trust_plugins: bool = False,
) -> RunResult | Reports:
    """Ask judges about the answers of runs, and score them. The tested model is not asked.

    The same call resumes, and asks nothing that was asked before. Where the recipe of a run has no
    judge, its results stay, and the judged ones are in ``results_judged.json``.

    Args:
        runs: a run, its report or its folder, or several of them.
        judge_cfg: the model file of the judge or its content, several of them, or a file with the
            section ``judge_cfg`` or that section as a mapping; none: the judges that the run had.
        options: keys of ``judge_cfg``, such as ``{"kind": "equivalence"}``.
        metric: name of the metric to use instead of the metric of the run.
        recipe: the recipe that defines the metric, where it is not known by its name.
        response_cache: folder of the judges' replies; None for the one beside the models' folders.
        timeout: the most seconds of one call of a judge's model.
        trust: as in `score`.
        trust_plugins: the former name of ``trust``.

    Returns:
        The report of the run; of several runs `Reports`.

    Raises:
        DataError: there is no run, or no answer in it.
        ConfigError: a file or a key is wrong, or no metric of a run uses what the judge says.
        RunError: a judge failed. Answers and judgements so far are kept.
    """
    single = isinstance(runs, str | Path | Run | RunResult)
    several = [runs] if isinstance(runs, str | Path | Run | RunResult) else runs
    files: list[Any] = list(judge_cfg) if isinstance(judge_cfg, list | tuple) else [judge_cfg]
    if others := [one for one in files if not isinstance(one, str | Path | Mapping)]:
        raise ConfigError(
            f"an object of type {type(others[0]).__name__} is no judge",
            where="judge_cfg",
            hint="give its model file, or its content: {'plugins': ['my_judge.py'], "
            "'model_name': 'MyJudge'}",
        )
    changes = [f"{key}={json.dumps(value)}" for key, value in (options or {}).items()]
    chosen = recipe if recipe is None or isinstance(recipe, Recipe) else load_recipe(recipe)
    cache = None if response_cache is None else Path(response_cache)
    reports = Reports(
        judge_folders(
            [place_of(item) for item in several], files, changes, recipe=chosen, metric=metric,
            replies=cache, timeout=timeout, trust=trust or trust_plugins,
        )
    )  # fmt: skip
    return reports[0] if single else reports
