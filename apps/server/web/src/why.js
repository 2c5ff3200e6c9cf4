// Explanations of each model's answer, and their pictures.
import { el } from "./dom.js";
import { indented, problem } from "./texts.js";

const section = (one, kind, content) => el("section", { class: kind }, el("h3", {}, el("code", {}, one.model), ` ${one.title ?? ""}`), content);

/** Returns remarks: a note if there are no sections, and the models without an explanation. */
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

const drawing = (one) => el("img", { alt: one.title ?? "an execution", src: URL.createObjectURL(new Blob([one.svg], { type: "image/svg+xml" })),
  onload: (event) => URL.revokeObjectURL(event.target.src) });

/** Shows the picture of an entry. If there is no picture, the entry has a reason. */
export function pictures(answer) {
  if (answer.error) return [problem(answer.error)];
  return [...answer.pictures.map((one) => section(one, "picture", one.svg ? drawing(one) : el("p", {}, one.reason))), ...remarks(answer.pictures, answer)];
}
