// The controls of the filters. They are made once; afterwards they follow the state.

/** A field with more values than this is typed, with suggestions, and not picked from a list. */
const PICKED = 200;

function makeControls() {
  byId("choices").replaceChildren(
    make("div", { class: "chips", role: "group", "aria-label": "Verdict" }, VERDICTS.map(makeChip)),
    make("div", { class: "selects" },
      index.runs.length > 1 ? [makeRunSelect(), makeFlipSelect(), index.runs.length > 2 ? makeAgainstSelect() : null] : null,
      index.fields.map(([name, values]) => makeFieldControl(name, values)),
      hasAnyConfidence() ? makeBelow() : null,
      makeSortSelect()));
  // On a narrow screen the filters would leave no room for the list.
  if (matchMedia("(max-width: 44rem)").matches) toggleChoices(false);
}

const hasAnyConfidence = () => index.runs.some((_, run) => hasValue(run, CONFIDENCE));

function makeChip({ name, sign }) {
  return makeButton([
    make("span", { class: "sign", "aria-hidden": "true" }, sign), name, make("span", { class: "many" }),
  ], () => {
    const isChosen = state.verdicts.includes(name);
    const verdicts = isChosen ? state.verdicts.filter((item) => item !== name) : [...state.verdicts, name];
    change({ verdicts, page: 1 });
  }, { class: `chip ${name}`, "data-verdict": name, "aria-pressed": "false" });
}

/** A labelled list to pick from; ``options`` are pairs of value and text. */
function makeSelect(label, id, options, onchange) {
  const select = make("select", { id, onchange: (event) => onchange(event.target.value) },
    options.map(([value, text]) => make("option", { value }, visible(text))));
  return make("label", { class: "choice" }, make("span", {}, dataText(label)), select);
}

const makeRunSelect = () => makeSelect("Run", "run", [["0", "any run"], ...index.runs.map((name, at) => [String(at + 1), name])],
  (value) => change({ run: Number(value), page: 1 }));

/** Of more than two runs another control says which one flips are counted from. */
const makeFlipSelect = () => makeSelect(index.runs.length > 2 ? "Flips" : `Against ${index.runs[0]}`, "flip",
  [["", "all"], ["any", "flipped"], ["gained", "gained"], ["lost", "lost"]],
  (value) => change({ flip: value, page: 1 }));

const makeAgainstSelect = () => makeSelect("Flips against", "against", index.runs.map((name, at) => [String(at + 1), name]),
  (value) => change({ against: Number(value), page: 1 }));

function makeFieldControl(name, values) {
  const place = index.fields.findIndex(([known]) => known === name);
  const choose = (value) => {
    const fields = new Map(state.fields);
    if (value === "") fields.delete(name);
    else fields.set(name, value === " " ? "" : value);
    change({ fields, page: 1 });
  };
  if (values.length > PICKED) return makeTyped(name, values, place, choose);
  const counts = values.map(() => 0);
  for (const row of index.rows) if (row[FIELDS][place] >= 0) counts[row[FIELDS][place]] += 1;
  const options = values.map((value, at) => [value || " ", `${value || "(empty)"} (${counts[at].toLocaleString("en")})`])
    .sort((one, other) => collator.compare(one[0], other[0]));
  return makeSelect(name, `field-${place}`, [["", "all"], ...options], choose);
}

function makeTyped(name, values, place, choose) {
  const list = make("datalist", { id: `values-${place}` }, values.map((value) => make("option", { value })));
  const input = make("input", { id: `field-${place}`, list: `values-${place}`, placeholder: "all", onchange: (event) => choose(event.target.value) });
  return make("label", { class: "choice" }, make("span", {}, dataText(name)), input, list);
}

function makeBelow() {
  const input = make("input", {
    id: "below", type: "number", min: "0", max: "100", step: "5", placeholder: "any", inputmode: "decimal",
    oninput: (event) => change({ below: isShare(event.target.value) ? event.target.value : "", page: 1 }, { isStep: false }),
  });
  return make("label", { class: "choice" }, make("span", {}, "Confidence under, %"), input);
}

function makeSortSelect() {
  known ??= orders();
  const options = known.flatMap(({ key, name }) => [
    [key, `${name} ↑`], [`${key} down`, `${name} ↓`],
  ]);
  return makeSelect("Sort by", "sort", [["", "order of the run"], ...options], (value) => {
    const [sort, order] = value.split(" ");
    change({ sort, order: order ?? "", page: 1 });
  });
}

const toggleGallery = () => index.links.length || change({ look: state.look ? "" : "gallery" });

function toggleChoices(isShown) {
  setShown(byId("choices"), isShown);
  byId("more").setAttribute("aria-expanded", String(isShown));
}

/** Bring the controls to the state, such as after a link or "back". */
function updateControls(shown) {
  if (document.activeElement !== byId("search")) byId("search").value = shown.q;
  for (const chip of document.querySelectorAll(".chip")) {
    const at = VERDICTS.findIndex(({ name }) => name === chip.dataset.verdict);
    const isPressed = shown.verdicts.includes(chip.dataset.verdict);
    chip.setAttribute("aria-pressed", String(isPressed));
    chip.querySelector(".many").textContent = chosen.counts[at].toLocaleString("en");
    chip.classList.toggle("none-left", !chosen.counts[at] && !isPressed);
  }
  setValue("run", String(shown.run));
  setValue("flip", shown.flip);
  setValue("against", String(shown.against));
  index.fields.forEach(([name], at) => {
    const value = shown.fields.get(name);
    setValue(`field-${at}`, value === "" ? " " : value ?? "");
  });
  if (document.activeElement !== byId("below")) setValue("below", shown.below);
  setValue("sort", shown.order === "down" && shown.sort ? `${shown.sort} down` : shown.sort);
  byId("look").setAttribute("aria-pressed", String(Boolean(shown.look)));
  byId("reset").disabled = !isFiltered(shown) && !shown.sort && !shown.order;
  byId("more").classList.toggle("active", isFiltered({ ...shown, q: "" }));
}

/** Set a control that may not be there; a list without the value shows nothing as chosen. */
function setValue(id, value) {
  const control = byId(id);
  if (control) control.value = value;
}

function updateCount(shown) {
  const total = index.rows.length.toLocaleString("en");
  const text = isFiltered(shown) ? `${chosen.places.length.toLocaleString("en")} of ${total}` : plural(index.rows.length, "sample");
  if (byId("count").textContent !== text) byId("count").textContent = text;
}

function reset() {
  change({ ...emptyState(), sample: state.sample, look: state.look });
  byId("search").value = "";
  byId("below") && setValue("below", "");
}
