// Pictures of a sample: large where there are few, a numbered strip where there are many.

/** More pictures than these stand in a strip. */
const STRIP = 4;

/** What a picture is shown with: the image of a view and its thumbnail. */
const shownImage = (image, thumbnails) => ({ image, thumbnail: thumbnails[image.thumbnail] ?? "" });

/** The pictures of the sample itself, those of its examples left out. */
const ownImages = (view, thumbnails) =>
  view.images.filter((image) => !image.is_example).map((image) => shownImage(image, thumbnails));

function drawPictures(shown) {
  if (!shown.length) return null;
  if (shown.length > STRIP) return drawStrip(shown);
  return make("div", { class: `pictures of-${shown.length}` }, shown.map((_, at) => drawImage(shown, at)));
}

function drawStrip(shown) {
  const items = shown.map((item, at) => make("li", {}, drawThumbnail(shown, at), make("span", { class: "badge" }, String(at + 1))));
  const facts = shown.map(({ image }) => drawFacts(image).textContent);
  const isSame = new Set(facts).size === 1 && facts[0];
  return make("div", { class: "pictures many" },
    make("ol", { class: "strip" }, items),
    make("p", { class: "facts" }, plural(shown.length, "image"), isSame ? [", each ", drawFacts(shown[0].image)] : null));
}

/** One picture with its caption; a click opens it in the viewer. */
function drawImage(shown, at) {
  const { image } = shown[at];
  return make("figure", { class: `image${isSmall(image) ? " small" : ""}` }, drawThumbnail(shown, at, { isFull: true }),
    make("figcaption", {}, dataText(image.label), drawSource(image), drawFacts(image), drawBoxes(image.boxes)));
}

/** Whether an image is shown larger than it is: icons, small drawings. */
const isSmall = (image) => image.width > 0 && image.width < 160 && image.height <= 1.4 * image.width;

function drawThumbnail(shown, at, { isFull = false } = {}) {
  const { image, thumbnail } = shown[at];
  if (!thumbnail) {
    return make("p", { class: "no-image" }, image.width ? "No thumbnail of this image" : "This image is not there any more, or is not the one that the model saw");
  }
  const picture = make("img", { src: asAddress(thumbnail), alt: visible(image.label), decoding: "async" });
  if (isFull) pictureOf(shown[at]).then((address) => { if (address) picture.src = address; }, () => {});
  return makeButton([picture, ...overlay(image.boxes)], () => openViewer(shown, at), { class: "thumbnail", title: "Look at it in full" });
}

/** Whether a browser refuses a link to a file: from pages that are served. */
const isRefused = (address) => /^file:/i.test(address) && location.protocol !== "file:";

/** Where it comes from, with a link to the original where that is a file. */
function drawSource(image) {
  const address = image.link && safeAddress(image.link);
  const source = image.source && !image.label.includes(image.source) ? image.source : "";
  if (!source && !image.link) return null;
  return make("span", { class: "source" },
    source ? dataText(source) : null, source && image.link ? " · " : null,
    address && isRefused(address) ? makeButton("Copy path", (event) => copyText(decodeURIComponent(new URL(address).pathname), event.currentTarget, "The path"), { title: address }) : null,
    address && !isRefused(address) ? make("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, "original") : null,
    image.link && !address ? dataText(image.link) : null);
}

/** How large it was sent, and what the model made of it. */
function drawFacts(image) {
  return make("span", { class: "source" },
    image.width ? `${image.width} × ${image.height}` : "",
    image.width && image.received ? [", received as ", dataText(image.received)] : null);
}

const boxClass = (box) => (box.is_reference ? "reference" : "answered");

/** Boxes as a drawing over the image, and their labels beside them. */
function overlay(boxes) {
  if (!boxes.length) return [];
  const drawn = makeSvg("svg", { class: "boxes", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const box of boxes) {
    const [left, top, right, bottom] = box.corners;
    drawn.append(makeSvg("rect", {
      x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top), class: boxClass(box),
    }));
  }
  return [drawn, ...boxes.filter((box) => box.label).map(drawLabel)];
}

function drawLabel(box) {
  const label = dataText(box.label, { class: `box-label ${boxClass(box)}`, "aria-hidden": "true" }, "span");
  label.style.maxWidth = `max(2.2rem, ${100 * (box.corners[2] - box.corners[0])}%)`;
  label.style.left = `${100 * box.corners[0]}%`;
  label.style.top = `${100 * (box.is_reference ? box.corners[3] : box.corners[1])}%`;
  return label;
}

/** The share of the area of two boxes that both cover. */
function overlap(one, other) {
  const side = (low, high) => Math.max(0, Math.min(one[high], other[high]) - Math.max(one[low], other[low]));
  const area = (box) => (box[2] - box[0]) * (box[3] - box[1]);
  const both = side(0, 2) * side(1, 3);
  return both ? both / (area(one) + area(other) - both) : 0;
}

/** The legend, and the same in words: the drawing says nothing to people who do not see it. */
function drawBoxes(boxes) {
  if (!boxes.length) return null;
  const references = boxes.filter((box) => box.is_reference).map((box) => box.corners);
  return make("ul", { class: "box-list" }, boxes.map((box) => make("li", { class: boxClass(box) },
    box.is_reference ? "reference" : "answer", box.label ? [": ", dataText(box.label)] : null,
    ` (${box.corners.map((share) => (100 * share).toFixed(0)).join(", ")} %)`,
    box.is_reference || !references.length ? null : `, IoU ${Math.max(...references.map((item) => overlap(box.corners, item))).toFixed(2)}`)));
}
