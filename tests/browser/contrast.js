// The body of a function: how many texts are seen, and those with less contrast against what lies
// behind them than WCAG 2.2 asks of small text, 4.5 to 1.
const parse = (colour) => {
  const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
  return {rgb: [r, g, b], a};
};
const over = (top, below) => top.rgb.map((c, i) => c * top.a + below[i] * (1 - top.a));
const light = (rgb) => {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) layers.unshift(parse(getComputedStyle(e).backgroundColor));
  return layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
};
const poor = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let seen = 0;
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest('script, .unseen, .skip, option, [aria-hidden=true]')) continue;
  const style = getComputedStyle(element);
  const ground = behind(element);
  const ink = over(parse(element.closest('svg') ? style.fill : style.color), ground);
  const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  seen += 1;
  if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${element.className} ${walker.currentNode.textContent.trim().slice(0, 40)}`);
}
return [seen, poor];
