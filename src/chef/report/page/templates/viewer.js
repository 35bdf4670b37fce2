// The viewer: pictures in full, with zoom and pan, one or all side by side.

/** The most that a picture is enlarged, in screen pixels for one of its own. */
const LARGEST = 32;
/** The view of all panes: how much larger than fitting, and which point is in the middle, in shares. */
let look = { shown: [], at: 0, isAll: false, zoom: 1, x: 0.5, y: 0.5, hasBoxes: true };
const panes = [];

function openViewer(shown, at) {
  look = { ...look, shown, at, isAll: false, zoom: 1, x: 0.5, y: 0.5 };
  const several = shown.length > 1;
  const tool = (text, name, onclick, attributes = {}) => makeButton(text, onclick, { "aria-label": name, title: name, ...attributes });
  byId("viewer").replaceChildren(
    make("div", { class: "viewer-head" },
      make("h2", { id: "viewer-title", class: "unseen" }, "Pictures in full"),
      several ? make("div", { class: "tools" }, tool("‹", "Previous picture", () => turn(-1)), tool("›", "Next picture", () => turn(1)),
        makeButton("Side by side", toggleAll, { id: "viewer-all", "aria-pressed": "false" })) : null,
      make("div", { class: "tools" },
        tool("−", "Smaller", () => zoomBy(1 / 1.5)), make("output", { id: "viewer-zoom" }), tool("+", "Larger", () => zoomBy(1.5)),
        makeButton("Fit", () => setZoom(1)), makeButton("Width", fitWidth), makeButton("100 %", () => setScale(1)),
        shown.some(({ image }) => image.boxes.length) ? makeButton("Boxes", toggleBoxes, { id: "viewer-boxes", "aria-pressed": String(look.hasBoxes) }) : null),
      makeButton(["Close ", make("kbd", {}, "Esc")], () => byId("viewer").close(), { class: "close" })),
    make("div", { id: "stage", tabindex: "0", role: "group", "aria-label": "Picture: arrows move it, plus and minus change its size" }),
    make("div", { id: "viewer-facts" }));
  if (!byId("viewer").open) byId("viewer").showModal();
  drawPanes();
  byId("stage").focus({ preventScroll: true });
}

function drawPanes() {
  panes.length = 0;
  const places = look.isAll ? look.shown.map((_, at) => at) : [look.at];
  for (const at of places) panes.push(makePane(look.shown[at], at));
  const stage = byId("stage");
  stage.replaceChildren(...panes.map((pane) => pane.element));
  const columns = Math.ceil(Math.sqrt(panes.length * Math.max(0.2, stage.clientWidth / Math.max(1, stage.clientHeight))));
  stage.style.gridTemplateColumns = `repeat(${Math.min(panes.length, columns)}, minmax(0, 1fr))`;
  stage.classList.toggle("bare", !look.hasBoxes);
  const { image } = look.shown[look.at];
  byId("viewer-facts").replaceChildren(...(look.isAll ? [plural(panes.length, "picture")] : [
    look.shown.length > 1 ? `${look.at + 1} of ${look.shown.length} · ` : "", dataText(image.label), " · ", drawFacts(image), drawBoxes(image.boxes) ?? ""]));
  layOut();
}

function makePane(item, at) {
  const { image, thumbnail } = item;
  const picture = make("img", { src: thumbnail ? asAddress(thumbnail) : null, alt: visible(image.label), draggable: "false" });
  const frame = make("div", { class: "frame" }, picture, ...overlay(image.boxes));
  const note = make("p", { class: "pane-note", role: "status" });
  const element = make("div", { class: "pane" }, frame, look.isAll ? make("span", { class: "badge" }, String(at + 1)) : null, note);
  const pane = { element, frame, width: image.width, height: image.height };
  picture.addEventListener("load", () => {
    if (!pane.width) [pane.width, pane.height] = [picture.naturalWidth, picture.naturalHeight];
    layOut();
  });
  note.textContent = image.picture === null ? "" : "…";
  pictureOf(item).then((address) => {
    if (address) picture.src = address;
    note.textContent = address ? (image.picture[2] === false ? "Shown as JPEG: it is larger than a page holds" : "")
      : "Only this small version is in the page";
  }, (error) => { note.textContent = error.message; });
  wirePointers(pane);
  return pane;
}

const fitOf = (pane) => Math.min(pane.element.clientWidth / (pane.width || 1), pane.element.clientHeight / (pane.height || 1));
const scaleOf = (pane) => fitOf(pane) * look.zoom;

/** Put every picture where the view says. */
function layOut() {
  for (const pane of panes) {
    const scale = scaleOf(pane);
    const left = pane.element.clientWidth / 2 - look.x * pane.width * scale;
    const top = pane.element.clientHeight / 2 - look.y * pane.height * scale;
    pane.frame.style.width = `${pane.width}px`;
    pane.frame.style.height = `${pane.height}px`;
    pane.frame.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    pane.frame.style.setProperty("--scale", scale);
    pane.frame.classList.toggle("coarse", scale >= 3);
  }
  byId("viewer-zoom").textContent = panes.length ? `${(100 * scaleOf(panes[0])).toFixed(scaleOf(panes[0]) < 0.1 ? 1 : 0)} %` : "";
}

const within = (value, low, high) => Math.min(high, Math.max(low, value));

function setZoom(zoom) {
  const most = panes.length ? LARGEST / fitOf(panes[0]) : 1;
  look.zoom = within(zoom, 0.2, Math.max(1, most));
  if (look.zoom <= 1) [look.x, look.y] = [0.5, 0.5];
  layOut();
}

const zoomBy = (factor) => setZoom(look.zoom * factor);
const setScale = (scale) => setZoom(scale / fitOf(panes[0]));

/** As wide as the window, from the top. */
function fitWidth() {
  const [pane] = panes;
  setScale(pane.element.clientWidth / pane.width);
  if (look.zoom > 1) look.y = Math.min(0.5, pane.element.clientHeight / (2 * pane.height * scaleOf(pane)));
  layOut();
}

/** Zoom with the point under the pointer left where it is. */
function zoomAt(pane, factor, x, y) {
  const box = pane.element.getBoundingClientRect();
  const away = (at, low, size) => at - low - size / 2;
  const before = scaleOf(pane);
  const [u, v] = [look.x + away(x, box.left, box.width) / (before * pane.width), look.y + away(y, box.top, box.height) / (before * pane.height)];
  setZoom(look.zoom * factor);
  if (look.zoom <= 1) return;
  const after = scaleOf(pane);
  look.x = within(u - away(x, box.left, box.width) / (after * pane.width), 0, 1);
  look.y = within(v - away(y, box.top, box.height) / (after * pane.height), 0, 1);
  layOut();
}

function pan(pane, right, down) {
  look.x = within(look.x - right / (scaleOf(pane) * pane.width), 0, 1);
  look.y = within(look.y - down / (scaleOf(pane) * pane.height), 0, 1);
  layOut();
}

/** One pointer moves the picture, two change its size; the wheel, and a double click, too. */
function wirePointers(pane) {
  const held = new Map();
  const distance = () => {
    const [one, other] = [...held.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  };
  pane.element.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomAt(pane, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX, event.clientY);
  }, { passive: false });
  pane.element.addEventListener("dblclick", (event) => {
    const factor = look.zoom > 1.01 ? 1 / look.zoom : Math.max(2, 1 / fitOf(pane));
    zoomAt(pane, factor, event.clientX, event.clientY);
  });
  pane.element.addEventListener("pointerdown", (event) => {
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    pane.element.setPointerCapture(event.pointerId);
  });
  pane.element.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const span = held.size === 2 ? distance() : 0;
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (span) zoomAt(pane, distance() / span, event.clientX, event.clientY);
    else pan(pane, event.clientX - before.x, event.clientY - before.y);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    pane.element.addEventListener(end, (event) => held.delete(event.pointerId));
  }
}

function turn(by) {
  look.at = (look.at + by + look.shown.length) % look.shown.length;
  drawPanes();
}

function toggleAll() {
  look = { ...look, isAll: !look.isAll, zoom: 1, x: 0.5, y: 0.5 };
  byId("viewer-all").setAttribute("aria-pressed", String(look.isAll));
  drawPanes();
}

function toggleBoxes() {
  look.hasBoxes = !look.hasBoxes;
  byId("viewer-boxes").setAttribute("aria-pressed", String(look.hasBoxes));
  byId("stage").classList.toggle("bare", !look.hasBoxes);
}

/** What a key does in the viewer; the browser itself closes it with Escape. */
function viewerKey(key) {
  const [pane] = panes;
  const step = 80;
  const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
  if (key in moves) return () => pan(pane, ...moves[key]);
  if (key === "+" || key === "=") return () => zoomBy(1.5);
  if (key === "-") return () => zoomBy(1 / 1.5);
  if (key === "0") return () => setZoom(1);
  if (key === "1") return () => setScale(1);
  if (key === "w") return fitWidth;
  if (key === "b" && byId("viewer-boxes")) return toggleBoxes;
  if (look.shown.length < 2) return null;
  if (key === "n" || key === "PageDown") return () => turn(1);
  if (key === "p" || key === "PageUp") return () => turn(-1);
  return key === "s" ? toggleAll : null;
}
