// Labelling: one answer after the other, with the replies that a person can give, by keyboard.

/** The key of each reply that is stored, by the id of the sample. */
const replies = new Map();
/** The place of the answer that is shown; after the last one, the number of answers. */
let shownAt = 0;
let isStoring = false;

const isReplied = (row) => replies.has(row[ID]);

async function startLabels() {
  try {
    const answer = await fetch("labels", { cache: "no-store" });
    if (!answer.ok) throw new Error(await answer.text());
    for (const [id, key] of Object.entries(await answer.json())) replies.set(id, key);
    document.addEventListener("keydown", onLabelKey);
    const first = index.rows.findIndex((row) => !isReplied(row));
    await showLabel(first < 0 ? index.rows.length : first);
  } catch (error) {
    tellLabels(`The answers cannot be shown: ${error.message}`);
  }
  byId("labels").removeAttribute("aria-busy");
  document.documentElement.dataset.ready = "true";
}

/** Show an answer, or the end. */
async function showLabel(at) {
  shownAt = at;
  const head = make("div", { class: "detail-head" },
    make("h2", { id: "labels-title", tabindex: "-1" }, document.title),
    make("p", { id: "progress", class: "facts" }, `${index.rows.filter(isReplied).length} of ${plural(index.rows.length, "answer")} labelled`));
  const body = at < index.rows.length ? await drawAnswerToLabel(at) : [make("p", {}, "That was the last one. “chef score RUN” tells the score that the labels make right.")];
  if (shownAt !== at) return;
  byId("labels").dataset.sample = index.rows[at]?.[ID] ?? "";
  byId("labels").replaceChildren(head, ...body, drawReplies(at), make("p", { id: "labels-problem", class: "problem", role: "alert", hidden: true }));
  byId("labels-title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

async function drawAnswerToLabel(at) {
  const { views, thumbnails } = await detailsOf(at);
  const [view] = views;
  const answers = view.answers.map((answer, place) => drawAnswer(answer, view.answers.length > 1 ? ` ${place + 1}` : "", false));
  return [make("div", { class: "single" }, drawAsked(view, thumbnails, true), make("div", { class: "view" }, answers, drawWholes(view.wholes)))];
}

function drawReplies(at) {
  const id = index.rows[at]?.[ID];
  const button = ([key, text]) => makeButton([`${text} `, make("kbd", {}, key)], () => reply(key), { "data-key": key, "aria-pressed": String(replies.get(id) === key) });
  const back = makeButton(["Back ", make("kbd", {}, "b")], () => showLabel(at - 1), { id: "labels-back", disabled: at === 0 });
  const next = makeButton(["Next ", make("kbd", {}, "n")], () => showLabel(at + 1), { id: "labels-next", disabled: at >= index.rows.length });
  const given = id === undefined ? [] : [...index.choices, ["s", "cannot tell"]];
  return make("div", { class: "tools replies", role: "group", "aria-label": "Replies" }, given.map(button), back, next);
}

/** Store a reply, then show the next answer; one that is not stored stays. */
async function reply(key) {
  if (isStoring || shownAt >= index.rows.length) return;
  isStoring = true;
  const id = index.rows[shownAt][ID];
  try {
    const answer = await fetch("labels", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ id, key }) });
    if (!answer.ok) throw new Error(await answer.text());
    replies.set(id, key);
    byId("said").textContent = `Stored. ${index.rows.filter(isReplied).length} of ${index.rows.length}.`;
    await showLabel(shownAt + 1);
  } catch (error) {
    tellLabels(`The reply is not stored: ${error.message}. Is the command still running?`);
  } finally {
    isStoring = false;
  }
}

function tellLabels(text) {
  const box = byId("labels-problem") ?? make("p", { id: "labels-problem", class: "problem", role: "alert" });
  box.textContent = text;
  box.hidden = false;
  if (!box.isConnected) byId("labels").replaceChildren(make("h2", { id: "labels-title" }, document.title), box);
}

function onLabelKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
  const action = byId("viewer").open ? viewerKey(event.key) : labelKey(event.key);
  if (!action) return;
  event.preventDefault();
  action();
}

function labelKey(key) {
  const button = [...document.querySelectorAll(".replies button")].find((item) => item.dataset.key === key.toLowerCase());
  if (button) return () => button.click();
  if (key === "b" || key === "ArrowLeft") return () => byId("labels-back").click();
  if (key === "n" || key === "ArrowRight") return () => byId("labels-next").click();
  return null;
}
