// What was asked: the conversation as it was sent, its pictures as marks in the text.

const isReply = (message) => message.kind === "reply" || message.kind === "chosen";

/** The messages up to the first reply, and those from there on. */
function splitMessages(view) {
  const at = view.messages.findIndex(isReply);
  return at < 0 ? [view.messages, []] : [view.messages.slice(0, at), view.messages.slice(at)];
}

/** What a run was asked, to be compared with what another one was asked. */
const promptKey = (view) => JSON.stringify([splitMessages(view)[0].map(({ role, parts, kind }) => [role, parts, kind]),
  view.images.map(({ label, width, height }) => [label, width, height])]);

/** The messages after the prompt, but not a reply that is the answer word by word. */
function restOf(view) {
  const [, rest] = splitMessages(view);
  const isTold = rest.length === 1 && rest[0].parts.length === 1 && view.answers.some((answer) => answer.text === rest[0].parts[0]);
  return isTold ? [] : rest;
}

/** Messages in order; examples that stand together are folded. */
function drawMessages(messages, view, thumbnails) {
  const parts = [];
  let examples = [];
  const fold = () => {
    if (examples.length) parts.push(drawExamples(examples, view, thumbnails));
    examples = [];
  };
  for (const message of messages) {
    if (message.kind === "example") {
      examples.push(message);
    } else {
      fold();
      parts.push(drawMessage(message, view, thumbnails));
    }
  }
  fold();
  return parts;
}

function drawExamples(messages, view, thumbnails) {
  const questions = messages.filter((message) => message.role === "user").length;
  return make("details", { class: "examples" },
    make("summary", {}, plural(questions || messages.length, "in-context example")),
    messages.map((message) => drawMessage(message, view, thumbnails)));
}

const KINDS = {
  example: "example", question: "", reply: "reply of the model", chosen: "the likeliest option", reference: "reference answer",
};

function drawMessage(message, view, thumbnails) {
  const kind = KINDS[message.kind] ?? message.kind;
  const begins = message.begins ? make("p", { class: "begins" }, "A conversation of its own: nothing above was shown with it.") : null;
  const drawn = make("div", { class: `message ${message.role} ${message.kind}` },
    make("p", { class: "role" }, visible(message.role), kind ? make("span", { class: "kind" }, ` · ${kind}`) : null),
    isReply(message) ? drawSaid(message.parts) : drawParts(message.parts, view, thumbnails));
  return [begins, drawn];
}

/** Texts and pictures in order; pictures of the sample itself stand above, and here as marks. */
function drawParts(parts, view, thumbnails) {
  const own = ownImages(view, thumbnails);
  const found = [];
  let marks = [];
  const flush = () => {
    if (marks.length) found.push(drawMarks(marks, own));
    marks = [];
  };
  for (const part of parts) {
    const image = view.images[part];
    if (image && !image.is_example) {
      marks.push(own.findIndex((item) => item.image === image));
    } else {
      flush();
      if (image) found.push(drawImage([shownImage(image, thumbnails)], 0));
      else if (typeof part === "string") found.push(make("p", { class: "said", dir: "auto" }, visible(part)));
    }
  }
  flush();
  return found;
}

/** The place of pictures in a text: "image 2", or "images 1–24" of those that follow each other. */
function drawMarks(places, own) {
  const isRow = places.length > 2 && places.every((place, at) => place === places[0] + at);
  const texts = isRow ? [[`images ${places[0] + 1}–${places.at(-1) + 1}`, places[0]]] : places.map((place) => [`image ${place + 1}`, place]);
  return make("p", { class: "picture-marks" }, texts.map(([text, place]) =>
    (own[place].thumbnail ? makeButton(text, () => openViewer(own, place), { class: "mark" }) : make("span", { class: "mark" }, text))));
}

/** An answer. Of two parts the first was given to the model, which went on from there. */
function drawSaid(parts) {
  const given = parts.length > 1 ? make("span", { class: "given", title: "given to the model: its answer goes on from here" }, visible(parts[0])) : null;
  return make("p", { class: "said", dir: "auto" }, given, given && !/\s$/.test(parts[0]) ? " " : null, visible(parts[parts.length - 1] ?? ""));
}

const drawNote = (view) => (view.note ? make("p", { class: "note", dir: "auto" }, visible(view.note)) : null);

/** The prompt as a text to be pasted elsewhere: messages with their roles, marks for pictures. */
function promptText(view) {
  const own = ownImages(view, []);
  const shown = (part) => (typeof part === "string" ? part : `[image ${own.findIndex((item) => item.image === view.images[part]) + 1 || "of an example"}]`);
  const [prompt] = splitMessages(view);
  if (prompt.length === 1) return prompt[0].parts.map(shown).join("\n");
  return prompt.map((message) => `${message.role}:\n${message.parts.map(shown).join("\n")}`).join("\n\n");
}
