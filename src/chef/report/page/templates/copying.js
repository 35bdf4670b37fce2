// To the clipboard: links, prompts, answers and commands.

async function copyText(text, button, what) {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = copyByHand(text);
  }
  announce(isCopied ? `${what} is copied.` : "The browser lets no page copy.");
  flash(button, isCopied ? "Copied" : "Not allowed");
  return isCopied;
}

const copyLink = () => copyText(permanentLink(), byId("detail").open ? byId("copy-sample") : byId("copy-list"), "The link");

/** A word of a command, so that a shell takes it as it is. */
const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\"'\"'")}'`);

/** The older way to copy, for browsers that keep the clipboard from pages on disk. */
function copyByHand(text) {
  const host = byId("detail").open ? byId("detail") : document.body;
  const before = document.activeElement;
  const field = make("textarea", { class: "unseen", "aria-hidden": "true" });
  field.value = text;
  host.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  before?.focus({ preventScroll: true });
  return isCopied;
}

function flash(button, text) {
  if (!button || button.dataset.flashes) return;
  const before = [...button.childNodes];
  button.dataset.flashes = "true";
  button.replaceChildren(text);
  setTimeout(() => {
    button.replaceChildren(...before);
    delete button.dataset.flashes;
  }, 1500);
}
