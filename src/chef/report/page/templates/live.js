// A page that is served while runs go on: it asks for their state, and shows what is new.

const EVERY = 2000;

function watchRuns() {
  if (!index.live) return;
  setInterval(async () => {
    try {
      const answer = await fetch("state", { cache: "no-store" });
      if (answer.ok && (await answer.text()) !== index.live) showNew();
    } catch {
      // the server was ended: the page stays as it is
    }
  }, EVERY);
}

/** Load the page again; while a sample is open or something is typed, offer it. */
function showNew() {
  const isBusy = document.querySelector("dialog[open]") || picked.length || isTyping(document.activeElement ?? document.body);
  if (!isBusy) location.reload();
  else if (!byId("new")) document.querySelector(".top .tools").prepend(makeButton("Show what is new", () => location.reload(), { id: "new" }));
}
