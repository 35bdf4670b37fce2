"""A page of 20,000 samples: how long it takes to write, to open and to filter, and its memory.

Then a run of as many answers is compared with itself, and the page of that is written, in seconds
of the processor: those of the clock depend on what else the machine does.

    PYTHONPATH=src:tests python benchmarks/page.py [SAMPLES]

The samples are those of ``tests/page_content.py``: each has three images, two in-context examples
and four options. The browser is Debian's chromium without a window, driven by Selenium. Opening is
the time from the start of the navigation until the list is drawn; filtering is the time of a click
or a typed letter until the new list is laid out, the largest of several.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from page_content import random_page
from runs_by_hand import outcomes, write_run

from chef.report.compare.compare import compare
from chef.report.load import load_run
from chef.report.page.write import write_page
from chef.suite.pages.pages import Pages

#: Runs an action and returns milliseconds until the page is laid out again.
TIMED = """
const start = performance.now();
{action}
document.body.getBoundingClientRect();
return performance.now() - start;
"""
ACTIONS = {
    "a verdict": "document.querySelector('.chip.wrong').click();",
    "no verdict": "document.querySelector('.chip.wrong').click();",
    "a category": "const e = document.getElementById('field-0'); e.value = 'count';"
    "e.dispatchEvent(new Event('change'));",
    "sorted by confidence": "document.querySelector('[data-sort=confidence-1]').click();",
    "reset": "document.getElementById('reset').click();",
    "sorted by question": "document.querySelector('[data-sort=question]').click();",
    "back to all": "document.getElementById('reset').click();",
}
SEARCH = """
const [word, done] = arguments;
const field = document.getElementById('search');
field.value = word;
const start = performance.now();
new MutationObserver((_, observer) => {
  observer.disconnect();
  document.body.getBoundingClientRect();
  done(performance.now() - start);
}).observe(document.getElementById('list'), {childList: true});
field.dispatchEvent(new Event('input'));
"""
#: The last sample of the list.
LAST = "return [...document.querySelectorAll('#list a.open')].pop().dataset.sample;"


def browser() -> Any:
    """Chromium without a window."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    return webdriver.Chrome(options=options, service=service)


def opened(driver: Any, page: Path) -> float:
    """Seconds until the list is drawn."""
    driver.get("about:blank")
    start = time.perf_counter()
    driver.get(page.as_uri())
    while not driver.execute_script("return document.documentElement.dataset.ready"):
        time.sleep(0.005)
    driver.execute_script("document.body.getBoundingClientRect()")
    return time.perf_counter() - start


def detail(driver: Any, sample: str) -> float:
    """Seconds until a sample whose details are in a file is shown."""
    start = time.perf_counter()
    driver.execute_script("location.hash = `sample=${arguments[0]}`", sample)
    while not driver.execute_script("return !!document.querySelector('#detail .view')"):
        time.sleep(0.005)
    return time.perf_counter() - start


def in_browser(page: Path, files: Sequence[Path], word: str) -> dict[str, Any]:
    """The size of a page and its files, and how long it takes to open, filter and search.

    Args:
        page: the page.
        files: those with the details of its samples.
        word: what is searched.
    """
    driver = browser()
    try:
        opening = sorted(opened(driver, page) for _ in range(3))[1]
        filtering = {
            name: driver.execute_script(TIMED.format(action=action))
            for name, action in ACTIONS.items()
        }
        last = driver.execute_script(LAST)
        filtering["a search"] = driver.execute_async_script(SEARCH, word)
        shown = detail(driver, last)
    finally:
        driver.quit()
    return {
        "page_mb": round(page.stat().st_size / 1e6, 1),
        "files": len(files),
        "files_mb": round(sum(file.stat().st_size for file in files) / 1e6, 1),
        "open_s": round(opening, 2),
        "filter_ms": {name: round(value) for name, value in filtering.items()},
        "largest_filter_ms": round(max(filtering.values())),
        "sample_s": round(shown, 2),
    }


def compared(samples: int, folder: Path) -> dict[str, float]:
    """The processor seconds of comparing a run with itself, and of writing that page."""
    text = "".join(random.Random(0).choices("RRRWWU", k=samples))
    run = write_run(folder, outcomes(text), samples={
        f"q{number}": {"category": "abcd"[number % 4]} for number in range(samples)
    })  # fmt: skip
    start = time.process_time()
    pair = [load_run(run), load_run(run)]
    comparison = compare(pair)
    middle = time.process_time()
    Pages(pair).comparison(comparison, folder / "comparison.html")
    end = time.process_time()
    return {"compare_s": round(middle - start, 1), "compare_page_s": round(end - middle, 1)}


def main() -> None:
    """Write, open, filter, compare; print JSON."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    content = random_page(samples)
    for name in (0, samples - 1):
        content.views(f"q{name}")  # draws the pictures, which is no part of writing
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        page, *files = write_page(content, Path(folder) / "report.html")
        written = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        result = {
            "samples": samples,
            "write_s": round(written, 1),
            "write_memory_mb": round((after - before) / 1024),
            **in_browser(page, files, "q1234"),
            **compared(samples, Path(folder) / "runs"),
        }
        print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
