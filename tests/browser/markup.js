// What is wrong with a page's names and roles, each with the element: an empty list is right.
const wrong = [];
const tell = (what, element) => wrong.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const element of document.querySelectorAll("[id]")) {
  if (ids.filter((id) => id === element.id).length > 1) tell("an id twice", element);
}
for (const name of ["aria-controls", "aria-labelledby", "aria-describedby", "for", "list"]) {
  for (const element of document.querySelectorAll(`[${name}]`)) {
    for (const id of element.getAttribute(name).split(/\s+/)) {
      const isHost = name === "aria-labelledby" && element.matches("dialog:not([open])");
      if (!isHost && !document.getElementById(id)) tell(`${name} leads nowhere`, element);
    }
  }
}
for (const element of document.querySelectorAll("button, a[href], input, select, summary, dialog[open], [role=region], section, nav, form, img, svg, th")) {
  const label = element.getAttribute("aria-labelledby")?.split(/\s+/).map((id) => document.getElementById(id)?.textContent).join(" ");
  const named = element.textContent.trim() || element.ariaLabel || label?.trim() || element.getAttribute("alt") || element.title
    || [...(element.labels ?? [])].some((one) => one.textContent.trim());
  const isHidden = element.closest("[hidden], [aria-hidden=true], dialog:not([open])") || element.matches("td:empty, th:empty");
  if (!isHidden && !named && element.getAttribute("alt") !== "") tell("no name", element);
}
for (const element of document.querySelectorAll("[tabindex]")) if (element.tabIndex > 0) tell("an order of its own", element);
for (const element of document.querySelectorAll("[aria-pressed], [aria-expanded]")) {
  if (!element.matches("button, [role=button]")) tell("a state of a button on something else", element);
}
for (const element of document.querySelectorAll("button button, button a, a a, a button, label label")) tell("a control in a control", element);
for (const element of document.querySelectorAll("ul > :not(li), ol > :not(li), dl > :not(dt, dd, div), tr > :not(th, td)")) tell("no child of that", element);
for (const element of document.querySelectorAll("svg:not([aria-hidden=true])")) {
  if (element.closest("[hidden], dialog:not([open])") === null && !element.querySelector("title") && !element.ariaLabel) tell("a drawing without a title", element);
}
return wrong;
