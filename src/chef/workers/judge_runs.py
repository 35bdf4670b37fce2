"""Judge the answers of finished runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from chef.common.judgements import Judging
from chef.common.logs import logger
from chef.config import JudgeSection, Recipe
from chef.config.judge import load_judge
from chef.errors import ConfigError, DataError
from chef.image import Image
from chef.judge.fitting import check_metrics
from chef.judge.stage import ImagesOf
from chef.judge.stored import REPLIES
from chef.metric import Metric
from chef.report.run_report import RunReport
from chef.run.configuration import CONFIG
from chef.run.environment import JUDGING
from chef.run.folder import RunFolder
from chef.run.reading import read_json
from chef.scoring.override import MetricOverride
from chef.scoring.record import RunRecord
from chef.scoring.run_folder import Prepared, trusted_record
from chef.workers.judging import JudgedRun, judge_runs

_log = logger(__name__)
#: What the names of the files get where the recipe of the run has no judge.
MARK = "_judged"


@dataclass(frozen=True, slots=True)
class _Opened:
    """A run folder, open, with what is judged in it."""

    record: RunRecord
    folder: RunFolder
    prepared: Prepared
    section: JudgeSection
    in_recipe: bool


def judge_folders(
    paths: Sequence[Path],
    files: Sequence[str | Path | Mapping[str, Any]] = (),
    overrides: Sequence[str] = (),
    *,
    recipe: Recipe | None = None,
    metric: str | None = None,
    replies: Path | None = None,
    timeout: float | None = None,
    trust_plugins: bool = False,
) -> Iterator[RunReport]:
    """Ask judges about the answers of runs, score them, and yield the report of each.

    The judges of a run whose recipe has some are replaced in its config.yaml, and its results are
    written again. Results of other runs stay: the judged ones are in ``results_judged.json``.

    Args:
        paths: the run folders.
        files: as for `chef.config.judge.load_judge`; none: the judges that the run had.
        overrides: ``key=value`` for keys of the section.
        metric: the name of a metric that is used instead of the run's own.
        recipe: the recipe that defines the metrics, instead of the run's own.
        replies: the folder of the judges' replies; None for the one beside the models' folders.
        timeout: the most seconds of one call of a judge's model.
        trust_plugins: see `chef.scoring.run_folder.rescore_run`.

    Raises:
        DataError: there is no run, or no answer in it.
        ConfigError: a file or a key is wrong, or no metric of a run uses what the judge says.
        RunError: a judge failed. Answers and judgements so far are kept.
    """
    # Another judge is asked what the recipe asks; another metric may need another kind.
    section_of = partial(_section, files, overrides, keep_keys=metric is None)
    override = MetricOverride(metric, recipe=recipe)
    with ExitStack() as stack:
        opened = [
            _open(path, section_of, override, stack, trust_plugins=trust_plugins)
            for path in {path.resolve(): path for path in paths}.values()
        ]
        runs = [
            JudgedRun(
                item.prepared.runs[0].label,
                item.folder,
                item.section,
                [run.metric for run in item.prepared.runs],
                item.prepared.answers,
                _images_of(item.record),
                item.in_recipe,
            )
            for item in opened
        ]
        for run in runs:
            _log.info("%s: the answers are judged by %s", run.folder.path, run.section.names)
        place = replies or opened[0].record.path.resolve().parents[2] / REPLIES
        for item, judging in zip(opened, judge_runs(runs, place, timeout), strict=True):
            assert not isinstance(judging, Exception)
            said = partial(_said, judging)
            done = item.prepared.score(item.folder, said, "" if item.in_recipe else MARK)
            if not item.in_recipe:
                _log.info(
                    "%s: the recipe of this run has no judge: the judged scores are in %s, and "
                    "results.json stays as it is", item.record.path, done.file.name,
                )  # fmt: skip
            yield RunReport.of_scores(done, item.record.model_name)


def _section(
    files: Sequence[str | Path | Mapping[str, Any]],
    overrides: Sequence[str],
    path: Path,
    known: Mapping[str, Any] | None,
    *,
    in_recipe: bool,
    keep_keys: bool,
) -> JudgeSection:
    """The judges of a run: those that are given, else those that it had.

    Args:
        files: as in `judge_folders`.
        overrides: as in `judge_folders`.
        path: the run folder.
        known: the section that the run had; None if it had none.
        in_recipe: whether that section stands in the run's recipe.
        keep_keys: whether other judges get the keys of such a section.
    """
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
    trust_plugins: bool,
) -> _Opened:
    """Open and lock a run folder, and check that its metrics use the judges."""
    record = trusted_record(path, trust_plugins=trust_plugins)
    own, before = record.judge_cfg, read_json(path / "environment.json").get(JUDGING) or {}
    known = own if own is not None else before.get("judge_cfg")
    section = section_of(path, known, in_recipe=own is not None)
    config = dict(record.config)
    if own is not None:
        recipe = config["recipe_cfg"]
        evaluation = {**recipe["eval_cfg"], "judge_cfg": section.effective()}
        config["recipe_cfg"] = {**recipe, "eval_cfg": evaluation}
    folder = stack.enter_context(RunFolder(path, record.config))
    prepared = Prepared.of(record, folder, override)
    metrics = [run.metric for run in prepared.runs]
    check_metrics(section, metrics, f"{path / CONFIG}: metric_cfg")
    if own is not None:
        folder.replace_config(config)
    return _Opened(record, folder, prepared, section, own is not None)


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
