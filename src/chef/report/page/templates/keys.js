// The keyboard, and the list of its keys.

const KEYS = [
  [["j", "↓"], "next sample"],
  [["k", "↑"], "previous sample"],
  [["Enter"], "open the sample"],
  [["Esc"], "close the sample, leave the search"],
  [["/"], "search"],
  [["n", "p"], "next or previous page of the list"],
  [["r"], "reset: show all samples"],
  [["g"], "gallery or list"],
  [["c"], "copy a link to what is shown"],
  [["+", "-", "0", "1"], "in a picture: larger, smaller, all of it, 100 %"],
  [["w", "s", "b"], "in a picture: its width, side by side, boxes"],
  [["?"], "these keys"],
];

function fillHelp() {
  byId("help").replaceChildren(
    make("div", { class: "detail-head" },
      make("h2", { id: "help-title", tabindex: "-1" }, "Keys"),
      make("div", { class: "tools" }, makeButton(["Close ", make("kbd", {}, "Esc")], () => byId("help").close(), { id: "close-help" }))),
    make("dl", { class: "keys" }, KEYS.map(([keys, what]) => [
      make("dt", {}, keys.map((key) => make("kbd", {}, key))), make("dd", {}, what)])),
    make("p", { class: "note" }, "The address of the page holds the search, the filters, the order and the open sample: a copied link shows the same again."));
}

function openHelp() {
  if (byId("help").open) return;
  byId("help").showModal();
  byId("help-title").focus();
}

const isTyping = (target) => target.matches?.("input, select, textarea");

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const action = byId("viewer").open ? viewerKey(event.key) : byId("detail").open ? sampleKey(event.key) : listKey(event);
  if (!action) return;
  event.preventDefault();
  action();
}

/** What a key does while a sample is open; there the arrows up and down scroll. */
function sampleKey(key) {
  if (key === "j" || key === "ArrowRight") return () => step(1);
  if (key === "k" || key === "ArrowLeft") return () => step(-1);
  if (key === "c") return copyLink;
  return key === "?" ? openHelp : null;
}

function listKey(event) {
  const isInList = Boolean(event.target.closest?.("#list"));
  const key = event.key;
  if (key === "j" || (key === "ArrowDown" && isInList)) return () => moveFocus(1);
  if (key === "k" || (key === "ArrowUp" && isInList)) return () => moveFocus(-1);
  if (key === "/") return () => { byId("search").focus(); byId("search").select(); };
  if (key === "n") return () => pageBy(1);
  if (key === "p") return () => pageBy(-1);
  if (key === "r") return reset;
  if (key === "c") return copyLink;
  if (key === "g") return toggleGallery;
  return key === "?" ? openHelp : null;
}

/** Put the focus on the sample before or after the one that has it, over the ends of pages. */
function moveFocus(by) {
  const links = [...document.querySelectorAll("#list a.open")];
  const row = document.activeElement?.closest?.("[data-place]");
  const at = row ? links.findIndex((link) => row.contains(link)) : by > 0 ? -1 : links.length;
  if (at + by >= 0 && at + by < links.length) return focusRow(links[at + by]);
  if (!pageBy(by)) return undefined;
  const fresh = document.querySelectorAll("#list a.open");
  return focusRow(fresh[by > 0 ? 0 : fresh.length - 1]);
}

function focusRow(link) {
  link.focus({ preventScroll: true });
  link.closest("[data-place]").scrollIntoView({ block: "nearest" });
}

function pageBy(by) {
  const to = pageOf(state) + by;
  if (to < 1 || to > pages()) return false;
  change({ page: to });
  return true;
}
