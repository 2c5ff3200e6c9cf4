// Shows explanations of each model's answer, and pictures of the executions.
import "picture-view";
import { el } from "./dom.js";
import { indented, problem } from "./texts.js";

const section = (one, kind, content) => el("section", { class: kind }, el("h3", {}, el("code", {}, one.model), ` ${one.title ?? ""}`), content);

/** Returns remarks: a note if there is nothing to explain, and the models that were not asked. */
function remarks(sections, answer) {
  const list = [];
  if (sections.length === 0) list.push(el("p", {}, "There is nothing to explain: the test has no condition, and none of these models defines races."));
  if (answer.not_asked?.length) list.push(el("p", { class: "unknown" }, `Not asked: ${answer.not_asked.join(", ")}. At most four models are explained at a time: choose them under Models.`));
  return list;
}

export function explanations(answer) {
  if (answer.error) return [problem(answer.error)];
  return [...answer.explanations.map((one) => section(one, "why", indented(one.text))), ...remarks(answer.explanations, answer)];
}

/** Returns the picture as an element. Drops the names and tooltips, which are useful only in a separate file. */
function drawing(one) {
  const svg = new DOMParser().parseFromString(one.svg, "image/svg+xml").documentElement;
  svg.querySelectorAll("title").forEach((title) => title.remove());
  svg.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
  const label = `An execution under ${one.model}: ${one.title ?? ""}`;
  return el("div", {}, el("picture-view", { label }, svg),
    el("p", { class: "small" }, el("a", { download: `${one.model}.svg`, href: `data:image/svg+xml,${encodeURIComponent(one.svg)}` }, "Save as SVG")));
}

/** Shows the picture of an entry or, if the entry has no picture, the reason. */
export function pictures(answer) {
  if (answer.error) return [problem(answer.error)];
  return [...answer.pictures.map((one) => section(one, "picture", one.svg ? drawing(one) : el("p", {}, one.reason))), ...remarks(answer.pictures, answer)];
}
