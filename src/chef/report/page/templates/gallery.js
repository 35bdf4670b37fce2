// Samples as cards with a picture, and the pictures of the list: both are read as they come into sight.

let inSight = null;

/** The first picture of a sample, once it is near the window. */
function drawSight(place, alt) {
  const sight = make("span", { class: "sight", "data-sight": String(place), "data-alt": alt });
  inSight ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      inSight.unobserve(target);
      fillSight(target);
    }
  }, { rootMargin: "200px" });
  inSight.observe(sight);
  return sight;
}

async function fillSight(sight) {
  try {
    const { views, thumbnails } = await detailsOf(Number(sight.dataset.sight));
    const view = views.find((item) => item?.images.length);
    const own = view ? ownImages(view, thumbnails).filter((item) => item.thumbnail) : [];
    sight.classList.add("filled");
    if (!own.length) return;
    sight.replaceChildren(make("img", { src: asAddress(own[0].thumbnail), alt: visible(sight.dataset.alt), decoding: "async" }),
      ...(own[0].image.boxes.length ? [overlay(own[0].image.boxes)[0]] : []),
      own.length > 1 ? make("span", { class: "badge" }, String(own.length)) : "");
  } catch {
    sight.classList.add("filled");  // the sample itself says which file is missing
  }
}

/** A sample as a card; ``run`` is the run whose answer it shows. */
function drawCard(place, run = 0) {
  const row = index.rows[place];
  const cell = row[RUNS][run] ?? row[RUNS].find(Boolean);
  return make("li", { class: "sample-card", "data-place": String(place) },
    index.hasThumbnails ? drawSight(place, `picture of ${row[ID]}`) : null,
    make("span", { class: "card-text" },
      make("a", { href: writeAddress({ ...state, sample: row[ID] }), "data-sample": row[ID], class: "open" }, dataText(row[ID] || "(no id)", { class: "clip" })),
      dataText(row[QUESTION], { class: "clip" }),
      cell ? make("span", { class: "line" }, verdictOf(cell), dataText(cell[ANSWER], { class: "clip" })) : null,
      row[TRUTH] && cell && cell[VERDICT] !== RIGHT ? make("span", { class: "facts" }, "truth ", dataText(row[TRUTH])) : null));
}

const drawGallery = (places, shown) => make("ul", { class: "gallery" }, places.map((place) => drawCard(place, Math.max(0, shown.run - 1))));

/** The samples that a section of the page names, as cards. */
function fillSections() {
  for (const list of document.querySelectorAll("ul[data-samples]")) {
    const places = JSON.parse(list.dataset.samples).map(placeOf).filter((place) => place >= 0);
    list.replaceChildren(...places.map((place) => drawCard(place)));
    list.addEventListener("click", openByClick);
  }
}
