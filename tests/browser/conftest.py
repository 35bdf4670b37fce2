"""A browser for the tests of pages: Debian's chromium, without a window."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

#: Seconds that a page may take to show what a test waits for.
PATIENCE = 60.0


class Browser:
    """A browser in a few words.

    Attributes:
        driver: Selenium's.
    """

    #: Keys without a sign of their own, as WebDriver names them.
    TAB, ENTER, ESCAPE, DOWN = "\ue004", "\ue007", "\ue00c", "\ue015"

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def run(self, script: str, *arguments: Any) -> Any:
        """What a function body of JavaScript returns."""
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, *arguments: Any) -> Any:
        """The first result of a script that is true; an assertion fails if there is none."""
        end = time.monotonic() + PATIENCE
        while not (found := self.run(script, *arguments)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.02)
        return found

    def open(self, file: Path, address: str = "") -> None:
        """Load a page anew, and wait until it has drawn its list."""
        self.driver.get("about:blank")
        self.driver.get(file.as_uri() + address)
        self.until("return document.readyState === 'complete'")
        if self.run("return !!document.getElementById('samples')"):
            self.until("return document.documentElement.dataset.ready === 'true'")

    def text(self, selector: str) -> str:
        """The text of the first element, as its nodes hold it; empty if there is none."""
        found = self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        return str(found)

    def texts(self, selector: str) -> list[str]:
        """The text of each element."""
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
        return list(self.run(script, selector))

    def links(self, selector: str) -> list[str]:
        """The addresses of links, as they are written."""
        script = """return [...document.querySelectorAll(arguments[0])]
            .map((e) => e.getAttribute('href'))"""
        return list(self.run(script, selector))

    def click(self, selector: str) -> None:
        """A click as a person makes it: on what lies uppermost there."""
        from selenium.webdriver.common.by import By

        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def pick(self, selector: str, value: str) -> None:
        """Choose from a list."""
        self.run(
            "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            "e.dispatchEvent(new Event('change', {bubbles: true}));",
            selector, value,
        )  # fmt: skip

    def press(self, *keys: str) -> None:
        """Keys for whatever has the focus."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def shown_ids(self) -> list[str]:
        """The ids of the samples on this page of the list."""
        script = (
            "return [...document.querySelectorAll('#list a.open')].map((e) => e.dataset.sample)"
        )
        return list(self.run(script))

    def detail(self, sample: str) -> str:
        """The text of the open sample, once it is there."""
        self.until(
            "const d = document.getElementById('detail');"
            "return d.open && d.dataset.sample === arguments[0] && !d.querySelector('[aria-busy]')"
            " && d.querySelector('.view, .problem') !== null",
            sample,
        )
        return self.text("#detail .detail-body")

    def size(self, width: int, height: int = 900) -> None:
        """Set the size of the window's content."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def theme(self, name: str) -> None:
        """Set what the system prefers: ``light`` or ``dark``."""
        features = [
            {"name": "prefers-color-scheme", "value": name},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def complaints(self) -> list[str]:
        """What was written to the console since it was last asked for: errors, violations."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """The addresses that were asked for since they were last asked for."""
        messages = [json.loads(entry["message"]) for entry in self.driver.get_log("performance")]
        return [
            message["message"]["params"]["request"]["url"]
            for message in messages
            if message["message"]["method"] == "Network.requestWillBeSent"
        ]


@pytest.fixture(scope="session")
def started() -> Iterator[Browser]:
    """A browser for all files; a test that needs one is skipped where none is installed."""
    selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    driver_file = shutil.which("chromedriver")
    if chromium is None or driver_file is None:
        pytest.skip("no chromium or no chromedriver: apt-get install chromium chromium-driver")
    options = selenium.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = selenium.Chrome(
        options=options, service=selenium.ChromeService(executable_path=driver_file)
    )
    driver.set_script_timeout(PATIENCE)
    yield Browser(driver)
    driver.quit()


@pytest.fixture(scope="module")
def browser(started: Browser) -> Browser:
    """The browser, which remembers nothing of the pages of another file of tests."""
    started.driver.get("about:blank")
    everything = {"origin": "file://", "storageTypes": "all"}
    started.driver.execute_cdp_cmd("Storage.clearDataForOrigin", everything)
    started.size(1280)
    started.theme("light")
    return started


@pytest.fixture
def quiet(browser: Browser) -> Iterator[Browser]:
    """The browser; afterwards, nothing was complained of and no network was asked."""
    browser.complaints()
    browser.requests()
    yield browser
    assert browser.complaints() == []
    urls = browser.requests()
    assert urls
    assert [url for url in urls if not url.startswith(("file:", "data:", "about:"))] == []


@pytest.fixture(scope="module")
def write(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Writes a page to a folder of its own."""
    from chef.report.page.write import write_page

    def written(content: Any) -> Path:
        return write_page(content, tmp_path_factory.mktemp("page") / "report.html")[0]

    return written
