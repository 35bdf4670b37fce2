// Answers rendered: Markdown and LaTeX as elements. Nothing here reads HTML, and no link leads anywhere.

/** Whether a text has marks that rendering would show otherwise. */
const isMarkedUp = (text) => /\*\*|^#{1,6} |^\s*[-*] |^\s*\d+[.)] |`|^\|.*\|$|\$[^$\n]+\$|\\\(|\\\[|\\(?:frac|sqrt|boxed|text)\b/m.test(text);

/** The elements of a text in Markdown: paragraphs, headings, lists, tables, quotations, code and formulas. */
function rendered(text) {
  const lines = text.split("\n");
  const found = [];
  let at = 0;
  const take = (test) => {
    const start = at;
    while (at < lines.length && test(lines[at])) at += 1;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    if (!line.trim()) at += 1;
    else if (line.trim().startsWith("```")) found.push(fenced(lines, () => (at += 1), () => at));
    else if (/^#{1,6} /.test(line)) found.push(make("p", { class: "heading" }, inline(lines[at++].replace(/^#+ /, ""))));
    else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) found.push((at += 1, make("hr")));
    else if (/^\s*[-*+] /.test(line)) found.push(drawItems("ul", take((item) => /^\s*[-*+] |^\s{2,}\S/.test(item)), /^\s*[-*+] /));
    else if (/^\s*\d+[.)] /.test(line)) found.push(drawItems("ol", take((item) => /^\s*\d+[.)] |^\s{2,}\S/.test(item)), /^\s*\d+[.)] /, Number.parseInt(line, 10)));
    else if (/^\s*>/.test(line)) found.push(make("blockquote", {}, inline(take((item) => /^\s*>/.test(item)).map((item) => item.replace(/^\s*> ?/, "")).join("\n"))));
    else if (/^\s*\|.*\|\s*$/.test(line)) found.push(drawMarkdownTable(take((item) => /^\s*\|.*\|\s*$/.test(item))));
    else found.push(make("p", {}, inline([lines[at++], ...take((item) => item.trim() && !/^#{1,6} |^\s*[-*+] |^\s*\d+[.)] |^\s*>|^\s*\||^\s*```/.test(item))].join("\n"))));
  }
  return found;
}

function fenced(lines, next, place) {
  next();
  const code = [];
  while (place() < lines.length && !lines[place()].trim().startsWith("```")) {
    code.push(lines[place()]);
    next();
  }
  next();
  return make("pre", {}, code.join("\n"));
}

function drawItems(kind, lines, mark, start = 1) {
  const items = [];
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ""));
    else items[items.length - 1] += `\n${line.trim()}`;
  }
  return make(kind, kind === "ol" && start !== 1 ? { start: String(start) } : {}, items.map((item) => make("li", {}, inline(item))));
}

function drawMarkdownTable(lines) {
  const rows = lines.map((line) => line.trim().slice(1, -1).split("|").map((cell) => cell.trim()));
  const [head, ...body] = rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
  return make("table", {}, make("thead", {}, make("tr", {}, (head ?? []).map((cell) => make("th", { scope: "col" }, inline(cell))))),
    make("tbody", {}, body.map((row) => make("tr", {}, row.map((cell) => make("td", {}, inline(cell)))))));
}

const INLINE = /(`+)([^`]|[^`][\s\S]*?[^`])\1|\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|\$([^\s$](?:[^$\n]*[^\s$])?)\$(?!\d)|\*\*([^*\n]+(?:\*[^*\n]+\*[^*\n]*)*)\*\*|\*([^*\s][^*\n]*)\*|\\boxed\{([^{}]*)\}/g;

/** Code, formulas, bold and italic words within a line. */
function inline(text) {
  const found = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > last) found.push(text.slice(last, match.index));
    const [whole, , code, block1, block2, round, dollar, bold, italic, boxed] = match;
    if (code !== undefined) found.push(make("code", {}, code));
    else if (block1 ?? block2) found.push(formula(block1 ?? block2, true));
    else if (round ?? dollar) found.push(formula(round ?? dollar, false));
    else if (bold) found.push(make("strong", {}, inline(bold)));
    else if (italic) found.push(make("em", {}, italic));
    else if (boxed !== undefined) found.push(formula(whole, false));
    last = match.index + whole.length;
  }
  if (last < text.length) found.push(text.slice(last));
  return found;
}

const SIGNS = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", theta: "θ", lambda: "λ", mu: "μ", pi: "π", rho: "ρ", sigma: "σ",
  tau: "τ", phi: "φ", omega: "ω", Delta: "Δ", Sigma: "Σ", Omega: "Ω", times: "×", cdot: "·", div: "÷", pm: "±", mp: "∓", leq: "≤", le: "≤",
  geq: "≥", ge: "≥", neq: "≠", ne: "≠", approx: "≈", equiv: "≡", to: "→", rightarrow: "→", Rightarrow: "⇒", infty: "∞", sum: "∑", prod: "∏",
  int: "∫", partial: "∂", nabla: "∇", in: "∈", cup: "∪", cap: "∩", subset: "⊂", angle: "∠", circ: "∘", degree: "°", perp: "⊥", parallel: "∥",
  triangle: "△", ldots: "…", dots: "…", cdots: "⋯", quad: "\u2003", "%": "%", $: "$", "{": "{", "}": "}", "#": "#", "&": "&", ",": "\u2009", ";": "\u2005", "!": "", " ": " ", "\\": " ",
};
const NAMES = new Set(["sin", "cos", "tan", "log", "ln", "exp", "min", "max", "lim", "det", "gcd"]);

const makeMath = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat(Infinity));
  return element;
};

/** A formula in LaTeX as MathML; of what is not known here its name is shown. */
function formula(source, isBlock) {
  const tokens = source.match(/\\[a-zA-Z]+|\\.|\d+(?:[.,]\d+)*|[a-zA-Z]|\S/g) ?? [];
  let at = 0;
  const row = (end) => {
    const items = [];
    while (at < tokens.length && tokens[at] !== end) items.push(scripts());
    at += 1;
    return makeMath("mrow", {}, items);
  };
  const argument = () => {
    if (tokens[at] === "{") {
      at += 1;
      return row("}");
    }
    return at < tokens.length ? atom() : makeMath("mrow", {});
  };
  const words = () => {
    let depth = 0;
    const start = at;
    do {
      if (tokens[at] === "{") depth += 1;
      if (tokens[at] === "}") depth -= 1;
      at += 1;
    } while (depth > 0 && at < tokens.length);
    return makeMath("mtext", {}, tokens.slice(start, at).filter((token) => token !== "{" && token !== "}").join(""));
  };
  const scripts = () => {
    const base = atom();
    let [low, high] = [null, null];
    while (tokens[at] === "_" || tokens[at] === "^") {
      if (tokens[at++] === "_") low = argument();
      else high = argument();
    }
    if (low && high) return makeMath("msubsup", {}, base, low, high);
    return low ? makeMath("msub", {}, base, low) : high ? makeMath("msup", {}, base, high) : base;
  };
  const command = (name) => {
    if (/^[dt]?frac$/.test(name)) return makeMath("mfrac", {}, argument(), argument());
    if (name === "sqrt") return makeMath("msqrt", {}, argument());
    if (name === "boxed") return makeMath("mrow", { class: "boxed" }, argument());
    if (/^(?:text|mathrm|mathbf|textbf|mathit|operatorname)$/.test(name)) return words();
    if (name === "left" || name === "right") return tokens[at] === "." ? (at += 1, makeMath("mrow", {})) : makeMath("mo", {}, tokens[at++] ?? "");
    if (NAMES.has(name)) return makeMath("mi", {}, name);
    return makeMath(/^\w/.test(name) && /[α-ωΔΣΩ∞]/.test(SIGNS[name] ?? "") ? "mi" : "mo", {}, SIGNS[name] ?? name);
  };
  const atom = () => {
    const token = tokens[at++];
    if (token === "{") return row("}");
    if (token[0] === "\\") return command(token.slice(1));
    return makeMath(/^\d/.test(token) ? "mn" : /^[a-zA-Z]$/.test(token) ? "mi" : "mo", {}, token);
  };
  return makeMath("math", isBlock ? { display: "block" } : {}, row(null));
}
