// What is shown, which is also the page's address behind the "#".

const index = { kind: "", runs: [], fields: [], rows: [], starts: [], folder: "", files: [], pictures: [], hasThumbnails: false, commands: [], links: [], live: "" };
/** Keys of an address that are not names of fields; a field of such a name is "field.NAME". */
const RESERVED = new Set(["q", "verdict", "run", "flip", "against", "below", "sort", "order", "page", "sample", "look"]);
const FLIPS = ["any", "gained", "lost"];

function emptyState() {
  return {
    q: "", verdicts: [], run: 0, flip: "", against: 1, below: "", fields: new Map(), sort: "", order: "", page: 1, sample: null, look: "",
  };
}

let state = emptyState();
const listeners = [];
let pending = 0;

/** An address as a state; what means nothing here is left out. */
function readAddress(hash) {
  const found = emptyState();
  for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (key === "q") found.q = value;
    else if (key === "verdict") found.verdicts = VERDICTS.map(({ name }) => name).filter((name) => value.split(",").includes(name));
    else if (key === "run") found.run = wholeNumber(value, 0, index.runs.length);
    else if (key === "flip") found.flip = FLIPS.includes(value) && index.runs.length > 1 ? value : "";
    else if (key === "against") found.against = wholeNumber(value, 1, index.runs.length);
    else if (key === "below") found.below = isShare(value) ? value : "";
    else if (key === "sort") found.sort = value;
    else if (key === "order") found.order = value === "down" ? "down" : "";
    else if (key === "page") found.page = wholeNumber(value, 1, 1e9);
    else if (key === "sample") found.sample = index.links.length ? null : value;
    else if (key === "look") found.look = value === "gallery" && !index.links.length ? value : "";
    else readField(found.fields, key, value);
  }
  return found;
}

function readField(fields, key, value) {
  const name = key.startsWith("field.") ? key.slice(6) : key;
  if (index.fields.some(([known]) => known === name)) fields.set(name, value);
  else if (index.fields.some(([known]) => known === key)) fields.set(key, value);
}

function wholeNumber(text, low, high) {
  const number = Number.parseInt(text, 10);
  return number >= low && number <= high ? number : low;
}

const isShare = (text) => text !== "" && Number(text) >= 0 && Number(text) <= 100;

function writeAddress(shown) {
  const address = new URLSearchParams();
  if (shown.q) address.set("q", shown.q);
  if (shown.verdicts.length) address.set("verdict", shown.verdicts.join(","));
  if (shown.run) address.set("run", shown.run);
  if (shown.flip) address.set("flip", shown.flip);
  if (shown.against > 1) address.set("against", shown.against);
  if (shown.below) address.set("below", shown.below);
  for (const [name, value] of shown.fields) address.set(addressKey(name), value);
  if (shown.sort) address.set("sort", shown.sort);
  if (shown.order) address.set("order", shown.order);
  if (shown.look) address.set("look", shown.look);
  if (shown.page > 1) address.set("page", shown.page);
  if (shown.sample !== null) address.set("sample", shown.sample);
  return `#${address}`;
}

const addressKey = (name) => (RESERVED.has(name) || name.startsWith("field.") ? `field.${name}` : name);

/**
 * Change what is shown. A step is a new entry of the browser's history; what is typed or paged
 * through quickly changes the entry there is, a moment later, since browsers limit such changes.
 */
function change(changes, { isStep = true } = {}) {
  state = { ...state, ...changes };
  clearTimeout(pending);
  if (isStep) record(true);
  else pending = setTimeout(() => record(false), 200);
  notify();
}

function record(isStep) {
  const address = writeAddress(state);
  if (address === (location.hash || "#")) return;
  if (isStep) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The whole address of what is shown now, for people to send. */
function permanentLink() {
  clearTimeout(pending);
  record(false);
  return location.href;
}

function notify() {
  for (const listener of listeners) listener(state);
}

/** Take the state of the address: at the start, after a link, and on "back" and "forward". */
function restore() {
  if (location.hash && !location.hash.includes("=")) return;  // the place of a heading
  clearTimeout(pending);
  if (writeAddress(state) === writeAddress(readAddress(location.hash))) return;
  state = readAddress(location.hash);
  notify();
}

/** Whether anything but the page and the open sample is chosen. */
const isFiltered = (shown) =>
  Boolean(shown.q || shown.verdicts.length || shown.run || shown.flip || shown.against > 1 || shown.below || shown.fields.size);
