// The list of samples, a page of it at a time, and the filters above it.

const PER_PAGE = 100;
/** So many samples are printed; a browser lays them out in a second or two. */
const PRINTED = 2000;
let chosen = { places: [], counts: [] };
let chosenFor = "";

/** The samples shown, in order; computed once for each choice. */
function updateChosen(shown) {
  const key = writeAddress({ ...shown, page: 1, sample: null });
  if (key === chosenFor) return false;
  chosen = choose(shown);
  chosenFor = key;
  return true;
}

const pages = () => Math.max(1, Math.ceil(chosen.places.length / PER_PAGE));
const pageOf = (shown) => Math.min(shown.page, pages());

/** Of more runs than these the list of an overview has a sign each, and not a column. */
const RUN_COLUMNS = 3;

/** The runs that have a column of their own: in an overview the chosen ones, or all of a few. */
function runsInColumns(shown) {
  if (index.links.length && shown.run) return [...new Set([shown.against - 1, shown.run - 1])];
  return index.links.length > RUN_COLUMNS ? [] : index.runs.map((_, place) => place);
}

/** The page of a run of an overview, at one of its samples. */
const pageLink = (row, place) => `${index.links[place]}#${new URLSearchParams({ sample: row[ID] })}`;

/** What became of a sample in every run, a sign each that leads to it. */
const signsCell = (row) => make("span", { class: "signs" }, row[RUNS].map((run, place) => {
  if (!run) return null;
  const { name, sign } = VERDICTS[run[VERDICT]];
  const what = `${index.runs[place]}: ${name}`;
  return make("a", { href: pageLink(row, place), class: `verdict ${name}`, title: what, "aria-label": what }, sign);
}));

/** The columns of the list: a header, the key of its order, and the cell of a row. */
function columns(shown) {
  const picture = { name: "Picture", kind: "picture", cell: (row, place) => drawSight(place, `picture of ${row[ID]}`) };
  const found = [
    ...(index.hasThumbnails ? [picture] : []),
    { name: "Sample", order: "id", kind: "id", cell: idCell },
    { name: "Question", order: "question", kind: "question", cell: (row) => dataText(row[QUESTION], { class: "clip" }) },
    { name: "Truth", order: "truth", kind: "truth", cell: (row) => dataText(row[TRUTH], { class: "clip" }) },
  ];
  if (index.runs.length > 1 || index.links.length) {
    const places = runsInColumns(shown);
    for (const place of places) found.push({
      name: index.runs[place], order: `verdict-${place + 1}`, kind: "run", cell: (row) => runCell(row[RUNS][place], row, place),
    });
    if (!places.length) found.push({ name: "Runs", kind: "signs-cell", isShown: true, cell: signsCell });
    return found;
  }
  found.push(
    { name: "Verdict", order: "verdict-1", kind: "verdict-cell", cell: (row) => row[RUNS][0] && verdictOf(row[RUNS][0]) },
    { name: "Answer", order: "answer-1", kind: "answer", cell: (row) => row[RUNS][0] && dataText(row[RUNS][0][ANSWER], { class: "clip" }) },
  );
  if (hasValue(0, SCORE)) {
    found.push({ name: "Score", order: "score-1", kind: "number", cell: (row) => row[RUNS][0] && shownScore(row[RUNS][0][SCORE]) });
  }
  if (hasValue(0, CONFIDENCE)) {
    found.push({ name: "Confidence", order: "confidence-1", kind: "number", cell: (row) => row[RUNS][0] && shownShare(row[RUNS][0][CONFIDENCE]) });
  }
  return found;
}

const verdictOf = (run) => verdictBadge(VERDICTS[run[VERDICT]].name);

/** Fields that tell what became of a sample; the first other one stands below its id. */
const OUTCOMES = new Set(["error", "status", "right option", "chosen option"]);
let tagged = null;

function idCell(row) {
  tagged ??= index.fields.findIndex(([name]) => !OUTCOMES.has(name));
  const field = row[FIELDS][tagged] >= 0 ? index.fields[tagged][1][row[FIELDS][tagged]] : null;
  const first = row[RUNS].findIndex(Boolean);
  const href = index.links.length ? pageLink(row, first) : writeAddress({ ...state, sample: row[ID] });
  return [
    make("a", { href, "data-sample": row[ID], class: "open" }, dataText(row[ID] || "(no id)", { class: "clip" })),
    field ? dataText(field, { class: "tag" }, "span") : null,
  ];
}

function runCell(run, row, place) {
  if (!run) return make("span", { class: "none" }, "not asked");
  const facts = [shownScore(run[SCORE]), shownShare(run[CONFIDENCE])].filter(Boolean).join(" · ");
  return [
    make("span", { class: "line" }, index.links.length ? make("a", { href: pageLink(row, place) }, verdictOf(run)) : verdictOf(run), make("span", { class: "facts" }, facts)),
    dataText(run[ANSWER], { class: "clip" }),
  ];
}

let shownColumns = null;

/** All samples that are chosen are printed, or the first of them and how many are left out. */
function wirePrinting() {
  addEventListener("beforeprint", () => {
    if (byId("detail").open) return;
    const places = chosen.places.slice(0, PRINTED);
    const rest = chosen.places.length - places.length;
    drawPlaces(places, state, { isPrinted: true });
    for (const sight of document.querySelectorAll("[data-sight]:not(.filled)")) fillSight(sight);
    byId("printed").textContent = `${plural(places.length, "sample")} of ${index.rows.length.toLocaleString("en")}`
      + (rest ? `; ${rest.toLocaleString("en")} that were chosen are left out.` : ".");
  });
  addEventListener("afterprint", () => drawList(state));
}

function drawList(shown) {
  const page = pageOf(shown);
  drawPlaces(chosen.places.slice((page - 1) * PER_PAGE, page * PER_PAGE), shown);
  drawPager(page);
}

/** Samples as a table, or as cards. */
function drawPlaces(places, shown, { isPrinted = false } = {}) {
  if (!shownColumns || index.links.length) shownColumns = columns(shown);
  if (shown.look && places.length) {
    byId("list").replaceChildren(drawGallery(places, shown));
    return;
  }
  const body = make("tbody", { role: "rowgroup" }, places.map(drawRow));
  const head = make("thead", { role: "rowgroup" },
    make("tr", { role: "row" }, shownColumns.map((column) => (column.order && !isPrinted ? drawHeader(column, shown) : drawName(column)))));
  const table = make("table", { class: "samples", role: "table", "aria-labelledby": "samples-title", "aria-rowcount": chosen.places.length + 1 }, head, body);
  const empty = make("p", { class: "empty" }, "No sample has all of this. ", makeButton("Show all samples", reset));
  byId("list").replaceChildren(places.length ? table : empty);
}

/** A header that does not sort; on paper it stands on every page, where buttons would stand on the first alone. */
const drawName = (column) => make("th", { scope: "col", role: "columnheader", class: column.kind },
  dataText(column.name, { class: column.isShown || column.order ? null : "unseen" }, "span"));

function drawHeader(column, shown) {
  const isSorted = shown.sort === column.order;
  const direction = shown.order === "down" ? "descending" : "ascending";
  const onclick = () => change({
    sort: isSorted && shown.order === "down" ? "" : column.order,
    order: isSorted && shown.order !== "down" ? "down" : "",
    page: 1,
  });
  const sign = isSorted ? (shown.order === "down" ? "↓" : "↑") : "↕";
  return make("th", { scope: "col", role: "columnheader", class: column.kind, "aria-sort": isSorted ? direction : "none" },
    makeButton([dataText(column.name), make("span", { class: "sort", "aria-hidden": "true" }, sign)], onclick, { "data-sort": column.order }));
}

function drawRow(place) {
  const row = index.rows[place];
  const cells = shownColumns.map((column) => {
    const isHead = column.kind === "id";
    return make(isHead ? "th" : "td", {
      class: column.kind, role: isHead ? "rowheader" : "cell", scope: isHead ? "row" : null, "data-name": column.name,
    }, column.cell(row, place));
  });
  return make("tr", { role: "row", "data-place": place }, cells);
}

function drawPager(page) {
  const last = pages();
  const go = (to) => () => {
    change({ page: to });
    byId("samples").scrollIntoView();
    byId("samples").focus({ preventScroll: true });
  };
  const step = (text, to, isAllowed) => makeButton(text, go(to), { disabled: !isAllowed });
  byId("pager").replaceChildren(...(last === 1 ? [] : [
    step("First", 1, page > 1), step("Previous", page - 1, page > 1),
    make("span", {}, `Page ${page.toLocaleString("en")} of ${last.toLocaleString("en")}`),
    step("Next", page + 1, page < last), step("Last", last, page < last),
  ]));
}

/** A click anywhere on a row opens its sample, unless text is being marked. */
function openByClick(event) {
  const row = event.target.closest("[data-place]");
  if (!row || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (!event.target.closest("a") && String(getSelection())) return;
  if (index.links.length) {
    if (!event.target.closest("a")) row.querySelector("a.open").click();
    return;
  }
  event.preventDefault();
  openSample(index.rows[Number(row.dataset.place)][ID]);
}
