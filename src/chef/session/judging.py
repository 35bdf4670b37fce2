"""Judge the answers of several runs: one judge after another, and each is loaded once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chef.common.device import free_memory
from chef.common.digest import digest
from chef.common.judgements import JudgementStatus, Judging
from chef.common.logs import logger
from chef.common.user_code import told
from chef.config import JudgeSection, ModelSpec
from chef.config.code_digest import of_code
from chef.engine.response_cache import ResponseCache
from chef.errors import ChefError, RunError
from chef.frozen import Frozen
from chef.guard.trust import seal
from chef.judge.fitting import judged_by
from chef.judge.stage import ImagesOf, JudgeName, Stage
from chef.judge.stored import EARLIER, judging_of
from chef.metric import Metric
from chef.models import Model, lifecycle
from chef.run.environment import JUDGING, describe_environment, reply_identity
from chef.run.folder import RunFolder
from chef.types import Prediction

_log = logger(__name__)


class JudgedRun(Frozen):
    """A run whose answers are to be judged; its folder is open and locked."""

    label: str
    folder: RunFolder
    section: JudgeSection
    metrics: Sequence[Metric]
    predictions: Sequence[Prediction]
    images_of: ImagesOf
    in_recipe: bool = True
    is_own: bool = True


@dataclass(slots=True)
class _Judge:
    """A judge, and the runs that it judges."""

    spec: ModelSpec
    model: Model
    name: JudgeName
    runs: list[int] = field(default_factory=list)
    sessions: dict[Path, dict[str, Any]] = field(default_factory=dict)


def judge_runs(
    runs: Sequence[JudgedRun],
    replies: Path,
    timeout: float | None = None,
    *,
    keep_going: bool = False,
) -> list[Judging | Exception]:
    """What judges say about each run, asked once; with ``keep_going`` the error in place of a run.

    No other model should be in memory. A `RunError` loses no judgement.
    """
    with ExitStack() as stack:
        failures: dict[int, Exception] = {}
        stages: dict[int, Stage] = {}
        judges: dict[str, _Judge] = {}
        of_run: dict[int, list[_Judge]] = {}

        @contextmanager
        def kept(*places: int) -> Iterator[None]:
            try:
                yield
            except Exception as error:
                if not keep_going:
                    raise
                failures.update(dict.fromkeys(places, error))

        for place, run in enumerate(runs):
            with kept(place):
                judged = judged_by(run.section, run.metrics)
                stage = Stage(
                    run.folder.path, judged, run.predictions, run.section.options.attempts,
                    run.images_of,
                )  # fmt: skip
                stages[place] = stack.enter_context(closing(stage))
                of_run[place] = [_judge_of(spec, judges) for spec in run.section.models]
                for judge in of_run[place]:
                    judge.runs.append(place)
                _warn_of_itself(run, of_run[place])
                if not _replaced(run, stage, of_run[place]):
                    _record(run, stage, of_run[place])
        for judge in judges.values():
            todo = [
                place
                for place in judge.runs
                if place not in failures and stages[place].open_units(judge.name)
            ]
            with kept(*todo):
                if todo:
                    _ask(judge, [(runs[place], stages[place]) for place in todo], replies, timeout)
        for place in of_run.keys() - failures.keys():
            _record_replaced(runs[place], stages[place], of_run[place])
        return [
            failures[place] if place in failures else _judging(stages[place], of_run[place])
            for place in range(len(runs))
        ]


def _judge_of(spec: ModelSpec, known: dict[str, _Judge]) -> _Judge:
    """The judge of a model file; two runs with the same file share it."""
    identity = digest([spec.effective(), spec.document.secret_digest(), of_code(spec.plugins)])
    if identity not in known:
        with _as_judge(spec.document.path.stem):
            model = spec.model.build()
            name = JudgeName(model.name, lifecycle.fingerprint(model))
        known[identity] = _Judge(spec, model, name)
    return known[identity]


def _ask(
    judge: _Judge,
    runs: Sequence[tuple[JudgedRun, Stage]],
    replies: Path,
    timeout: float | None,
) -> None:
    """Load a judge, and ask it about the answers of its runs; its memory is free afterwards."""
    plugins, secrets = judge.spec.plugins, judge.spec.document.secret_digest()
    identity = reply_identity(judge.name.fingerprint, plugins, secrets)
    try:
        with closing(ResponseCache(identity, replies)) as responses:
            with _as_judge(judge.name.name):
                lifecycle.prepare(judge.model)
            for run, stage in runs:
                with _as_judge(judge.name.name):
                    session = stage.ask(judge.name, judge.model, responses, run.label, timeout)
                judge.sessions[run.folder.path] = session
                _add_session(run, judge.name, session)
        for notice in lifecycle.notices(judge.model):
            _log.warning("judge %s: %s", judge.name.name, notice)
    finally:
        lifecycle.close(judge.model)
        free_memory()


@contextmanager
def _as_judge(name: str) -> Iterator[None]:
    """Turn an error into a `RunError` that says it is the judge's, and what is kept."""
    kept = "answers and judgements so far are kept"
    again = f"{kept}; the same command goes on"
    try:
        yield
    except Exception as error:
        if isinstance(error, ChefError):
            told_already = "the same command" in (error.hint or "")
            rest = kept if told_already else again
            hint = f"{error.hint}; {rest}" if error.hint else rest
            raise RunError(
                f"the judge {name} failed: {error.what}", where=error.where, hint=hint
            ) from error
        raise RunError(f"the judge {name} failed: {told(error)}", hint=again) from error


def _judging(stage: Stage, judges: Sequence[_Judge]) -> Judging:
    names = [(judge.name.name, judge.name.fingerprint) for judge in judges]
    judged = stage.judged
    return judging_of(judged.when, names, stage.judgements(), judged.kinds)


def _replaced(run: JudgedRun, stage: Stage, judges: Sequence[_Judge]) -> list[str]:
    """The judges whose judgements of the same kinds would no longer count: those of the record, if
    they are others.
    """
    record = run.folder.read_json("environment.json").get(JUDGING, {})
    before = {item["fingerprint"]: item["name"] for item in record.get("judges", [])}
    is_same = before.keys() == {judge.name.fingerprint for judge in judges}
    if is_same or set(stage.judged.kinds).isdisjoint(record.get("kinds", [])):
        return []
    return [*before.values()]


def _record_replaced(run: JudgedRun, stage: Stage, judges: Sequence[_Judge]) -> None:
    """Let the judgements of other judges count from now on, if there are any to be used."""
    if not (before := _replaced(run, stage, judges)):
        return
    new = {judge.name.fingerprint: judge.name.name for judge in judges}
    usable = (item for item in stage.judgements() if item.status is JudgementStatus.OK)
    if any(item.fingerprint in new for item in usable):
        _record(run, stage, judges)
        return
    _log.warning(
        "%s: no judgement of %s can be used; those of %s stay the ones that are scored",
        run.label, ", ".join(new.values()), ", ".join(before),
    )  # fmt: skip


def _warn_of_itself(run: JudgedRun, judges: Sequence[_Judge]) -> None:
    """Say which judge judges its own answers."""
    environment = run.folder.read_json("environment.json")
    for judge in judges:
        if judge.name.fingerprint == environment.get("model_fingerprint"):
            _log.warning(
                "%s: the judge %s is the model that gave the answers: judges tend to prefer their "
                "own", run.label, judge.name.name,
            )  # fmt: skip


def _record(run: JudgedRun, stage: Stage, judges: Sequence[_Judge]) -> None:
    """Write into environment.json who judges the run, and how."""
    environment = run.folder.read_json("environment.json")
    before = environment.get(JUDGING, {})
    known = before.get("judges", [])
    sessions = {item["fingerprint"]: item.get("sessions", []) for item in known}
    for judge in judges:  # those of judges that take the place of others are not there yet
        session, listed = judge.sessions.get(run.folder.path), judge.name.fingerprint
        if session is not None and session not in sessions.setdefault(listed, []):
            sessions[listed].append(session)
    kinds = list(stage.judged.kinds)
    last = {key: value for key, value in before.items() if key != EARLIER}
    others = [item for item in (last, *before.get(EARLIER, [])) if item]
    record = {
        "when": stage.judged.when,
        "kinds": kinds,
        "in_recipe": run.in_recipe,
        "judge_cfg": run.section.effective(),
        "versions": describe_environment()["versions"],
        "judges": [
            {
                "name": judge.name.name,
                "fingerprint": judge.name.fingerprint,
                "sessions": sessions.get(judge.name.fingerprint, []),
            }
            for judge in judges
        ],
        # Judgements of other kinds can still be scored.
        EARLIER: [item for item in others if set(kinds).isdisjoint(item["kinds"])],
    }
    run.folder.write_json("environment.json", {**environment, JUDGING: record})
    if run.is_own:
        written = run.folder.read_json("environment.json")[JUDGING]["judge_cfg"]
        seal(run.folder.path, JUDGING, written)


def _add_session(run: JudgedRun, judge: JudgeName, session: dict[str, Any]) -> None:
    """Add a session of a judge to environment.json."""
    environment = run.folder.read_json("environment.json")
    judging = environment[JUDGING]
    for item in judging["judges"]:
        if item["fingerprint"] == judge.fingerprint:
            item["sessions"] = [*item["sessions"], session]
    run.folder.write_json("environment.json", {**environment, JUDGING: judging})
