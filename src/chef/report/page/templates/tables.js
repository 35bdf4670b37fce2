// Tables of figures: a click on a header sorts them; those that are too wide scroll by keyboard.

/** A wide table or drawing takes the focus, so that arrows scroll it; others would be in the way. */
function watchWidths() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth + 1) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const element of document.querySelectorAll(".scroll")) observer.observe(element);
}

function sortableTables() {
  for (const table of document.querySelectorAll("table.figures")) {
    if (table.tBodies[0].rows.length < 2) continue;
    table.querySelectorAll("thead th").forEach((header, column) => {
      header.setAttribute("aria-sort", "none");
      const sign = make("span", { class: "sort", "aria-hidden": "true" }, "↕");
      header.replaceChildren(makeButton([...header.childNodes, sign], () => sortTable(table, column)));
    });
  }
}

function sortTable(table, column) {
  const headers = [...table.querySelectorAll("thead th")];
  const isDown = headers[column].getAttribute("aria-sort") === "ascending";
  headers.forEach((header, at) => {
    header.setAttribute("aria-sort", at !== column ? "none" : isDown ? "descending" : "ascending");
    header.querySelector(".sort").textContent = at !== column ? "↕" : isDown ? "↓" : "↑";
  });
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const values = new Map(rows.map((row) => [row, cellValue(row.cells[column])]));
  const sign = isDown ? -1 : 1;
  rows.sort((one, other) => compareCells(values.get(one), values.get(other), sign));
  body.append(...rows);
}

/** The number that a cell begins with, else its text; null for an empty one. */
function cellValue(cell) {
  const text = cell.textContent.trim();
  const number = /^[+\-−]?\d[\d,]*(\.\d+)?(e[+-]?\d+)?/i.exec(text);
  if (number) return Number(number[0].replaceAll(",", "").replace("−", "-"));
  return text && text !== "-" && text !== "–" ? text : null;
}

function compareCells(one, other, sign) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === typeof other) return sign * compare(one, other, sign);
  return sign * (typeof one === "number" ? -1 : 1);
}
