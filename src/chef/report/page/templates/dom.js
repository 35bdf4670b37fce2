// Elements. Texts only ever become text nodes: nothing here reads HTML.

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; a child that is null or false is left out. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button that does not send a form. */
const makeButton = (text, onclick, attributes = {}) =>
  make("button", { type: "button", onclick, ...attributes }, text);

/** Say something to people who do not see the page change. */
function announce(text) {
  byId("said").textContent = text;
}

function readJson(id) {
  return JSON.parse(byId(id).textContent);
}

/** Show or hide; the attribute also takes it out of the order of tabs. */
function setShown(element, isShown) {
  element.hidden = !isShown;
}
