// Makes elements. Strings become text nodes and are never parsed as HTML.

/** el("td", {class: "good"}, "Never", child, ...) */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

/** `classes` (optional): the rows' CSS classes. */
export function table(heads, rows, classes = []) {
  return el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", {}, head)))),
    el("tbody", {}, ...rows.map((row, i) => el("tr", { class: classes[i] }, ...row.map((cell) => (cell instanceof HTMLTableCellElement ? cell : el("td", {}, cell))))))));
}
