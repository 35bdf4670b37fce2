// What is shown on demand, in pieces that are in the page or in files beside it: the details of
// samples, and pictures in full.

/** So many pieces of a kind are kept: one has a few megabytes at most. */
const KEPT = 24;
const waiting = new Map();

/** A function that gives a piece by its number; ``names`` gives the files, none of pieces in the page. */
function shelf(kind, names) {
  const held = new Map();
  return (number) => {
    if (!held.has(number)) {
      if (held.size >= KEPT) held.delete(held.keys().next().value);
      const piece = names().length ? load(names()[number]) : Promise.resolve(readJson(`${kind}-${number}`));
      held.set(number, piece);
      piece.catch(() => held.delete(number));
    }
    return held.get(number);
  };
}

const pieceAt = shelf("piece", () => index.files);
const picturesAt = shelf("pictures", () => index.pictures);

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

const asAddress = (thumbnail) => `data:image/webp;base64,${thumbnail}`;

/** An image in full as an address for ``src``; that of its thumbnail where this has every pixel; else null. */
async function pictureOf({ image, thumbnail }) {
  if (image.picture === true) return asAddress(thumbnail);
  return image.picture ? (await picturesAt(image.picture[0]))[image.picture[1]] : null;
}

/** A file beside the page: a script, since from disk browsers read no other file. */
function load(name) {
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
