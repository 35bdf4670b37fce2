// Images of a conversation: thumbnails, larger on a click, with boxes over them.

function drawImage(image, thumbnail) {
  const caption = make("figcaption", {}, dataText(image.label), drawSource(image), drawBoxes(image.boxes));
  if (!thumbnail) {
    return make("figure", { class: "image" }, make("p", { class: "no-image" }, image.width ? "No thumbnail of this image" : "This image is not there any more, or is not the one that the model saw"), caption);
  }
  const picture = make("img", { src: `data:image/webp;base64,${thumbnail}`, alt: visible(image.label) });
  const button = makeButton([picture, ...overlay(image.boxes)], (event) => {
    const isLarge = event.currentTarget.closest("figure").classList.toggle("large");
    event.currentTarget.setAttribute("aria-expanded", String(isLarge));
  }, { class: "thumbnail", "aria-expanded": "false", title: "Larger or smaller" });
  return make("figure", { class: `image${isSmall(image) ? " small" : ""}` }, button, caption);
}

/** Whether an image is shown larger than it is: icons, small drawings; none that are high. */
const isSmall = (image) => image.width > 0 && image.width < 160 && image.height <= 1.4 * image.width;

function drawSource(image) {
  const size = image.width ? `${image.width} × ${image.height}` : "";
  const address = image.link && safeAddress(image.link);
  const source = image.source && !image.label.includes(image.source) ? image.source : "";
  return make("span", { class: "source" },
    source ? dataText(source) : null,
    source && size ? " · " : null,
    size,
    address ? [" · ", make("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, "original")] : null,
    image.link && !address ? [" · ", dataText(image.link)] : null);
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

/** The same in words: the drawing says nothing to people who do not see it. */
function drawBoxes(boxes) {
  if (!boxes.length) return null;
  return make("ul", { class: "box-list" }, boxes.map((box) => make("li", { class: boxClass(box) },
    box.is_reference ? "reference" : "answer", box.label ? [": ", dataText(box.label)] : null,
    ` (${box.corners.map((share) => (100 * share).toFixed(0)).join(", ")} %)`)));
}
