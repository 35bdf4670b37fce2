// The details of samples, which are in the page or in files beside it.

/** So many pieces are kept: one is less than a megabyte. */
const KEPT = 12;
const pieces = new Map();
const waiting = new Map();

/** The views of a sample in each run, and the thumbnails that they refer to. */
async function detailsOf(place) {
  const number = pieceOf(place);
  const piece = await pieceAt(number);
  return { views: piece.views[place - index.starts[number]], thumbnails: piece.thumbnails };
}

function pieceOf(place) {
  let [low, high] = [0, index.starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (index.starts[middle] <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

function pieceAt(number) {
  if (!pieces.has(number)) {
    if (pieces.size >= KEPT) pieces.delete(pieces.keys().next().value);
    const piece = index.files.length ? load(number) : Promise.resolve(readJson(`piece-${number}`));
    pieces.set(number, piece);
    piece.catch(() => pieces.delete(number));
  }
  return pieces.get(number);
}

/** A file beside the page: a script, since from disk browsers read no other file. */
function load(number) {
  const name = index.files[number];
  return new Promise((resolve, reject) => {
    const failed = () => reject(new Error(
      `The file ${index.folder}/${name} cannot be read. The folder ${index.folder} belongs beside this page: ` +
      "was it left behind, or was the page written anew? Then load the page again."));
    const script = make("script", { src: `${encodeURIComponent(index.folder)}/${name}`, onerror: failed });
    waiting.set(name, resolve);
    script.addEventListener("load", () => {
      if (waiting.has(name)) failed();
      script.remove();
    });
    document.head.append(script);
  });
}

// The one name that is global: files of details call it.
window.chefChunk = (name, piece) => {
  waiting.get(name)?.(piece);
  waiting.delete(name);
};
