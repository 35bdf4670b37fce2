// A sample: what was asked, once; below it what came back, and how that was read, runs side by side.

function openSample(id, { isStep = true } = {}) {
  change({ sample: id }, { isStep });
}

const placeOf = (id) => index.rows.findIndex((row) => row[ID] === id);

/** Open, change or close the view of a sample, as the state says. */
function drawSample(shown) {
  const dialog = byId("detail");
  if (shown.sample === null) {
    if (dialog.open) dialog.close();
    return;
  }
  if (dialog.open && dialog.dataset.sample === shown.sample) {
    drawPosition(shown);
    return;
  }
  dialog.dataset.sample = shown.sample;
  const place = placeOf(shown.sample);
  const body = make("div", { class: "detail-body" });
  dialog.replaceChildren(drawBanner(place, shown), body);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  byId("detail-title").focus({ preventScroll: true });
  drawPosition(shown);
  if (place < 0) body.replaceChildren(make("p", { class: "problem" }, "This page has no sample of this id."));
  else fillSample(body, place);
}

function drawBanner(place, shown) {
  const title = make("h2", { id: "detail-title", tabindex: "-1" }, dataText(place < 0 ? shown.sample : index.rows[place][ID]));
  return make("div", { class: "detail-head" }, title,
    make("p", { id: "position", class: "facts" }),
    make("div", { class: "tools" },
      makeButton(["Previous ", make("kbd", {}, "k")], () => step(-1), { id: "previous" }),
      makeButton(["Next ", make("kbd", {}, "j")], () => step(1), { id: "next" }),
      makeButton("Copy link", copyLink, { id: "copy-sample" }),
      make("span", { id: "copies", class: "tools" }),
      makeButton(["Close ", make("kbd", {}, "Esc")], () => change({ sample: null }), { id: "close-sample" })));
}

function drawPosition(shown) {
  const at = chosen.places.indexOf(placeOf(shown.sample));
  byId("position").textContent = at < 0
    ? "not among the samples shown"
    : `${(at + 1).toLocaleString("en")} of ${chosen.places.length.toLocaleString("en")} shown`;
  byId("previous").disabled = at === 0;
  byId("next").disabled = at === chosen.places.length - 1;
}

/** Go to the sample before or after the open one, in the order of the list. */
function step(by) {
  const at = chosen.places.indexOf(placeOf(state.sample));
  const to = at < 0 ? 0 : at + by;
  if (to < 0 || to >= chosen.places.length) return;
  change({ sample: index.rows[chosen.places[to]][ID], page: Math.floor(to / PER_PAGE) + 1 }, { isStep: false });
}

async function fillSample(body, place) {
  body.setAttribute("aria-busy", "true");
  try {
    const details = await detailsOf(place);
    if (byId("detail").dataset.sample !== index.rows[place][ID]) return;
    body.replaceChildren(...drawViews(details));
    byId("copies").replaceChildren(...drawCopies(details.views, index.rows[place][ID]));
  } catch (error) {
    body.replaceChildren(make("p", { class: "problem" }, error.message));
  }
  body.removeAttribute("aria-busy");
}

function drawCopies(views, id) {
  const first = views.find(Boolean);
  const command = index.commands[views.indexOf(first)];
  return [
    first?.messages.length ? makeButton("Copy prompt", (event) => copyText(promptText(first), event.currentTarget, "The prompt"), { id: "copy-prompt" }) : null,
    command ? makeButton("Copy command", (event) => copyText(`${command} ${quoted(id)}`, event.currentTarget, "The command"), { id: "copy-command" }) : null,
  ].filter(Boolean);
}

/** The question and its pictures once, then a column for each run. */
function drawViews({ views, thumbnails }) {
  const there = views.filter(Boolean);
  if (!there.length) return [make("p", { class: "none" }, "No run has an answer to this sample.")];
  const isShared = new Set(there.map(promptKey)).size === 1;
  const first = there[0];
  const other = first.answers.length === 1 ? first.answers[0].text : null;
  const columns = views.map((view, place) => make("section", { class: "view", "aria-label": index.runs[place] ?? "" },
    views.length > 1 ? make("h3", { class: "run-name" }, dataText(index.runs[place] ?? `run ${place + 1}`)) : null,
    view ? drawView(view, thumbnails, { isAlone: views.length === 1, isShared, other: view === first ? null : other })
      : make("p", { class: "none" }, "This run has no such sample.")));
  const drawn = make("div", { class: `views of-${Math.min(views.length, 3)}` }, columns);
  return views.length > 1 ? [drawAsked(first, thumbnails, isShared), drawn] : [make("div", { class: "single" }, drawAsked(first, thumbnails, true), drawn)];
}

/** The pictures and the prompt; that of the first run where runs were asked differently. */
function drawAsked(view, thumbnails, isShared) {
  const pictures = drawPictures(ownImages(view, thumbnails));
  const rest = index.runs.length > 1 ? [] : restOf(view);
  const messages = drawMessages([...splitMessages(view)[0], ...rest], view, thumbnails);
  const note = isShared ? null : make("p", { class: "note" }, "Runs were asked differently: this is what the first one was asked.");
  return make("div", { class: `asked${pictures ? "" : " bare"}` }, pictures,
    messages.length || view.note ? block("Conversation", note, drawNote(view), ...messages) : null);
}

function drawView(view, thumbnails, { isAlone, isShared, other }) {
  const sent = isAlone ? [] : isShared ? restOf(view) : view.messages;
  return [
    drawOutcome(view),
    view.error ? block("Error", make("pre", { class: "problem", dir: "auto" }, visible(view.error))) : null,
    view.answers.map((answer, at) => drawAnswer(answer, view.answers.length > 1 ? ` ${at + 1}` : "", view.verdict === "unread",
      view.answers.length > 1 ? null : other)),
    drawWholes(view.wholes),
    view.judgements.map(drawJudgement),
    sent.length ? make("details", { class: "examples" }, make("summary", {}, isShared ? "The conversation from there on" : "As it was sent to this run"),
      isShared ? null : drawNote(view), ...drawMessages(sent, view, thumbnails)) : null,
    drawFields(view),
  ];
}

/** Links to the whole of texts of which only both ends are shown. */
function drawWholes(wholes) {
  if (!wholes.length) return null;
  return block("Whole texts", make("ul", { class: "wholes" }, wholes.map(([name, length]) => make("li", {},
    make("a", { href: `${encodeURIComponent(index.folder)}/${name}`, rel: "noreferrer" }, `${length.toLocaleString("en")} characters`)))));
}

function drawFields(view) {
  if (!view.fields.length) return null;
  return block("Fields", make("dl", { class: "pairs" },
    view.fields.map(([name, value]) => [make("dt", {}, dataText(name)), make("dd", {}, dataText(value))])));
}
