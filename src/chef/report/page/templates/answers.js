// What came back: answers with what was read of them, options, judges, and how runs differ.

/** An answer with more characters scrolls by itself, with what was read of it in view. */
const LONG_ANSWER = 1500;
/** So many words of two answers are compared. */
const COMPARED = 1200;
let isRendered = false;
let isCompared = false;

const block = (title, ...content) => make("section", { class: "block" }, make("h3", { class: "label" }, title), ...content);

function drawOutcome(view) {
  const facts = [
    view.score === null ? "" : `score ${shownScore(view.score)}`,
    view.confidence === null ? "" : `confidence ${shownShare(view.confidence)}`,
    view.status === "ok" ? "" : `status ${view.status}`,
    view.effort,
  ].filter(Boolean).join(" · ");
  return make("p", { class: "outcome" }, verdictBadge(view.verdict), make("span", { class: "facts" }, facts));
}

/** An answer; ``other`` is that of the first run, from which words can be shown to differ. */
function drawAnswer(answer, number, isUnread, other = null) {
  const facts = [
    ["read as", answer.parsed || (isUnread && !number ? "nothing" : "")], ["truth", answer.truth], ["rule", answer.rule],
  ].filter(([, text]) => text);
  const text = make("div", {});
  const draw = () => text.replaceChildren(...drawAnswerText(answer, other));
  draw();
  const tools = make("span", { class: "answer-tools" },
    other !== null && other !== answer.text ? makeToggle("Differences", isCompared, (isOn) => { isCompared = isOn; draw(); }) : null,
    isMarkedUp(answer.text) ? makeToggle("Rendered", isRendered, (isOn) => { isRendered = isOn; draw(); }) : null,
    answer.text ? makeButton("Copy", (event) => copyText(answer.text, event.currentTarget, "The answer"), { "aria-label": `Copy answer${number}` }) : null);
  return make("section", { class: "block" }, make("div", { class: "block-head" }, make("h3", { class: "label" }, `Answer${number}`), tools),
    text,
    make("dl", { class: "pairs" }, facts.map(([name, value]) => [make("dt", {}, name), make("dd", {}, dataText(value))])),
    answer.options.length ? drawOptions(answer.options) : null);
}

/** A button that is on or off; what it is stays so for the next sample. */
const makeToggle = (text, isOn, onchange) => makeButton(text, ({ currentTarget }) => {
  const isPressed = currentTarget.getAttribute("aria-pressed") !== "true";
  currentTarget.setAttribute("aria-pressed", String(isPressed));
  onchange(isPressed);
}, { "aria-pressed": String(isOn) });

function drawAnswerText(answer, other) {
  const signs = Array.from(answer.text);
  const thoughts = answer.thoughts ?? 0;
  const said = signs.slice(thoughts).join("");
  const span = answer.span;
  const isReadInThoughts = span && span[0] < thoughts;
  const parts = [];
  if (thoughts) {
    parts.push(make("details", { class: "thoughts", open: isReadInThoughts },
      make("summary", {}, `Thoughts, ${plural(thoughts, "character")}`),
      make("p", { class: "answer-text", dir: "auto" }, isReadInThoughts ? markedText(signs.slice(0, thoughts), span, 0) : visible(signs.slice(0, thoughts).join("")))));
  }
  if (!answer.text && !(isCompared && other)) return [make("p", { class: "answer-text" }, make("i", {}, "empty"))];
  if (thoughts && thoughts === signs.length) return parts;
  const isLong = said.length > LONG_ANSWER;
  const attributes = { class: `answer-text${isLong ? " long" : ""}`, dir: "auto", ...(isLong ? { tabindex: "0", role: "region", "aria-label": "Answer" } : {}) };
  if (isCompared && other !== null && other !== answer.text) {
    parts.push(make("p", attributes, drawDifferences(other, said)));
  } else if (isRendered && isMarkedUp(answer.text)) {
    parts.push(make("div", { ...attributes, class: `${attributes.class} rendered` }, rendered(visible(said))));
  } else {
    const box = make("p", attributes, span && !isReadInThoughts ? markedText(signs.slice(thoughts), span, thoughts) : [visible(said)]);
    parts.push(box);
    if (isLong && span) requestAnimationFrame(() => scrollToMark(box));
  }
  return parts;
}

function scrollToMark(box) {
  const mark = box.querySelector("mark");
  if (mark) box.scrollTop = mark.offsetTop - box.offsetTop - box.clientHeight / 2;
}

/** Signs with what was read marked; positions count characters, not UTF-16 units, from ``before`` on. */
function markedText(signs, span, before) {
  const [start, end] = span.map((at) => Math.max(0, at - before));
  const part = (from, to) => visible(signs.slice(from, to).join(""));
  return [part(0, start), make("mark", { title: "what was read" }, part(start, end)), part(end, signs.length)];
}

/** The words of an answer, with those marked that the other one lacks, and those told that it lacks itself. */
function drawDifferences(other, text) {
  const words = (item) => item.match(/\s+|[^\s]+/g) ?? [];
  const [before, after] = [words(other), words(text)];
  if (before.length > COMPARED || after.length > COMPARED) return [visible(text)];
  return differences(before, after).map(([kind, part]) =>
    (kind === "same" ? visible(part) : make(kind === "new" ? "ins" : "del", {}, visible(part))));
}

/** The longest common sequence of two lists of words, as runs of what is the same, new and gone. */
function differences(before, after) {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = before[i] === after[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const found = [];
  const add = (kind, word) => {
    const last = found.at(-1);
    if (last?.[0] === kind) last[1] += word;
    else found.push([kind, word]);
  };
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      add("same", after[j]);
      [i, j] = [i + 1, j + 1];
    } else if (j >= after.length || (i < before.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
      add("gone", before[i]);
      i += 1;
    } else {
      add("new", after[j]);
      j += 1;
    }
  }
  return found;
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
