"""Tables of what a run folder of somebody else may hold; a line more is a case more.

`FILES` are replaced by links, one at a time; `NAMES` are what its files may name. Every command and
every function of the Python interface is tried on each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import yaml

#: The variable whose value no server may get, and the value.
VARIABLE, SECRET = "AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMIxK7MDENGbPxRfiCY"

#: Every file that chef reads, appends to, locks or replaces in a run folder.
FILES = (
    "config.yaml", "predictions.jsonl", "predictions.kept.jsonl", "judgements.jsonl",
    "evaluations.jsonl", "environment.json", "results.json", "results_Accuracy.json",
    "scores.jsonl", "errors.txt", "traceback.txt", "rows.json", "images.json",
    "stopped_early.json", ".lock", ".seal", "thumbnails", "report.html", "report_files",
    "results_judged.json", "scores_judged.jsonl", "vlmevalkit",
)  # fmt: skip
#: The commands; ``{run}`` is the folder, ``{other}`` another one, ``{place}`` a folder to write to.
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "eval": ("eval", "--model_cfg", "{place}/m.yaml", "--recipe_cfg", "{place}/r.yaml",
             "--save_dir", "{place}/out", "--run_name", "t"),
    "score": ("score", "{run}"),
    "score by": ("score", "{run}", "--metric", "Accuracy"),
    "judge": ("score", "{run}", "--judge"),
    "judge by": ("score", "{run}", "--judge", "{place}/judge.yaml"),
    "show": ("show", "{run}"),
    "show sample": ("show", "{run}", "--sample", "0"),
    "view": ("show", "{run}", "--page"),
    "compare": ("compare", "{run}", "{other}"),
    "export": ("show", "{run}", "--export", "--output", "{place}/e.csv", "--force"),
    "export vlmevalkit": ("show", "{run}", "--export", "vlmevalkit", "--force"),
    "runs": ("show", "{place}/out"),
    "trust": ("score", "{place}/out", "--suite", "trust"),
}  # fmt: skip
#: The same by the Python interface.
CALLS: Mapping[str, Callable[[Any, Path, Path, Path], object]] = {
    "chef.score": lambda chef, run, other, place: chef.score(run),
    "chef.ask_judge": lambda chef, run, other, place: chef.ask_judge(run),
    "chef.load_run": lambda chef, run, other, place: (
        chef.load_run(run).rows, chef.load_run(run).report
    ),
    "chef.compare": lambda chef, run, other, place: chef.compare(run, other),
    "chef.export": lambda chef, run, other, place: chef.export(
        run, output=place / "p.csv", force=True
    ),
    "chef.view": lambda chef, run, other, place: chef.view(run),
    "chef.evaluate": lambda chef, run, other, place: chef.evaluate(
        place / "m.yaml", place / "r.yaml", save_dir=place / "out", name="t"
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Naming:
    """What a file of a folder names.

    Attributes:
        change: puts it into the content of config.yaml and of environment.json, given the address
            of a server and a folder with files of the reader's.
        refused_by: the commands that would use it, and say so.
        sends: whether the server is asked where the command trusts the folder.
    """

    change: Callable[[dict[str, Any], dict[str, Any], str, Path], object]
    refused_by: tuple[str, ...] = ()
    sends: bool = False


def _judge(url: str, **more: Any) -> dict[str, Any]:
    model = {"model_name": "OpenAI", "base_url": url, "model": "m", "api_key_env": VARIABLE}
    return {"model_cfg": [model], "kind": "equivalence", "when": "always", **more}


def _evaluation(config: dict[str, Any]) -> dict[str, Any]:
    section: dict[str, Any] = config["recipe_cfg"]["eval_cfg"]
    return section


def _metric(config: dict[str, Any], **section: Any) -> None:
    _evaluation(config)["metric_cfg"] = section


def _chain(config: dict[str, Any], name: str, **keys: Any) -> None:
    chain = {name: {**keys, "metrics_cfg": {"pred_mean": {}}}}
    _metric(config, metric_type="Evaluators", evaluator_seq_cfgs=[chain])


def _scenario(config: dict[str, Any], **section: Any) -> None:
    config["recipe_cfg"]["scenario_cfg"] = section


def _judging(environment: dict[str, Any], section: dict[str, Any]) -> None:
    judges = [{"name": "m", "fingerprint": "f", "sessions": []}]
    record = {"when": "always", "judges": judges, "kinds": ["equivalence"], "judge_cfg": section}
    environment["judging"] = record


NAMES: Mapping[str, Naming] = {
    "judge in config.yaml": Naming(
        lambda c, e, url, own: _evaluation(c).update(judge_cfg=_judge(url)),
        ("judge", "chef.ask_judge"), sends=True,
    ),
    "judge in environment.json": Naming(
        lambda c, e, url, own: _judging(e, _judge(url)), ("judge", "chef.ask_judge"), sends=True,
    ),
    "a variable in the rubric of a judge": Naming(
        lambda c, e, url, own: _evaluation(c).update(
            judge_cfg=_judge(url, kind="rating", rubric=f"${{oc.env:{VARIABLE}}}")
        ), ("judge", "judge by", "chef.ask_judge"),
    ),
    "another run that a judge compares with": Naming(
        lambda c, e, url, own: _evaluation(c).update(
            judge_cfg=_judge(url, kind="preference", against=str(own))
        ), ("judge", "judge by", "chef.ask_judge"),
    ),
    "moderation": Naming(
        lambda c, e, url, own: _chain(
            c, "openai_moderation_api_eval", base_url=url, api_key_env=VARIABLE
        ), ("score", "chef.score"), sends=True,
    ),
    "Perspective": Naming(
        lambda c, e, url, own: _chain(
            c, "google_perspective_api_eval", base_url=url, api_key_env=VARIABLE
        ), ("score", "chef.score"), sends=True,
    ),
    "moderation at its usual place": Naming(
        lambda c, e, url, own: _chain(c, "openai_moderation_api_eval"), ("score", "chef.score"),
    ),
    "Perspective at its usual place": Naming(
        lambda c, e, url, own: _chain(c, "google_perspective_api_eval"), ("score", "chef.score"),
    ),
    "a judge of a chain": Naming(
        lambda c, e, url, own: (
            _chain(c, "chatmodel_eval", model_id="m"),
            _evaluation(c).update(judge_cfg=_judge(url)),
        ), ("score", "judge", "chef.score"),
    ),
    "a classifier of the hub": Naming(
        lambda c, e, url, own: _chain(c, "classifier_reject_eval", model_path="evil/model"),
        ("score", "chef.score"),
    ),
    "a classifier at its usual place": Naming(
        lambda c, e, url, own: _chain(c, "classifier_reject_eval"), ("score", "chef.score"),
    ),
    "a variable among the options of a metric": Naming(
        lambda c, e, url, own: _metric(c, metric_type="ANLS", threshold=f"${{oc.env:{VARIABLE}}}"),
        ("score", "chef.score"),
    ),
    "a variable at the end of two look-ups": Naming(
        lambda c, e, url, own: (
            c["model_cfg"].update(x=f"${{oc.env:{VARIABLE}}}"),
            _metric(c, metric_type="ANLS", threshold="${model_cfg.x}"),
        ), ("score", "chef.score"),
    ),
    "data of the reader": Naming(
        lambda c, e, url, own: _scenario(c, dataset_name="Tsv", path=str(own / "own.tsv")),
    ),
    "data of the hub": Naming(
        lambda c, e, url, own: _scenario(c, dataset_name="Records", path="evil/data"),
    ),
    "data behind a server": Naming(
        lambda c, e, url, own: _scenario(c, dataset_name="Tsv", path=f"{url}/own.tsv"),
    ),
    "an encoder": Naming(
        lambda c, e, url, own: _evaluation(c)["instruction_cfg"].update(
            incontext_cfg={"retriever_type": "topk_text", "encoder": "evil/encoder", "ice_num": 1}
        ),
    ),
    "a pool of wordings": Naming(
        lambda c, e, url, own: _evaluation(c)["instruction_cfg"].update(
            pool_file=str(own / "own.tsv")
        ),
    ),
    "a Python file": Naming(
        lambda c, e, url, own: c["recipe_cfg"].update(plugins=[str(own / "evil.py")]),
        ("score", "judge by", "chef.score"),
    ),
    "a recipe with a Python file": Naming(
        lambda c, e, url, own: e.update(recipe_file=str(own / "evil.yaml")),
    ),
}  # fmt: skip


def write_naming(run: Path, naming: Naming, url: str, own: Path) -> None:
    """Change the files of a run folder as a stranger would have them."""
    config = yaml.safe_load((run / "config.yaml").read_text())
    environment = json.loads((run / "environment.json").read_text())
    naming.change(config, environment, url, own)
    (run / "config.yaml").write_text(yaml.safe_dump(config))
    if _evaluation(config)["metric_cfg"].get("metric_type") == "Evaluators":
        (run / "results.json").unlink()  # it says that the metric is another one
    (run / "environment.json").write_text(json.dumps(environment))


class Listening:
    """A server that records what it is sent, and answers nothing of use.

    Attributes:
        url: its address.
        heard: path, headers and body of every request.
    """

    def __init__(self) -> None:
        heard: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                heard.append(f"{self.path}\n{self.headers}\n{body.decode(errors='replace')}")
                self.send_response(400)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *args: object) -> None:
                """Nothing is printed."""

        self.heard = heard
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
