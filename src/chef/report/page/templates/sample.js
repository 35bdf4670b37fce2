// A sample: what was asked, what came back, and how that was read; runs side by side.

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
  return make("header", { class: "detail-head" }, title,
    make("p", { id: "position", class: "facts" }),
    make("div", { class: "tools" },
      makeButton(["Previous ", make("kbd", {}, "k")], () => step(-1), { id: "previous" }),
      makeButton(["Next ", make("kbd", {}, "j")], () => step(1), { id: "next" }),
      makeButton("Copy link", copyLink, { id: "copy-sample" }),
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
    body.replaceChildren(...drawViews(details));
  } catch (error) {
    body.replaceChildren(make("p", { class: "problem" }, error.message));
  }
  body.removeAttribute("aria-busy");
}

function drawViews({ views, thumbnails }) {
  const columns = views.map((view, place) => make("section", { class: "view", "aria-label": index.runs[place] ?? "" },
    views.length > 1 ? make("h3", { class: "run-name" }, dataText(index.runs[place] ?? `run ${place + 1}`)) : null,
    view ? drawView(view, thumbnails) : make("p", { class: "none" }, "This run has no such sample.")));
  return [make("div", { class: `views of-${Math.min(views.length, 3)}` }, columns)];
}

function drawView(view, thumbnails) {
  const drawAt = (at) => (view.images[at] ? drawImage(view.images[at], thumbnails[view.images[at].thumbnail]) : null);
  return [
    drawOutcome(view),
    view.error ? block("Error", make("pre", { class: "problem", dir: "auto" }, visible(view.error))) : null,
    make("div", { class: "came-back" },
      view.answers.map((answer, at) => drawAnswer(answer, view.answers.length > 1 ? ` ${at + 1}` : "", view.verdict === "unread")),
      drawWholes(view.wholes),
      view.judgements.map(drawJudgement),
      drawFields(view)),
    make("div", { class: "asked" }, drawConversation(view, drawAt)),
  ];
}

/** Links to the whole of texts of which only both ends are shown. */
function drawWholes(wholes) {
  if (!wholes.length) return null;
  return block("Whole texts", make("ul", { class: "wholes" }, wholes.map(([name, length]) => make("li", {},
    make("a", { href: `${encodeURIComponent(index.folder)}/${name}`, rel: "noreferrer" }, `${length.toLocaleString("en")} characters`)))));
}

const block = (title, ...content) => make("section", { class: "block" }, make("h4", {}, title), ...content);

function drawOutcome(view) {
  const facts = [
    view.score === null ? "" : `score ${shownScore(view.score)}`,
    view.confidence === null ? "" : `confidence ${shownShare(view.confidence)}`,
    view.status === "ok" ? "" : `status ${view.status}`,
  ].filter(Boolean).join(" · ");
  return make("p", { class: "outcome" }, verdictBadge(view.verdict), make("span", { class: "facts" }, facts));
}

function drawAnswer(answer, number, isUnread) {
  const facts = [
    ["read as", answer.parsed || (isUnread && !number ? "nothing" : "")], ["truth", answer.truth], ["rule", answer.rule],
  ].filter(([, text]) => text);
  return block(`Answer${number}`,
    make("p", { class: "answer-text", dir: "auto" }, answer.text ? markedText(answer) : make("i", {}, "empty")),
    make("dl", { class: "pairs" }, facts.map(([name, text]) => [make("dt", {}, name), make("dd", {}, dataText(text))])),
    answer.options.length ? drawOptions(answer.options) : null);
}

/** The answer with what was read of it marked; positions count characters, not UTF-16 units. */
function markedText(answer) {
  if (!answer.span) return [visible(answer.text)];
  const signs = Array.from(answer.text);
  const [start, end] = answer.span;
  const part = (from, to) => visible(signs.slice(from, to).join(""));
  return [part(0, start), make("mark", { title: "what was read" }, part(start, end)), part(end, signs.length)];
}

function drawOptions(options) {
  const shape = options.some((option) => option.probability !== null) ? "" : " bare";
  const letters = options.some((option) => option.label) ? "" : " unlettered";
  return make("ul", { class: `options${shape}${letters}`, "aria-label": "Options" }, options.map((option) => {
    const marks = [option.is_chosen ? "chosen" : "", option.is_right ? "right" : ""].filter(Boolean);
    return make("li", { class: marks.join(" ") },
      option.label ? dataText(option.label, { class: "letter" }) : null, dataText(option.text, { class: "option-text" }),
      make("span", { class: "marks" }, marks.map((mark) => (mark === "right" ? "✓ right" : "● chosen")).join(" ")),
      drawProbability(option.probability));
  }));
}

function drawProbability(probability) {
  if (probability === null) return null;
  const fill = make("span", { class: "fill" });
  fill.style.width = `${100 * probability}%`;
  return [make("span", { class: "track", "aria-hidden": "true" }, fill), make("span", { class: "share" }, shownShare(probability))];
}

function drawJudgement(judgement) {
  const title = make("span", {}, "Judge ", dataText(judgement.judge));
  const facts = [["question", judgement.kind], ["status", judgement.status], ["read as", judgement.reading]].filter(([, text]) => text);
  return block(title,
    make("dl", { class: "pairs" }, facts.map(([name, text]) => [make("dt", {}, name), make("dd", {}, dataText(text))])),
    make("p", { class: "answer-text", dir: "auto" }, visible(judgement.reply)));
}

/** The conversation as it was sent; examples that stand together are folded. */
function drawConversation(view, drawAt) {
  const parts = [];
  let examples = [];
  const fold = () => {
    if (examples.length) parts.push(drawExamples(examples, drawAt));
    examples = [];
  };
  for (const message of view.messages) {
    if (message.kind === "example") {
      examples.push(message);
    } else {
      fold();
      parts.push(drawMessage(message, drawAt));
    }
  }
  fold();
  const note = view.note ? make("p", { class: "note", dir: "auto" }, visible(view.note)) : null;
  return parts.length || note ? block("Conversation", note, ...parts) : null;
}

function drawExamples(messages, drawAt) {
  const questions = messages.filter((message) => message.role === "user").length;
  return make("details", { class: "examples" },
    make("summary", {}, plural(questions || messages.length, "in-context example")),
    messages.map((message) => drawMessage(message, drawAt)));
}

const KINDS = {
  example: "example", question: "", reply: "reply of the model", chosen: "the likeliest option", reference: "reference answer",
};

function drawMessage(message, drawAt) {
  const kind = KINDS[message.kind] ?? message.kind;
  const isAnswer = message.kind === "reply" || message.kind === "chosen";
  const begins = message.begins ? make("p", { class: "begins" }, "A conversation of its own: nothing above was shown with it.") : null;
  const drawn = make("div", { class: `message ${message.role} ${message.kind}` },
    make("p", { class: "role" }, visible(message.role), kind ? make("span", { class: "kind" }, ` · ${kind}`) : null),
    isAnswer ? drawSaid(message.parts) : message.parts.map((part) => drawPart(part, drawAt)));
  return [begins, drawn];
}

const drawPart = (part, drawAt) => (typeof part === "number" ? drawAt(part) : make("p", { class: "said", dir: "auto" }, visible(part)));

/** An answer. Of two parts the first was given to the model, which went on from there. */
function drawSaid(parts) {
  const given = parts.length > 1 ? make("span", { class: "given", title: "given to the model: its answer goes on from here" }, visible(parts[0])) : null;
  return make("p", { class: "said", dir: "auto" }, given, given && !/\s$/.test(parts[0]) ? " " : null, visible(parts[parts.length - 1] ?? ""));
}

function drawFields(view) {
  if (!view.fields.length) return null;
  return block("Fields", make("dl", { class: "pairs" },
    view.fields.map(([name, value]) => [make("dt", {}, dataText(name)), make("dd", {}, dataText(value))])));
}
