// The start: reads the data, makes the controls, and follows the address.

let drawn = "";

/** Draw what the state says; what has not changed stays as it is. */
function draw(shown) {
  updateChosen(shown);
  const list = writeAddress({ ...shown, page: pageOf(shown), sample: null });
  if (list !== drawn) {
    drawKeepingFocus(shown);
    updateCount(shown);
    updateControls(shown);
    drawn = list;
  }
  drawSample(shown);
}

/** The list is made anew; the focus stays on the header that was clicked. */
function drawKeepingFocus(shown) {
  const header = document.activeElement?.dataset?.sort;
  drawList(shown);
  if (header) document.querySelector(`[data-sort="${CSS.escape(header)}"]`)?.focus();
}

/** After a sample is closed, the focus goes to it in the list; it may be open again by now. */
function onClosed() {
  if (byId("detail").open) return;
  const id = byId("detail").dataset.sample;
  delete byId("detail").dataset.sample;
  if (state.sample !== null) change({ sample: null });
  const link = [...document.querySelectorAll("#list a.open")].find((item) => item.dataset.sample === id);
  if (link) focusRow(link);
  else byId("samples").focus({ preventScroll: true });
}

function wireSearch() {
  let timer = 0;
  byId("search").addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => change({ q: event.target.value, page: 1 }, { isStep: false }), 80);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

function wireList() {
  byId("list").addEventListener("click", openByClick);
  byId("reset").addEventListener("click", reset);
  byId("look").addEventListener("click", toggleGallery);
  byId("copy-list").addEventListener("click", copyLink);
  byId("more").addEventListener("click", () => toggleChoices(byId("choices").hidden));
  byId("detail").addEventListener("close", onClosed);
  byId("detail").addEventListener("click", (event) => {
    if (event.target === byId("detail")) byId("detail").close();
  });
  byId("viewer").addEventListener("close", () => byId("viewer").replaceChildren());
  byId("open-help").addEventListener("click", openHelp);
  document.addEventListener("keydown", onKey);
}

/** A figure's link shows its samples: filters as it says, and the list in sight. */
function wireFigures() {
  for (const link of document.querySelectorAll("a.to-samples")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      change(readAddress(link.hash));
      byId("samples").scrollIntoView();
      byId("samples").focus({ preventScroll: true });
    });
  }
}

function start() {
  wireTheme();
  Object.assign(index, readJson("index"));
  if (index.kind === "labels") {
    startLabels();
    return;
  }
  if (index.kind === "suite") columnChoices();
  sortableTables();
  watchWidths();
  watchRuns();
  if (index.links.length) wirePicks();
  if (!index.rows.length) return;
  setShown(byId("look"), !index.links.length);
  makeControls();
  fillHelp();
  wireSearch();
  wireList();
  wireFigures();
  wirePrinting();
  fillSections();
  addEventListener("resize", () => { if (byId("viewer").open) layOut(); });
  listeners.push(draw);
  state = readAddress(location.hash);
  draw(state);
  addEventListener("hashchange", restore);
  addEventListener("popstate", restore);
  document.documentElement.dataset.ready = "true";
}

document.addEventListener("DOMContentLoaded", start);
