"""Check all recipes before the first question, and collect what is wrong with any of them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import field

from chef.common.logs import logger
from chef.common.user_code import user_place
from chef.config import Recipe
from chef.config.scenario import Shared
from chef.errors import ConfigError, SeveralErrors, first_line
from chef.evaluator import Evaluator
from chef.frozen import Frozen
from chef.inferencer.base import has_own_loop
from chef.instruction.model_prompt import dataset_of
from chef.models import Model
from chef.run.plan import RunOptions
from chef.session.recipe_run import RecipeRun
from chef.session.settings import ALLOWED
from chef.types import Generate, Request, Sample, Score

_log = logger(__name__)
#: Of more recipes that share an error, not all are named.
_TOLD = 12


class RecipeFailure(Frozen):
    """A recipe that cannot run or did not finish, or a wrong model file (``model`` empty)."""

    recipe: str
    error: Exception
    model: str = ""

    @property
    def why(self) -> str:
        """The first line of the error."""
        return first_line(self.error)


class Checked(Frozen):
    """The recipes that can run, and those that cannot."""

    runs: list[RecipeRun] = field(default_factory=list)
    failures: list[RecipeFailure] = field(default_factory=list)


def check_recipes(
    recipes: Sequence[Recipe],
    options: RunOptions,
    model: Model | None,
    shared: Shared | None = None,
) -> Checked:
    """Put the ingredients of every recipe together, and make its first request."""
    checked, shared = Checked(), shared or Shared()
    name = "" if model is None else model.name
    for recipe in recipes:
        for notice in recipe.notices:
            _log.warning("%s: %s", recipe.document.path, notice)
        try:
            evaluator = Evaluator(recipe, options.of_recipe(recipe.seed), shared)
            if model is not None:  # as in the real run
                _word_for(evaluator, model)
            for key in ("precision", "items"):
                if getattr(options, key) is not None:
                    from chef.session.drawing import check_mean

                    check_mean(recipe, evaluator.metric, f"--{key} (Python: {key}=)")
            preview = evaluator.preview()
            if model is not None and not has_own_loop(evaluator.inferencer):
                for request in _kinds(evaluator, preview.request):
                    model.check_request(request)
        except Exception as error:
            checked.failures.append(RecipeFailure(recipe.label, error, name))
            continue
        checked.runs.append(RecipeRun(evaluator, preview))
    return checked


def _word_for(evaluator: Evaluator, model: Model) -> None:
    """Let the instruction word its samples for a model; `ConfigError` without such a prompt."""
    evaluator.instruction.drop_example_images(model.max_images)
    try:
        evaluator.instruction.word_for(model, dataset_of(evaluator.scenario))
    except ConfigError as error:
        raise evaluator.recipe.document.located(error) from None


def _kinds(evaluator: Evaluator, first: Request) -> Sequence[Request]:
    """A request of each kind that is known to come: a chain of thought comes before options."""
    later = isinstance(first, Generate) and evaluator.inferencer.scores_options
    return [first, Score(first.conversation, ("A",))] if later else [first]


def check_scoring(evaluator: Evaluator, sample: Sample) -> None:
    """Check before the first question what the answers will be scored with; raises `ChefError`."""
    check_judges(evaluator.recipe)
    _warn_of_metrics(evaluator, sample)


def check_columns(evaluator: Evaluator, allow: Sequence[str]) -> None:
    """Refuse a table of which no column is known to hold the images, or none the answers."""
    use = evaluator.scenario.column_use()
    lacking = {
        role: near
        for role, near in (use.lacking if use is not None else {}).items()
        if ALLOWED[role] not in allow
    }
    if use is None or not lacking:
        return
    names = " and ".join({"images": "the images", "answer": "the answers"}[one] for one in lacking)
    left = ", ".join(f"'{name}'" for name in use.unused[:_TOLD])
    more = ", ..." if len(use.unused) > _TOLD else ""
    if use.headers:
        add = [
            f"rename the column of {role} to '{use.headers[role]}'"
            + (f" ('{near}' looks like it)" if near else "")
            for role, near in lacking.items()
        ]
        remedy = f"{', '.join(add)}, or say which it is: dataset_name: Records"
    else:
        add = [f"scenario_cfg.columns.{role}={near or 'NAME'}" for role, near in lacking.items()]
        remedy = f"add {' '.join(add)} (null says that there is none)"
    none = " ".join(ALLOWED[role] for role in lacking)
    raise ConfigError(
        f"no column is known to hold {names}, and {left}{more} would not be used",
        where=evaluator.recipe.document.where("scenario_cfg"),
        hint=f"{remedy}; --allow {none} asks it as it is",
    )


def check_judges(recipe: Recipe) -> None:
    """Check what can be checked of a recipe's judges without loading them; raises `ChefError`."""
    for spec in recipe.judge.models if recipe.judge is not None else ():
        judge = spec.model.build()
        try:
            judge.check_settings()
        except ConfigError as error:
            other = "let another model judge: --judge_cfg FILE"
            hint = f"{error.hint}; or {other}" if error.hint else other
            what = f"the judge {judge.name}: {error.what}"
            raise ConfigError(what, where=error.where, hint=hint) from error


def _warn_of_metrics(evaluator: Evaluator, sample: Sample) -> None:
    """Warn of a metric that cannot score one sample with stand-ins for the replies.

    It is no error, as the metric may be at fault with these alone. Programs of a user's own
    inferencer are not run.
    """
    if not type(evaluator.inferencer).__module__.startswith("chef."):
        return
    try:
        evaluator.rehearse(sample)
    except ConfigError as error:
        at = user_place(error)
        _log.warning(
            "%s: %s%s -> %s. The answers will be kept; once the metric is corrected, the same "
            "command scores them", evaluator.recipe.document.path, error.what,
            f" (at {at})" if at else "", error.hint,
        )  # fmt: skip


def _called_beside(text: str, recipe: str) -> str:
    """What a recipe is called beside the text of an error that names its file already.

    >>> _called_beside("my.yaml: has no image", "my.yaml (blind)")
    'blind'
    """
    file, _, title = recipe.removesuffix(")").rpartition(" (")
    return title if file and file in text else recipe


def raise_failures(failures: Sequence[RecipeFailure]) -> None:
    """Raise the errors of all recipes as one, each that several share once, if there are any."""
    several = len(failures) > 1
    told: dict[str, list[RecipeFailure]] = {}
    for failure in failures:
        told.setdefault(f"{type(failure.error).__name__}: {failure.error}", []).append(failure)
    for text, group in told.items():
        others = [item.recipe for item in group if item.recipe not in text]
        missing = list(dict.fromkeys(_called_beside(text, recipe) for recipe in others))
        if several and missing:
            more = f", and {len(missing) - _TOLD} more" if len(missing) > _TOLD else ""
            group[0].error.add_note(f"in {', '.join(missing[:_TOLD])}{more}")
    errors = [group[0].error for group in told.values()]
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise SeveralErrors.of(errors)
