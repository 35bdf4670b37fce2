"""Files in the manner of ChEF, MMTrustEval and VLMEvalKit load and run unchanged.

They were written from descriptions of the three systems by somebody who had not seen chef; what
they have to give stands beside them in ``expected.yaml``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from upstream_expected import FILES, printed_by

from chef.config.document import read_document
from chef.config.plugins import load_plugins
from chef.errors import ConfigError

#: Parts of files of their own: they bring no ingredient, and others import them.
PARTS = {
    "chef/evaluator/toy_evaluator.py",
    "vlmeval/configs/toy_presets.py",
    "vlmeval/configs/toy_registry.py",
    "vlmeval/configs/toy_series.py",
    "vlmeval/dataset/toy_metrics.py",
    "vlmeval/dataset/utils/toy_judging.py",
}
PLUGINS = sorted(
    str(path.relative_to(FILES)) for path in FILES.glob("*/**/*.py") if "scripts" not in path.parts
)


def test_there_are_files_of_every_system() -> None:
    assert {name.partition("/")[0] for name in PLUGINS} == {"chef", "mmte", "vlmeval"}
    assert set(PLUGINS) >= PARTS


@pytest.mark.parametrize("name", PLUGINS)
def test_a_file_loads(name: str, tmp_path: Path) -> None:
    recipe = tmp_path / "r.yaml"
    recipe.write_text(f"plugins: [{FILES / name}]\n")
    document = read_document(recipe)
    if name not in PARTS:
        load_plugins([str(FILES / name)], document)
        return
    with pytest.raises(ConfigError, match="defines no scenario"):
        load_plugins([str(FILES / name)], document)


@pytest.mark.parametrize(
    "script", sorted(str(path.relative_to(FILES)) for path in FILES.glob("*/scripts/*.py"))
)
def test_a_script_runs_once_fronts_are_imported(script: str, tmp_path: Path) -> None:
    assert printed_by(FILES / script, tmp_path)
