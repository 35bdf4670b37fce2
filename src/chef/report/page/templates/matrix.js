// The overview of many runs: which columns are shown, and two cells as a comparison.

/** Tables with so many columns have a list of them to choose from. */
const MANY_COLUMNS = 4;
let picked = [];

function columnChoices() {
  for (const table of document.querySelectorAll("table.figures")) {
    const headers = [...table.querySelectorAll("thead th")];
    if (headers.length <= MANY_COLUMNS) continue;
    const boxes = headers.slice(1).map((header, at) => make("label", {},
      make("input", { type: "checkbox", checked: true, onchange: (event) => showColumn(table, at + 1, event.target.checked) }),
      dataText(header.textContent)));
    table.closest(".scroll").before(make("details", { class: "columns" }, make("summary", {}, "Columns"), make("div", {}, boxes)));
  }
}

function showColumn(table, column, isShown) {
  for (const row of table.rows) setShown(row.cells[column], isShown);
}

/** Each cell of a run gets a button; of two that are pressed the comparison is offered. */
function wirePicks() {
  const cells = [...document.querySelectorAll("[data-run]")];
  if (index.runs.length < 2 || !cells.length) return;
  for (const cell of cells) {
    const run = Number(cell.dataset.run);
    const button = makeButton("⇄", () => pick(run), {
      class: "pick", "aria-pressed": "false", "aria-label": `Compare ${index.runs[run - 1]}`, title: "Compare with another run",
    });
    cell.insertBefore(button, cell.querySelector("svg.interval"));
  }
  cells[0].closest(".card").before(make("section", { id: "pair", class: "card wide", "aria-label": "Two runs compared", hidden: true }));
}

/** The last two runs that were pressed are held against each other. */
function pick(run) {
  picked = picked.includes(run) ? picked.filter((item) => item !== run) : [...picked, run].slice(-2);
  for (const cell of document.querySelectorAll("[data-run]")) {
    cell.querySelector(".pick").setAttribute("aria-pressed", String(picked.includes(Number(cell.dataset.run))));
  }
  const [first, second] = picked;
  setShown(byId("pair"), picked.length > 0);
  byId("pair").replaceChildren(...(second ? drawPair(first, second) : [
    make("p", { role: "status" }, dataText(index.runs[first - 1] ?? ""), ": press ⇄ of another run to compare the two."),
  ]));
}

/** How many samples that both runs have scored are right in both, in one, and in neither. */
function countPair(first, second) {
  const counts = { both: 0, first: 0, second: 0, neither: 0 };
  for (const row of index.rows) {
    const [one, other] = [row[RUNS][first - 1], row[RUNS][second - 1]];
    if (!one || !other || one[SCORE] === null || other[SCORE] === null) continue;
    const [before, after] = [one[VERDICT] === RIGHT, other[VERDICT] === RIGHT];
    counts[before ? (after ? "both" : "first") : after ? "second" : "neither"] += 1;
  }
  return counts;
}

function drawPair(first, second) {
  const names = [first, second].map((run) => dataText(index.runs[run - 1]));
  const counts = countPair(first, second);
  const total = Object.values(counts).reduce((sum, item) => sum + item, 0);
  const told = `Of ${plural(total, "sample")} that both have scored, ${counts.both} are right in both, ${counts.first} in the first alone, ${counts.second} in the second alone, ${counts.neither} in neither.`;
  const key = (run) => index.links[run - 1].split("/").at(-2);
  const show = () => {
    change({ ...emptyState(), run: second, against: first, flip: "any" });
    byId("samples").scrollIntoView();
    byId("samples").focus({ preventScroll: true });
  };
  return [
    make("h2", {}, names[0], " against ", names[1]),
    index.rows.length > 0 && make("p", { role: "status" }, total ? told : "They have no sample in common that both have scored."),
    make("div", { class: "tools" },
      total ? makeButton("Samples that flip", show, { id: "show-flips" }) : null,
      index.live ? make("a", { href: `compare/${key(first)}/${key(second)}/` }, "Intervals, groups and answers side by side") : null,
      makeButton("Copy the command that compares them", (event) => copyText(`chef show ${index.commands[first - 1]} ${index.commands[second - 1]} --page --open`, event.currentTarget, "The command"))),
  ];
}
