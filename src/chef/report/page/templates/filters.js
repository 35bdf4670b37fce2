// Which samples are shown, and in which order.

// Positions in a row of the index, and in the part of it that is about one run.
const ID = 0, QUESTION = 1, TRUTH = 2, FIELDS = 3, RUNS = 4;
const VERDICT = 0, SCORE = 1, CONFIDENCE = 2, ANSWER = 3;
const RIGHT = 0;

let searched = null;

/** The text that is searched, made at the first search. */
function searchedTexts() {
  searched ??= index.rows.map((row) =>
    [row[ID], row[QUESTION], row[TRUTH], ...row[RUNS].map((run) => (run ? run[ANSWER] : ""))].join("\n").toLowerCase());
  return searched;
}

/** The runs of a row that the filters are about: the chosen one, or all. */
const chosenRuns = (row, run) => (run ? [row[RUNS][run - 1]] : row[RUNS]).filter(Boolean);

/** Samples without a score in one of the two runs are neither gained nor lost. */
function flipOf(first, other) {
  if (!first || !other || first[SCORE] === null || other[SCORE] === null) return "";
  const [before, after] = [first[VERDICT] === RIGHT, other[VERDICT] === RIGHT];
  return before === after ? "" : after ? "gained" : "lost";
}

function hasFlip(row, shown) {
  const first = row[RUNS][shown.against - 1];
  const others = shown.run && shown.run !== shown.against ? [row[RUNS][shown.run - 1]] : row[RUNS].filter((run) => run !== first);
  return others.some((other) => {
    const flip = flipOf(first, other);
    return shown.flip === "any" ? flip !== "" : flip === shown.flip;
  });
}

/** Functions of the position of a row, all of which must hold; verdicts are looked at apart. */
function conditions(shown) {
  const found = [];
  index.fields.forEach(([name, values], place) => {
    if (!shown.fields.has(name)) return;
    const wanted = values.indexOf(shown.fields.get(name));
    found.push((at) => wanted >= 0 && index.rows[at][FIELDS][place] === wanted);
  });
  if (shown.flip) found.push((at) => hasFlip(index.rows[at], shown));
  if (shown.below) {
    const limit = Number(shown.below) / 100;
    found.push((at) => chosenRuns(index.rows[at], shown.run)
      .some((run) => run[CONFIDENCE] !== null && run[CONFIDENCE] < limit));
  }
  const words = shown.q.toLowerCase().trim();
  if (words) {
    const texts = searchedTexts();
    found.push((at) => texts[at].includes(words));
  }
  return found;
}

/** The verdicts of a row as bits: of the chosen run, or of all. */
function verdictBits(row, run) {
  let bits = 0;
  const runs = row[RUNS];
  for (let at = run ? run - 1 : 0; at < (run || runs.length); at += 1) {
    if (runs[at]) bits |= 1 << runs[at][VERDICT];
  }
  return bits;
}

/** The samples that are shown, in order, and how many each verdict would show. */
function choose(shown) {
  const tests = conditions(shown);
  let wanted = 0;
  VERDICTS.forEach(({ name }, at) => {
    if (shown.verdicts.includes(name)) wanted |= 1 << at;
  });
  const counts = VERDICTS.map(() => 0);
  const places = [];
  for (let at = 0; at < index.rows.length; at += 1) {
    if (!tests.every((test) => test(at))) continue;
    const bits = verdictBits(index.rows[at], shown.run);
    for (let verdict = 0; verdict < counts.length; verdict += 1) counts[verdict] += (bits >> verdict) & 1;
    if (!wanted || wanted & bits) places.push(at);
  }
  return { places: sorted(places, shown), counts };
}

/** What the list can be sorted by: key, name, and the value of a row. */
function orders() {
  const found = [
    { key: "id", name: "Sample", value: (row) => row[ID] },
    { key: "question", name: "Question", value: (row) => row[QUESTION] },
    { key: "truth", name: "Truth", value: (row) => row[TRUTH] },
  ];
  index.runs.forEach((name, place) => {
    const of = index.runs.length > 1 ? ` of ${name}` : "";
    const value = (part) => (row) => (row[RUNS][place] ? row[RUNS][place][part] : null);
    found.push({ key: `verdict-${place + 1}`, name: `Verdict${of}`, value: value(VERDICT) });
    found.push({ key: `answer-${place + 1}`, name: `Answer${of}`, value: value(ANSWER) });
    if (hasValue(place, SCORE)) found.push({ key: `score-${place + 1}`, name: `Score${of}`, value: value(SCORE) });
    if (hasValue(place, CONFIDENCE)) {
      found.push({ key: `confidence-${place + 1}`, name: `Confidence${of}`, value: value(CONFIDENCE) });
    }
  });
  return found;
}

const hasValue = (run, part) => index.rows.some((row) => row[RUNS][run] && row[RUNS][run][part] !== null);

const collator = new Intl.Collator("en", { numeric: true });
let known = null;

function sorted(places, shown) {
  known ??= orders();
  const order = known.find((item) => item.key === shown.sort);
  if (!order && shown.order !== "down") return places;
  if (!order) return places.reverse();
  const values = new Map(places.map((at) => [at, order.value(index.rows[at])]));
  const sign = shown.order === "down" ? -1 : 1;
  return places.sort((one, other) => sign * compare(values.get(one), values.get(other), sign) || one - other);
}

/** Numbers by size, texts as people order them; what is missing comes last either way. */
function compare(one, other, sign) {
  if (one === null || other === null) return sign * ((one === null) - (other === null));
  return typeof one === "number" ? one - other : collator.compare(one, other);
}
