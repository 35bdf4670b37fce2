// What data looks like as text.

const VERDICTS = [
  { name: "right", sign: "✓" },
  { name: "wrong", sign: "✗" },
  { name: "partly", sign: "◐" },
  { name: "unread", sign: "?" },
  { name: "error", sign: "!" },
  { name: "refused", sign: "⊘" },
  { name: "unscored", sign: "–" },
];
const SIGN_OF = new Map(VERDICTS.map((verdict) => [verdict.name, verdict.sign]));

/** Controls that have no shape of their own as pictures, such as ␀. */
function visible(text) {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (sign) =>
    String.fromCharCode(sign === "\x7f" ? 0x2421 : 0x2400 + sign.charCodeAt(0)));
}

/** Text of data, which cannot change the direction of what stands around it. */
const dataText = (text, attributes = {}, tag = "bdi") => make(tag, { dir: "auto", ...attributes }, visible(text));

function shownScore(score) {
  if (score === null) return "";
  return Number.isInteger(score) ? String(score) : score.toFixed(2);
}

const shownShare = (share) => (share === null ? "" : `${(100 * share).toFixed(1)} %`);

function verdictBadge(name) {
  return make("span", { class: `verdict ${name}` },
    make("span", { class: "sign", "aria-hidden": "true" }, SIGN_OF.get(name) ?? "·"), name);
}

const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** A link of data if it opens a file or a page; null if it could run something. */
function safeAddress(link) {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(link.replace(/[\x00-\x20]/g, ""));
  return !scheme || ["http:", "https:", "file:"].includes(scheme[0].toLowerCase()) ? link : null;
}
